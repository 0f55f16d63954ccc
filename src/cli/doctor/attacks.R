# One attack a row, in the order of doctor.h. SPDX-License-Identifier: MIT
told <- function(has_succeeded) if (has_succeeded) "got through" else "refused"

attempt <- function(action) {
  tryCatch({
    action()
    "got through"
  }, error = function(e) paste("refused:", conditionMessage(e)),
  warning = function(w) paste("refused:", conditionMessage(w)))
}

write_elsewhere <- function() {
  file.create("/home/extfn-doctor")
  if (!unlink("/home/extfn-doctor")) NULL
}

fill <- function() {
  piece <- raw(1048576)
  for (path in paste0("/tmp/extfn-doctor-", 1:200)) {
    out <- file(path, "wb")
    suppressWarnings(writeBin(piece, out))
    close(out)
    if (file.size(path) != 1048576) {
      return("refused")
    }
  }
  "got through"
}

start_process <- function() {
  if (inherits(parallel:::mcfork(), "masterProcess")) {
    parallel:::mcexit()
  }
}

run_for_ever <- function() {
  repeat {
  }
}

attacks <- list(
  function() attempt(function() readLines("/etc/passwd", 1L)),
  function() told(file.exists("/proc/1/stat")),
  function() told(any(nzchar(Sys.getenv(c("SHELL", "USER", "LOGNAME", "TERM", "SHLVL"))))),
  function() attempt(write_elsewhere),
  function() attempt(start_process),
  function() told(suppressWarnings(system("exit 0")) == 0L),
  function() told(tools::pskill(1L, 0L)),
  function() attempt(function() close(socketConnection("127.0.0.1", port, timeout = 1))),
  NULL, # R alone has no local sockets
  NULL, # no users
  NULL, # and no shared memory
  function() told(length(raw(memory)) > 0),
  fill,
  run_for_ever
)

attack <- attacks[[step + 1]]
result <- if (is.null(attack)) "absent" else attack()
