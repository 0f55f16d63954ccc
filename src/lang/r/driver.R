# Serves one function to the host: the protocol of src/wire/wire.h, by way of the guest library.
# SPDX-License-Identifier: MIT

type_names <- c("Number", "Boolean", "Text", "DateTime", "Enum")
frame_types <- list(setup = 1L, ready = 16L, failed = 17L, done = 18L, full = 19L)
failures <- list(body = 1L, language = 2L, seal = 3L)
verdicts <- list(kind = 1L, size = 2L, na = 3L, range = 4L, unicode = 5L, large = 6L, full = 7L)

native <- list() # entry points of the guest library, by name
guest <- NULL # its handle
guest_path <- ""
setup <- NULL # what the host said of the function
world <- NULL # what every row starts with
task <- NULL # the compiled body and what runs it
in_call <- FALSE
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

# ---- The body ----

# A condition whose message is told as it stands, without class and line.
refuse <- function(...) {
  stop(structure(class = c("extfn_refusal", "error", "condition"),
                 list(message = paste0(...), call = NULL)))
}

read_text <- function(bytes) {
  if (any(bytes == as.raw(0L))) {
    refuse("SyntaxError: body holds U+0000, which R does not allow")
  }
  text <- rawToChar(bytes)
  if (!validUTF8(text)) {
    refuse("SyntaxError: body is not valid UTF-8")
  }
  Encoding(text) <- "UTF-8"
  if (startsWith(text, "\ufeff")) {
    text <- substring(text, 2L)
  }
  text <- gsub("\r\n", "\n", text, fixed = TRUE)
  strsplit(gsub("\r", "\n", text, fixed = TRUE), "\n", fixed = TRUE)[[1L]]
}

parse_message <- function(lines) {
  tryCatch({
    parse(text = lines, keep.source = FALSE)
    ""
  }, error = conditionMessage)
}

# R names the place of most syntax errors; of the others (bad escapes) it is the line that the
# message first appears with.
describe_syntax <- function(lines) {
  message <- strsplit(parse_message(lines), "\n", fixed = TRUE)[[1L]][[1L]]
  placed <- regmatches(message, regexec("^<text>:([0-9]+):[0-9]+: (.*)$", message))[[1L]]
  if (length(placed) == 3L) {
    line <- min(as.integer(placed[[2L]]), length(lines))
    return(sprintf("SyntaxError: %s (line %d)", placed[[3L]], line))
  }
  low <- 1L
  high <- length(lines)
  while (low < high) {
    middle <- (low + high) %/% 2L
    if (startsWith(parse_message(lines[seq_len(middle)]), message)) {
      high <- middle
    } else {
      low <- middle + 1L
    }
  }
  sprintf("SyntaxError: %s (line %d)", sub(" on line [0-9]+$", "", message), low)
}

# The character of a line that stands at a column of the parser's, to whom a tab reaches to the next
# multiple of 8.
character_at <- function(line, column) {
  at <- 0L
  characters <- strsplit(line, "", fixed = TRUE)[[1L]]
  for (i in seq_along(characters)) {
    at <- if (characters[[i]] == "\t") (at %/% 8L + 1L) * 8L else at + 1L
    if (at >= column) {
      return(i)
    }
  }
  length(characters)
}

# The nodes of the parser's table that are a branch, or a function's body, on a line after its head.
find_branches <- function(nodes) {
  tokens <- attr(nodes, "tokens")
  heads <- which(tokens %in% c("')'", "ELSE", "forcond", "REPEAT"))
  sorted <- order(nodes[1L, ], nodes[2L, ])
  sorted <- sorted[tokens[sorted] != "COMMENT"]
  families <- split(sorted, nodes[8L, sorted])
  branches <- vapply(heads, function(head) {
    family <- families[[as.character(nodes[8L, head])]]
    family[match(head, family) + 1L]
  }, 1L)
  branches <- branches[!is.na(branches) & nodes[1L, branches] > nodes[3L, heads]]
  opens <- nodes[8L, tokens == "'{'"]
  branches[!nodes[7L, branches] %in% opens]
}

# R knows the line of what stands in braces, so such branches get some, which changes nothing else.
brace_branches <- function(lines, nodes) {
  branches <- find_branches(nodes)
  ends <- rbind(cbind(nodes[1L, branches], nodes[2L, branches], rep(0L, length(branches))),
                cbind(nodes[3L, branches], nodes[4L, branches], rep(1L, length(branches))))
  ends <- ends[order(-ends[, 1L], -ends[, 2L], -ends[, 3L]), , drop = FALSE]
  for (k in seq_len(nrow(ends))) {
    line <- lines[[ends[k, 1L]]]
    before <- character_at(line, ends[k, 2L]) - 1L + ends[k, 3L]
    lines[[ends[k, 1L]]] <- paste0(substr(line, 1L, before), if (ends[k, 3L]) "}" else "{",
                                   substring(line, before + 1L))
  }
  lines
}

parse_body <- function(lines) {
  source <- srcfilecopy("<text>", lines)
  parsed <- tryCatch(parse(text = lines, keep.source = TRUE, srcfile = source),
                     error = function(condition) refuse(describe_syntax(lines)))
  braced <- if (length(parsed) > 0L) brace_branches(lines, source$parseData) else lines
  if (identical(braced, lines)) parsed else parse_body(braced)
}

block <- function(statements, places, source) {
  structure(as.call(c(list(quote(`{`)), statements)),
            srcref = c(places[1L], places), srcfile = source)
}

# A bare return() ends the body; its result is then the assigned one, as at the body's end.
end_bare_returns <- function(expr, end) {
  if (identical(expr, quote(return()))) {
    return(call("return", end))
  }
  if (identical(expr[[1L]], quote(`function`))) {
    return(expr)
  }
  for (i in seq_along(expr)) {
    if (is.call(expr[[i]])) {
      expr[[i]] <- end_bare_returns(expr[[i]], end)
    }
  }
  expr
}

# The body as a function. What stands at its end, and nothing else, has line 0.
make_function <- function(parsed, source, names) {
  place <- structure(integer(8L), srcfile = source, class = "srcref")
  end <- block(list(quote(result)), list(place), source)
  statements <- as.list(parsed)
  if ("return" %in% all.names(parsed)) {
    statements <- lapply(statements, function(statement) {
      if (is.call(statement)) end_bare_returns(statement, end) else statement
    })
  }
  code <- block(c(statements, list(end)), c(attr(parsed, "srcref"), list(place)), source)
  formals <- c("args", names[nzchar(names)])
  arguments <- rep(as.list(formals(function(x) NULL)), length(formals))
  names(arguments) <- formals
  interpreted <- as.function(c(arguments, list(code)), envir = globalenv())
  tryCatch(compiler::cmpfun(interpreted, options = list(suppressAll = TRUE)),
           error = function(condition) interpreted)
}

compile_body <- function() {
  parsed <- parse_body(read_text(setup$body))
  source <- attr(parsed, "srcfile")
  names <- setup$names
  frame <- new.env(hash = FALSE, parent = globalenv())
  assign("body", make_function(parsed, source, names), envir = frame)
  symbols <- lapply(names, function(name) if (nzchar(name)) as.name(name))
  reset <- switch(reach(source$parseData),
                  nothing = NULL,
                  draws = seed_generator,
                  world = reset_world)
  if (setup$is_vectorized && identical(reset, seed_generator)) {
    reset <- reset_world
  }
  list(
    source = source,
    frame = frame,
    symbols = symbols,
    call = as.call(c(quote(body), quote(args), Filter(Negate(is.null), symbols))),
    reset = reset,
    reset_call = if (!is.null(reset)) as.call(list(reset))
  )
}

# ---- What a body may reach ----

# Functions that change nothing outside of the row: a body that names no other function, called
# or as a value or in a string, pays for no reset between rows.
quiet <- strsplit(split = "[ \n]+", "
  abs acos acosh all anyNA any aperm append apply Arg args array arrayInd as.character as.complex
  as.Date as.difftime as.double as.factor as.function as.hexmode as.integer as.list as.logical
  as.matrix as.name as.numeric as.octmode as.POSIXct as.POSIXlt as.raw as.symbol as.vector asin
  asinh atan atan2 atanh attr attributes basename besselI besselJ besselK besselY beta bitwAnd
  bitwNot bitwOr bitwShiftL bitwShiftR bitwXor body bquote break by bxp c casefold cat cbind
  ceiling character charmatch chartr chol chol2inv choose class colMeans colnames colSums complex
  computeRestarts conditionCall conditionMessage Conj cos cosh cospi crossprod cummax cummin
  cumprod cumsum cut data.frame data.matrix Date dQuote deparse det diag diff difftime digamma dim
  dimnames dirname do.call double droplevels duplicated else emptyenv endsWith environment
  errorCondition eval evalq exists exp expand.grid expm1 expression factor factorial FALSE Filter
  Find findInterval floor for force forceAndCall formals format format.Date formatC function gamma
  get get0 getElement grepl grep gsub iconv identical identity if ifelse Im in Inf inherits
  integer interaction intersect intToBits intToUtf8 inverse.rle invisible invokeRestart
  is.array is.character is.complex is.data.frame is.element is.environment is.factor is.finite
  is.function is.infinite is.integer is.list is.logical is.matrix is.na is.name is.nan is.null
  is.numeric is.object is.primitive is.symbol is.vector isFALSE ISOdate ISOdatetime isTRUE
  jitter julian kronecker lapply lbeta lchoose length letters LETTERS levels lfactorial lgamma
  list local log log10 log1p log2 logical lower.tri ls make.names make.unique Map mapply mat.or.vec
  match match.arg match.call match.fun max max.col mean merge message mget min missing Mod mode
  month.abb month.name months NA names nargs NaN nchar ncol NCOL Negate new.env next ngettext
  nlevels noquote norm nrow NROW NULL numeric oldClass on.exit order outer paste paste0 pi pmatch
  pmax pmin polyroot Position pretty prettyNum print prod prop.table proportions qr quarters quit
  quote range rank rapply raw rawToBits rawToChar Re Recall Reduce regexec regexpr gregexpr
  gregexec regmatches rep rep_len repeat replace return rev rle rm row row.names rowMeans rownames
  rowsum rowSums round sapply scale seq seq_along seq_len sequence setdiff setequal shQuote sign
  signalCondition signif simpleCondition simpleError simpleMessage simpleWarning simplify2array sin
  sinh sinpi slice.index solve sort split sprintf sqrt sQuote startsWith stop stopifnot storage.mode
  strftime strptime strsplit strtoi strtrim structure strwrap sub subset substr substring sum
  suppressMessages suppressWarnings svd sweep switch Sys.Date Sys.getenv Sys.sleep Sys.time
  t table tabulate tan tanh tanpi tcrossprod tolower toString toupper transform trigamma trimws
  TRUE trunc try tryCatch typeof union unique units unlist unname unsplit upper.tri UseMethod
  utf8ToInt validEnc validUTF8 vapply vector Vectorize warning warningCondition weekdays which
  which.max which.min while with withCallingHandlers within withRestarts xor zapsmall nlevels
  T F c nchar crossprod backsolve forwardsolve is.unsorted lengths rawToChar charToRaw mahalanobis
  trimws bitwAnd enc2utf8 enc2native Encoding isSymmetric rev.default sort.int sort.list order
  aggregate approx approxfun ar ave coef complete.cases convolve cor cov cumall dbeta dbinom
  dcauchy dchisq density dexp df dgamma dgeom dhyper dist dlnorm dlogis dmultinom dnbinom dnorm
  dpois dt dunif dweibull ecdf fft filter fitted fivenum integrate IQR lm lowess mad median
  model.matrix na.omit nls optim optimise optimize pbeta pbinom pcauchy pchisq pexp pf pgamma
  pgeom phyper plnorm plogis pnbinom pnorm poly ppoints ppois predict pt ptukey punif pweibull
  qbeta qbinom qcauchy qchisq qexp qf qgamma qgeom qhyper qlnorm qlogis qnbinom qnorm qpois qt
  qtukey quantile qunif qweibull residuals resid rstandard runmed sd setNames sigma smooth spline
  splinefun stl tapply terms toeplitz uniroot var weighted.mean weights head tail str
  colnames dimnames modifyList combn stack unstack object.size
  %% %/% %in% %*% %o% %x% { ( [ [[ $ @ + - * / ^ == != < > <= >= ! & && | || : ~ <- =
")[[1L]]

draws <- c("sample", "sample.int", "set.seed", "runif", "rnorm", "rbinom", "rpois", "rexp",
           "rgamma", "rbeta", "rgeom", "rhyper", "rlogis", "rlnorm", "rmultinom", "rnbinom", "rt",
           "rcauchy", "rchisq", "rf", "rweibull", "rsignrank", "rwilcox", "jitter")

# Arguments that make a quiet function reach out (cat to a file, eval elsewhere).
reaching_arguments <- c("file", "con", "envir", "env", "pos", "where")

is_function <- function(name) {
  nzchar(name) && exists(name, envir = globalenv(), mode = "function")
}

# "nothing", "draws" (random numbers) or "world", by the parser's own tokens.
reach <- function(tokens) {
  kind <- attr(tokens, "tokens")
  text <- attr(tokens, "text")
  if ("NS_GET_INT" %in% kind || any(text %in% c("<<-", "->>")) ||
        any(text[kind == "SYMBOL_SUB"] %in% reaching_arguments)) {
    return("world")
  }
  words <- text[kind %in% c("SYMBOL", "SYMBOL_FUNCTION_CALL", "SPECIAL", "STR_CONST")]
  words <- unique(gsub("^[`'\"]|[`'\"]$", "", words))
  others <- words[!words %in% quiet]
  others <- others[vapply(others, is_function, NA)]
  packages <- setdiff(text[kind == "SYMBOL_PACKAGE"], c("base", "stats", "utils", "methods"))
  if (length(packages) > 0L || !all(others %in% draws)) {
    "world"
  } else if (length(others) > 0L) {
    "draws"
  } else {
    "nothing"
  }
}

# ---- The world between rows ----

# Sys.getenv() itself is twenty times slower.
read_environment <- function() {
  .Internal(Sys.getenv(character(), ""))
}

# Whether /tmp is this worker's alone, so that all in it may be deleted. Sealed is not enough: the
# unsandboxed fallback seals too. In a sandbox the files of extfn lie in /b, and /tmp begins empty.
has_own_files <- function(directory) {
  setup$is_sealed && identical(directory, "/tmp") && startsWith(guest_path, "/b/") &&
    all(list_files("/tmp") == tempdir())
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

remove_files <- function() {
  left <- setdiff(list_files("/tmp"), world$temporary)
  unlink(c(left, list_files(world$temporary)), recursive = TRUE, force = TRUE)
  if (!dir.exists(world$temporary)) {
    dir.create(world$temporary)
  }
}

reset_world <- function() {
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
  setwd(world$directory)
  if (world$has_own_files) {
    remove_files()
  }
  clear(globalenv())
  clear(task$frame, c("body", "args", setup$names))
  if (!setup$is_vectorized) {
    seed_generator()
  }
}

# ---- Results ----

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

is_memory_failure <- function(message) {
  pattern <- "^cannot allocate (vector|memory|buffer)|^memory exhausted|^vector memory exhausted"
  grepl(pattern, message, useBytes = TRUE)
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
  write_error(describe_failure(condition, message), is_memory_failure(message),
              setup$is_vectorized)
}

reset_row <- function() {
  if (!is.null(task$reset)) {
    task$reset()
  }
}

# ---- Calls ----

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
    refuse(sprintf("result has %.0f rows, expected %d", length(whole), rows))
  }
  if (verdict != 0L) {
    refuse(describe_mismatch(verdict, whole))
  }
  for (row in if (rows > 1L) c(0L, rows - 1L)) {
    if (!.Call(native$is_same, guest, whole, row, evaluate(read_columns(row)))) {
      refuse("vectorized body does not treat each row alone: row ", row, " differs")
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
    refuse("vectorized body draws random numbers")
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
    in_call <<- TRUE
    is_done <- rows_left() == 0L || (if (setup$is_vectorized) run_vectorized() else run_rows())
    in_call <<- FALSE
    if (!is_done || !send_frame(frame_types$done)) {
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

# ---- Start ----

load_guest <- function(path) {
  guest_path <<- path
  library <- dyn.load(path)
  names <- c("open", "seal", "read_frame", "send_frame", "setup", "rows_left", "columns", "run",
             "check_column", "is_same", "store_column", "store_error")
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
  loadNamespace("compiler")
  world <<- remember_world()
  if (setup$is_sealed && !.Call(native$seal)) {
    return(list(failures$seal, "the process could not be sealed"))
  }
  tryCatch({
    task <<- compile_body()
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
  send_frame(frame_types$ready, if (setup$is_sealed) 1L else 0L)
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
  quit("no")
}, envir = new.env(parent = baseenv()))
quit("no", status = 70L) # reached only when the driver itself was thrown out
