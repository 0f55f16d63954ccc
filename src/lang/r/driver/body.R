# From the text of a body to a function. SPDX-License-Identifier: MIT

# A condition whose message is told as it stands, without class and line.
refuse <- function(...) {
  stop(structure(class = c("extfn_refusal", "error", "condition"),
                 list(message = paste0(...), call = NULL)))
}

# A vectorized body does not do what the word says: the whole batch is refused.
refuse_batch <- function(...) {
  outcome <<- done$refused
  refuse(...)
}

read_text <- function(bytes) {
  nul <- match(as.raw(0L), bytes)
  if (!is.na(nul)) {
    line <- sum(bytes[seq_len(nul)] == as.raw(10L)) + 1L
    refuse("SyntaxError: body holds U+0000, which R does not allow (line ", line, ")")
  }
  text <- rawToChar(bytes)
  if (!validUTF8(text)) {
    lines <- strsplit(text, "\n", fixed = TRUE, useBytes = TRUE)[[1L]]
    refuse("SyntaxError: body is not valid UTF-8 (line ", match(FALSE, validUTF8(lines)), ")")
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
  message <- sub("( on line [0-9]+| \\(line [0-9]+\\))$", "", message)
  sprintf("SyntaxError: %s (line %d)", message, low)
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
  sorted <- order(nodes[8L, ], nodes[1L, ], nodes[2L, ])
  sorted <- sorted[tokens[sorted] != "COMMENT"]
  branches <- sorted[match(heads, sorted) + 1L]
  is_later <- nodes[8L, branches] == nodes[8L, heads] & nodes[1L, branches] > nodes[3L, heads]
  branches <- branches[which(is_later)]
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

# A line that begins with #line would give R other line numbers and another file for what follows,
# unless it is inside a string.
disarm_lines <- function(lines) {
  at <- which(startsWith(lines, "#line"))
  if (length(at) == 0L) {
    return(lines)
  }
  disarmed <- replace(lines, at, paste0("#", lines[at]))
  source <- srcfilecopy("<text>", disarmed)
  tryCatch({
    parse(text = disarmed, keep.source = TRUE, srcfile = source)
    nodes <- source$parseData
    comments <- nodes[1L, attr(nodes, "tokens") == "COMMENT" & nodes[2L, ] == 1L]
    replace(lines, intersect(at, comments), disarmed[intersect(at, comments)])
  }, error = function(condition) disarmed)
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
  as.function(c(arguments, list(code)), envir = globalenv())
}

# Compiling takes as long as ten thousand rows of a simple body: one without loops and functions of
# its own is compiled at its second row.
compile_function <- function() {
  if (length(task$source$parseData) / 8L > compiled_nodes_limit) {
    return(NULL)
  }
  interpreted <- task$frame$.body
  task$frame$.body <- tryCatch(
    compiler::cmpfun(interpreted, options = list(suppressAll = TRUE)),
    error = function(condition) interpreted
  )
}

is_worth_compiling <- function(tokens) {
  any(c("FOR", "WHILE", "REPEAT", "FUNCTION", "'\\\\'") %in% attr(tokens, "tokens"))
}

compile_body <- function() {
  parsed <- parse_body(disarm_lines(read_text(setup$body)))
  source <- attr(parsed, "srcfile")
  names <- setup$names
  frame <- new.env(hash = FALSE, parent = globalenv())
  # No argument has a name that begins with a dot.
  assign(".body", make_function(parsed, source, names), envir = frame)
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
    reset = reset,
    leftovers = if (identical(reset, reset_world)) find_leftovers(words_of(source$parseData)),
    native = list(
      symbols,
      as.call(c(quote(.body), quote(args), Filter(Negate(is.null), symbols))),
      frame,
      if (!is.null(reset)) as.call(list(reset))
    )
  )
}
