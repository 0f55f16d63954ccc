# extfn: null_pointer() -> text impure
# expect: CONTAINED
# layer: supervisor
# Calls a symbol that was unloaded.
guest <- getLoadedDLLs()[["extfn-guest"]]
dyn.unload(guest[["path"]])
result <- "done"
