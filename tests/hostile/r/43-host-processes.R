# extfn: host_processes(host: number) -> text impure
# expect: BLOCKED refused
# layer: pid-namespace seal landlock
# Signals to a process of the host, by its number, and to the own parent.
sent <- tools::pskill(c(host, 1, Sys.getpid() - 1), 0L)
result <- if (any(sent)) "REACHED" else "refused"
