# What rows may change, and how it is given back before the next. SPDX-License-Identifier: MIT

# Sys.getenv() itself is twenty times slower.
read_environment <- function() {
  .Internal(Sys.getenv(character(), ""))
}

# Whether /tmp is this worker's alone, so that all in it may be deleted: the host says so, and it is
# still empty.
has_own_files <- function(directory) {
  setup$has_own_tmp && identical(directory, "/tmp") && all(list_files("/tmp") == tempdir())
}

list_files <- function(directory) {
  list.files(directory, all.files = TRUE, full.names = TRUE, no.. = TRUE)
}

remember_world <- function() {
  if (capabilities("ICU")) {
    icuSetCollate(locale = "ASCII")
  }
  # A value for `error` keeps R alive where it would halt, on a condition that is no error.
  options(warn = 1L, error = quote(NULL))
  set.seed(0L, "Mersenne-Twister", "Inversion", "Rejection")
  seed <- get(".Random.seed", envir = globalenv())
  rm(".Random.seed", envir = globalenv())
  directory <- getwd()
  list(
    has_icu = capabilities("ICU"),
    options = as.pairlist(as.list(.Options)),
    environment = read_environment(),
    search = search(),
    directory = directory,
    locale = Sys.getlocale(),
    umask = Sys.umask(NA),
    seed = seed,
    temporary = tempdir(),
    has_own_files = has_own_files(directory)
  )
}

seed_generator <- function() {
  assign(".Random.seed", world$seed, envir = globalenv())
}

clear <- function(environment, keep = character()) {
  rm(list = setdiff(ls(environment, all.names = TRUE, sorted = FALSE), keep), envir = environment)
}

restore_outputs <- function() {
  while (sink.number() > 0L) {
    sink()
  }
  if (sink.number("message") != 2L) {
    sink(type = "message")
  }
  for (number in setdiff(getAllConnections(), 0:2)) {
    close(getConnection(number))
  }
  if (length(.Devices) > 1L) {
    grDevices::graphics.off()
  }
}

restore_options <- function() {
  saved <- as.list(world$options)
  added <- setdiff(names(.Options), names(saved))
  options(structure(vector("list", length(added)), names = added))
  options(saved)
}

restore_environment <- function() {
  name_of <- function(entries) sub("=.*", "", entries)
  now <- read_environment()
  added <- setdiff(name_of(now), name_of(world$environment))
  Sys.unsetenv(added)
  for (entry in setdiff(world$environment, now)) {
    value <- structure(list(sub("^[^=]*=", "", entry)), names = name_of(entry))
    do.call(Sys.setenv, value)
  }
}

restore_search <- function() {
  for (name in setdiff(search(), world$search)) {
    detach(name, character.only = TRUE)
  }
  for (name in setdiff(world$search, search())) {
    attachNamespace(sub("package:", "", name, fixed = TRUE))
  }
}

# Each part is "CATEGORY=value".
restore_locale <- function() {
  for (part in strsplit(strsplit(world$locale, ";", fixed = TRUE)[[1L]], "=", fixed = TRUE)) {
    if (part[[1L]] %in% c("LC_CTYPE", "LC_COLLATE", "LC_MONETARY", "LC_NUMERIC", "LC_TIME",
                          "LC_MESSAGES", "LC_PAPER", "LC_MEASUREMENT")) {
      Sys.setlocale(part[[1L]], part[[2L]])
    }
  }
}

# Folders that the row closed are opened, one level a turn, as long as that helps.
remove_files <- function() {
  closed <- NULL
  repeat {
    left <- c(setdiff(list_files("/tmp"), world$temporary), list_files(world$temporary))
    unlink(left, recursive = TRUE, force = TRUE)
    left <- c(left, list.files(left, all.files = TRUE, full.names = TRUE, recursive = TRUE,
                               include.dirs = TRUE))
    folders <- left[dir.exists(left)]
    opened <- closed
    closed <- folders[file.access(folders, 7L) != 0L]
    if (length(closed) == 0L || identical(closed, opened)) {
      break
    }
    Sys.chmod(closed, "700", use_umask = FALSE)
  }
  if (!dir.exists(world$temporary)) {
    dir.create(world$temporary)
  }
}

reset_world <- function() {
  gctorture(FALSE) # first: it makes all that follows slow
  restore_outputs()
  if (!identical(.Options, world$options)) {
    restore_options()
  }
  if (!identical(read_environment(), world$environment)) {
    restore_environment()
  }
  if (!identical(search(), world$search)) {
    restore_search()
  }
  if (!identical(Sys.getlocale(), world$locale)) {
    restore_locale()
  }
  if (world$has_icu) {
    icuSetCollate(locale = "ASCII")
  }
  setTimeLimit()
  setSessionTimeLimit()
  Sys.umask(world$umask)
  setwd(world$directory)
  if (world$has_own_files) {
    remove_files()
  }
  remove_definitions()
  for (restore in task$leftovers) {
    restore()
  }
  .Internal(seterrmessage(""))
  clear(globalenv())
  clear(task$frame, c(".body", "args", setup$names))
  if (!setup$is_vectorized) {
    seed_generator()
  }
}
