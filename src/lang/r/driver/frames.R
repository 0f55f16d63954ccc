# Serves one function to the host: the protocol of src/wire/wire.h, by way of the guest library.
# SPDX-License-Identifier: MIT

type_names <- c("Number", "Boolean", "Text", "DateTime", "Enum")
frame_types <- list(setup = 1L, ready = 16L, failed = 17L, done = 18L, full = 19L)
failures <- list(body = 1L, language = 2L, seal = 3L)
done <- list(rows = 0L, refused = 1L)
verdicts <- list(kind = 1L, size = 2L, na = 3L, range = 4L, unicode = 5L, large = 6L, full = 7L,
                 draws = 8L, differs = 9L)

compiled_nodes_limit <- 10000L # R's compiler takes a second for these, then time by the square

native <- list() # entry points of the guest library, by name
guest <- NULL # its handle
guest_path <- ""
setup <- NULL # what the host said of the function
sealed <- 0L # what the seal gave back: of READY's detail, or a negative errno
world <- NULL # what every row starts with
task <- NULL # the compiled body and what runs it
in_call <- FALSE
has_run <- FALSE # a row
is_compiled <- FALSE
outcome <- done$rows # of the call under way
failure_line <- NA_integer_

# ---- Frames ----

read_frame <- function() {
  .Call(native$read_frame, guest)
}

send_frame <- function(type, detail = 0L) {
  .Call(native$send_frame, guest, type, detail)
}

read_setup <- function() {
  fields <- .Call(native$setup, guest)
  list(
    is_vectorized = bitwAnd(fields[[1L]], 1L) != 0L,
    is_sealed = bitwAnd(fields[[1L]], 2L) != 0L,
    has_own_tmp = bitwAnd(fields[[1L]], 4L) != 0L,
    return_type = type_names[[fields[[2L]]]],
    names = fields[[3L]],
    body = fields[[4L]]
  )
}

# Has the host read the heap, so that the row under way finds room. FALSE: the host is gone.
empty_heap <- function() {
  send_frame(frame_types$full)
  !is.null(read_frame())
}
