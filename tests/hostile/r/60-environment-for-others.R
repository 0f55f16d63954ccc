# extfn: environment_for_others() -> text impure
# expect: BLOCKED nothing
# layer: environment clean-up
# steps: 2
# Variables that make programs load something, left for whoever comes next.
variables <- c("LD_PRELOAD", "PYTHONPATH", "BASH_ENV", "R_PROFILE", "R_ENVIRON", "JULIA_LOAD_PATH")
found <- variables[nzchar(Sys.getenv(variables))]
do.call(Sys.setenv, as.list(setNames(rep("/tmp/hostile", 6L), variables)))
result <- if (length(found)) paste(c("REACHED", found), collapse = " ") else "nothing"
