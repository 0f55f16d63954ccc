# extfn: secret_in_environment() -> text impure
# expect: BLOCKED nothing
# layer: environment
# The host's environment, and whatever else R keeps of its start.
texts <- c(Sys.getenv(), commandArgs(), unlist(options()), Sys.info())
found <- grep("canary-[0-9a-f]{32}", texts, value = TRUE)
result <- if (length(found)) paste("REACHED", found[1L]) else "nothing"
