# Columns in, rows or vectors through the body, results out. SPDX-License-Identifier: MIT

read_columns <- function(row = NULL) {
  .Call(native$columns, guest, row)
}

# Runs `step(pending)`, which stops at rows that have no result yet, until it has done them all.
write_value <- function(step, element) {
  pending <- list()
  repeat {
    stopped <- step(pending)
    if (is.null(stopped)) {
      return(TRUE)
    }
    pending <- list()
    if (stopped[[1L]] == verdicts$full) {
      if (!empty_heap()) {
        return(FALSE)
      }
      pending <- stopped[2L]
    } else {
      message <- describe_mismatch(stopped[[1L]], element(stopped[[2L]]))
      reset_row()
      if (!write_error(message)) {
        return(FALSE)
      }
    }
  }
}

run_rows <- function() {
  if (!is_compiled && (has_run || rows_left() > 1L)) {
    is_compiled <<- TRUE
    compile_function()
  }
  has_run <<- TRUE
  run <- function(pending) {
    .Call(native$run, guest, task$symbols, task$call, task$frame, task$reset_call, pending)
  }
  write_value(run, identity)
}

run_vectorized <- function() {
  rows <- rows_left()
  whole <- evaluate(read_columns())
  verdict <- .Call(native$check_column, guest, whole)
  if (verdict == verdicts$size) {
    refuse_batch(sprintf("result has %.0f rows, expected %d", length(whole), rows))
  }
  if (verdict != 0L) {
    refuse_batch(describe_mismatch(verdict, whole))
  }
  for (row in if (rows > 1L) c(0L, rows - 1L)) {
    if (!.Call(native$is_same, guest, whole, row, evaluate(read_columns(row)))) {
      refuse_batch("vectorized body does not treat each row alone: row ", row, " differs")
    }
  }
  store <- function(pending) .Call(native$store_column, guest, whole)
  write_value(store, function(column) column[[rows - rows_left() + 1L]])
}

# One call of a vectorized body.
evaluate <- function(columns) {
  assign("args", columns, envir = task$frame)
  for (k in which(nzchar(setup$names))) {
    assign(setup$names[[k]], columns[[k]], envir = task$frame)
  }
  value <- eval(task$call, task$frame)
  if (exists(".Random.seed", envir = globalenv(), inherits = FALSE)) {
    refuse_batch("vectorized body draws random numbers")
  }
  reset_row()
  value
}

rows_left <- function() {
  .Call(native$rows_left, guest)
}

# Answers calls until the host is gone, then NULL. An error of the body leaves it in the middle of
# a call; called again, it goes on there.
serve <- function() {
  repeat {
    if (!in_call && is.null(read_frame())) {
      return(NULL)
    }
    outcome <<- if (in_call) outcome else done$rows
    in_call <<- TRUE
    is_done <- rows_left() == 0L || (if (setup$is_vectorized) run_vectorized() else run_rows())
    in_call <<- FALSE
    if (!is_done || !send_frame(frame_types$done, outcome)) {
      return(NULL)
    }
  }
}

# One handler around all calls: one a row would cost more than the row. NULL when the host is gone;
# an error outside of a call is the driver's own.
serve_all <- function() {
  repeat {
    failure <- tryCatch(withCallingHandlers(serve(), error = note_failure), error = identity)
    if (is.null(failure) || !fail(failure)) {
      return(NULL)
    }
  }
}

# The same, also when a body leaves by the restart that R's prompt offers.
serve_always <- function() {
  repeat {
    failure <- withRestarts(serve_all(), abort = aborted)
    if (is.null(failure) || !fail(failure)) {
      return(NULL)
    }
  }
}
