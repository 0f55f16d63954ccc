# Results and failures in words. SPDX-License-Identifier: MIT

describe_value <- function(value) {
  is_moment <- inherits(value, "POSIXct")
  is_plain <- is.atomic(value) && !is.null(value) && (is_moment || !is.object(value))
  if (!is_plain) {
    return(class(value)[[1L]])
  }
  type <- if (is_moment) "DateTime" else typeof(value)
  size <- length(unclass(value))
  if (size != 1L) sprintf("%s of length %.0f", type, size) else describe_element(value, is_moment)
}

describe_element <- function(value, is_moment) {
  if (is.na(value) && !is.nan(value)) {
    return("NA")
  }
  if (is_moment) "DateTime" else describe_atom(value)
}

describe_atom <- function(value) {
  switch(typeof(value),
         logical = paste("Boolean", value),
         character = paste0("Text '", substr(value, 1L, 60L), "'"),
         double = ,
         integer = paste("Number", format(value, digits = 15L)),
         typeof(value))
}

describe_range <- function(value) {
  if (setup$return_type == "DateTime") {
    "result out of range: DateTime is in the years 0001 to 9999"
  } else if (is.finite(value) && value == trunc(value)) {
    paste("result out of range: Enum is 0 to 4294967295, got", describe_value(value))
  } else {
    describe_kind(value)
  }
}

describe_kind <- function(value) {
  if (is.character(value) && !all(validEnc(value))) {
    return("result is not valid Unicode text")
  }
  sprintf("return type mismatch: expected %s, got %s", setup$return_type, describe_value(value))
}

describe_mismatch <- function(verdict, value) {
  if (verdict == verdicts$unicode) {
    "result is not valid Unicode text"
  } else if (verdict == verdicts$large) {
    size <- ceiling(nchar(value, "bytes") / 2^20)
    sprintf("result too large: %.0f MiB, the limit is 16 MiB", size)
  } else if (verdict == verdicts$range) {
    describe_range(value)
  } else {
    describe_kind(value)
  }
}

# Where an error happened: the innermost line of the author's text. Called while the stack still
# stands. 0 at the body's end; NA where none of the text is on the stack.
note_failure <- function(condition) {
  failure_line <<- NA_integer_
  calls <- sys.calls()
  for (i in rev(seq_along(calls))) {
    place <- attr(calls[[i]], "srcref")
    if (!is.null(place) && identical(attr(place, "srcfile"), task$source)) {
      failure_line <<- as.vector(place)[[1L]]
      break
    }
  }
}

message_of <- function(condition) {
  if (identical(class(condition), c("simpleError", "error", "condition"))) {
    return(.subset2(condition, "message"))
  }
  message <- tryCatch(conditionMessage(condition), error = function(other) NULL)
  if (is.character(message) && length(message) == 1L && !is.na(message)) message else ""
}

describe_failure <- function(condition, message = message_of(condition)) {
  if (inherits(condition, "extfn_refusal")) {
    return(message)
  }
  if (identical(failure_line, 0L) && identical(message, "object 'result' not found")) {
    return("function body did not set `result`")
  }
  paste0(class(condition)[[1L]],
         if (nzchar(message)) paste0(": ", message),
         if (!is.na(failure_line)) paste0(" (line ", failure_line, ")"))
}

memory_failures <- c("cannot allocate vector", "cannot allocate memory", "cannot allocate buffer",
                     "could not allocate memory", "memory exhausted", "vector memory exhausted")

# Looks without allocating. What the body held is garbage now, but not yet collected: until it is,
# there may be no memory to say so in.
is_memory_failure <- function(message) {
  if (Encoding(message) == "bytes" || !any(startsWith(message, memory_failures))) {
    return(FALSE)
  }
  gc(FALSE)
  TRUE
}

# A condition that stop() was given and that is no error, or the restart that R's prompt offers.
aborted <- function() {
  failure_line <<- NA_integer_
  message <- sub("^Error( in [^\n]*?)? ?: ?", "", geterrmessage(), perl = TRUE)
  structure(class = c("error", "condition"), list(message = trimws(message), call = NULL))
}

# FALSE: the host is gone. So in all that follow.
write_error <- function(message, is_memory = FALSE, is_for_all = FALSE) {
  repeat {
    if (.Call(native$store_error, guest, message, is_memory, is_for_all)) {
      return(TRUE)
    }
    if (!empty_heap()) {
      return(FALSE)
    }
  }
}

# Ends the row that an error left open; a vectorized call has no rows but all.
fail <- function(condition) {
  if (!in_call) {
    stop(condition)
  }
  reset_row()
  message <- message_of(condition)
  is_memory <- is_memory_failure(message)
  write_error(describe_failure(condition, message), is_memory, setup$is_vectorized)
}

reset_row <- function() {
  if (!is.null(task$reset)) {
    task$reset()
  }
}
