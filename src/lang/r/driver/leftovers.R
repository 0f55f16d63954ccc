# What a row may leave with R's packages, and how it is taken back. SPDX-License-Identifier: MIT

is_of_body <- function(value) {
  is.primitive(value) || identical(topenv(environment(value)), globalenv())
}

# ---- S3 methods that were registered ----

method_tables <- function() {
  lapply(loadedNamespaces(), function(name) asNamespace(name)[[".__S3MethodsTable__."]])
}

save_s3_methods <- function(words) {
  tables <- Filter(is.environment, method_tables())
  list(tables = tables, methods = lapply(tables, as.list, all.names = TRUE))
}

# Those that a package brought which the row loaded stay, as the package does.
restore_s3_methods <- function(saved) {
  for (table in Filter(is.environment, method_tables())) {
    at <- Position(function(other) identical(other, table), saved$tables, nomatch = 0L)
    methods <- if (at > 0L) saved$methods[[at]] else list()
    for (name in ls(table, all.names = TRUE, sorted = FALSE)) {
      if (name %in% names(methods)) {
        if (!identical(table[[name]], methods[[name]])) {
          assign(name, methods[[name]], envir = table)
        }
      } else if (is_of_body(table[[name]])) {
        rm(list = name, envir = table)
      }
    }
  }
}

# ---- Functions of packages that were exchanged ----

# Of those that the body names, as trace() and assignInNamespace() need.
save_functions <- function(words) {
  places <- c(lapply(loadedNamespaces(), asNamespace), lapply(search()[-1L], as.environment))
  found <- list()
  for (place in places) {
    for (word in words) {
      value <- get0(word, envir = place, mode = "function", inherits = FALSE)
      if (!is.null(value)) {
        found <- c(found, list(list(name = word, value = value, place = place)))
      }
    }
  }
  found
}

restore_functions <- function(saved) {
  for (one in saved) {
    if (!identical(get0(one$name, envir = one$place, inherits = FALSE), one$value)) {
      unlockBinding(one$name, one$place)
      assign(one$name, one$value, envir = one$place)
      lockBinding(one$name, one$place)
    }
    if (is.function(one$value) && isdebugged(one$value)) {
      undebug(one$value)
    }
  }
}

# ---- All ----

save_hooks <- function(words) {
  as.list(get(".userHooksEnv", envir = baseenv()), all.names = TRUE)
}

restore_hooks <- function(saved) {
  hooks <- get(".userHooksEnv", envir = baseenv())
  clear(hooks)
  list2env(saved, envir = hooks)
}

remove_callbacks <- function(saved) {
  while (length(getTaskCallbackNames()) > 0L) {
    removeTaskCallback(1L)
  }
}

remove_palette <- function(saved) {
  grDevices::palette("default")
}

save_nothing <- function(words) NULL

# By the functions that leave something: a body that names none of them, and evaluates no text,
# pays for nothing of it.
list_leftovers <- function() {
  list(
    list(words = c("registerS3method", "registerS3methods", ".S3method"),
         save = save_s3_methods, restore = restore_s3_methods),
    list(words = c("trace", "debug", "debugonce", "assignInNamespace", "fixInNamespace",
                   "unlockBinding"),
         save = save_functions, restore = restore_functions),
    list(words = "setHook", save = save_hooks, restore = restore_hooks),
    list(words = c("addTaskCallback", "taskCallbackManager"),
         save = save_nothing, restore = remove_callbacks),
    list(words = "palette", save = save_nothing, restore = remove_palette)
  )
}

evaluates_text <- c("eval", "evalq", "parse", "str2lang", "str2expression", "source", "sys.source")

# What undoes them, as functions of nothing.
find_leftovers <- function(words) {
  is_hidden <- any(evaluates_text %in% words)
  named <- Filter(function(kind) is_hidden || any(kind$words %in% words), list_leftovers())
  lapply(named, function(kind) {
    saved <- kind$save(words)
    function() kind$restore(saved)
  })
}

# ---- S4 classes and methods ----

# The package methods knows them too, not by globalenv alone. What R finds to say of it (that a
# class of a signature is gone already) is not the body's output.
remove_definitions <- function() {
  names <- ls(globalenv(), all.names = TRUE, sorted = FALSE)
  tables <- names[startsWith(names, ".__T__")]
  classes <- names[startsWith(names, ".__C__")]
  if (length(tables) + length(classes) > 0L) {
    suppressMessages(suppressWarnings({
      lapply(tables, remove_methods)
      lapply(names, remove_generic)
      lapply(substring(classes, nchar(".__C__") + 1L), methods::removeClass, where = globalenv())
    }))
  }
}

remove_methods <- function(table) {
  name <- sub("^[.]__T__(.*):[^:]*$", "\\1", table)
  for (signature in ls(globalenv()[[table]], all.names = TRUE)) {
    methods::removeMethod(name, strsplit(signature, "#", fixed = TRUE)[[1L]], where = globalenv())
  }
}

remove_generic <- function(name) {
  value <- get0(name, envir = globalenv(), inherits = FALSE)
  if (is.function(value) && inherits(value, "genericFunction")) {
    methods::removeGeneric(name, where = globalenv())
  }
}
