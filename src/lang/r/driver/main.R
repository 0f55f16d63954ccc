# Setup, then calls until the host closes the pipe. SPDX-License-Identifier: MIT

load_guest <- function(path) {
  guest_path <<- path
  library <- dyn.load(path)
  names <- c("open", "seal", "read_frame", "send_frame", "setup", "rows_left", "run_rows",
             "run_columns", "store_column", "store_error")
  native <<- lapply(structure(names, names = names), function(name) {
    getNativeSymbolInfo(paste0("xf_guest_r_", name), library)$address
  })
  guest <<- .Call(native$open)
}

# NULL, or list(failure, message). After the seal nothing can be executed: all that R starts
# programs for has happened by then.
prepare <- function() {
  if (getRversion() < "4.0") {
    return(list(failures$language, paste("R 4.0 or newer is needed, this is", getRversion())))
  }
  Sys.unsetenv(c("R_DEFAULT_PACKAGES", "R_ENABLE_JIT"))
  options(defaultPackages = standard_packages)
  if (needs_packages(setup$body)) {
    attach_packages()
  }
  world <<- remember_world()
  sealed <<- if (setup$is_sealed) .Call(native$seal) else 0L
  if (sealed < 0L) {
    return(list(failures$seal, "the process could not be sealed"))
  }
  tryCatch({
    task <<- compile_body()
    if (setup$is_vectorized || is_worth_compiling(task$source$parseData)) {
      is_compiled <<- TRUE
      compile_function()
    }
    NULL
  }, error = function(condition) list(failures$body, describe_failure(condition)))
}

main <- function(path) {
  load_guest(path)
  if (!identical(read_frame(), frame_types$setup)) {
    return(NULL)
  }
  setup <<- read_setup()
  failed <- prepare()
  if (!is.null(failed)) {
    write_error(failed[[2L]])
    return(send_frame(frame_types$failed, failed[[1L]]))
  }
  reset_row()
  send_frame(frame_types$ready, sealed)
  serve_always()
}

# Moves all of the above into an environment of its own that sees base alone: whatever a body puts
# into globalenv or on the search path, the driver does not meet it. (Not one local() around all:
# that takes R's parser ten times longer.)
local({
  driver <- list2env(as.list(globalenv()), parent = baseenv())
  for (name in ls(driver)) {
    if (is.function(driver[[name]])) {
      environment(driver[[name]]) <- driver
    }
  }
  rm(list = ls(globalenv()), envir = globalenv())
  driver$main(commandArgs(TRUE)[[1L]])
  # R itself would start `rm`, which the seal forbids.
  unlink(tempdir(), recursive = TRUE, force = TRUE)
  quit("no")
}, envir = new.env(parent = baseenv()))
quit("no", status = 70L) # reached only when the driver itself was thrown out
