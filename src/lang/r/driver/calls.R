# Columns in, rows or vectors through the body, results out. SPDX-License-Identifier: MIT

# Runs `step(pending)`, which stops at rows that have no result yet, until it has done them all.
# FALSE: the host is gone.
write_value <- function(step, element) {
  pending <- list()
  repeat {
    stopped <- step(pending)
    if (is.logical(stopped)) {
      return(stopped)
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

# Once the body is compiled, calls follow each other without coming back here.
run_rows <- function() {
  if (!is_compiled && (has_run || rows_left() > 1L)) {
    is_compiled <<- TRUE
    compile_function()
  }
  has_run <<- TRUE
  run <- function(pending) .Call(native$run_rows, guest, task$native, pending, is_compiled)
  write_value(run, identity)
}

run_vectorized <- function() {
  stopped <- .Call(native$run_columns, guest, task$native, TRUE)
  if (is.logical(stopped)) {
    return(stopped)
  }
  column <- stopped[[2L]]
  refuse_column(stopped[[1L]], column)
  store <- function(pending) .Call(native$store_column, guest, column)
  write_value(store, function(column) column[[length(unclass(column)) - rows_left() + 1L]])
}

# What is wrong with the body itself, not with a row.
refuse_column <- function(verdict, value) {
  if (verdict == verdicts$draws) {
    refuse_batch("vectorized body draws random numbers")
  }
  if (verdict == verdicts$size) {
    refuse_batch(sprintf("result has %.0f rows, expected %d", length(value), rows_left()))
  }
  if (verdict == verdicts$kind) {
    refuse_batch(describe_mismatch(verdict, value))
  }
  if (verdict == verdicts$differs) {
    refuse_batch("vectorized body does not treat each row alone: row ", value, " differs")
  }
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
