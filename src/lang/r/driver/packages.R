# Whether a body needs more than base. SPDX-License-Identifier: MIT

# Attaching R's other standard packages takes four times as long as all the rest of a start, so a
# body does without when its words are functions of base that the list `quiet` knows, and names of
# its own. In doubt they are attached: what cannot be told by words (names in backquotes or from
# other packages, raw strings, letters beyond ASCII, functions named by strings) is doubt. This
# looks at the text alone: nothing of a body is parsed before the seal, and after it some packages
# do not load.

standard_packages <- c("datasets", "utils", "grDevices", "graphics", "stats", "methods")

reserved_words <- c("if", "else", "repeat", "while", "function", "for", "in", "next", "break",
                    "TRUE", "FALSE", "NULL", "Inf", "NaN", "NA", "NA_integer_", "NA_real_",
                    "NA_character_")

# Of base, but with the help of stats or utils: at ties, for printing, for a large trim.
helped <- c("jitter", "rank", "rle", "inverse.rle", "trim")

scanned_size <- 20000L # bytes; longer bodies are not worth it

takes_functions <- c("do.call", "match.fun", "get", "get0", "mget", "exists", "getElement",
                     "sapply", "lapply", "vapply", "mapply", "Map", "Reduce", "Filter", "Find",
                     "Position", "apply", "tapply", "outer", "rapply", "Vectorize", "match.arg",
                     "UseMethod",
                     "kronecker", "sweep", "ave", "aggregate", "eval", "evalq", "eval.parent",
                     "body", "formals", "environment", "within", "with", "transform", "subset",
                     "merge")

find_all <- function(pattern, text) {
  unlist(regmatches(text, gregexpr(pattern, text, perl = TRUE)))
}

# The words within what the pattern matches.
find_words <- function(pattern, text) {
  unique(find_all("[A-Za-z._][A-Za-z0-9._]*", find_all(pattern, text)))
}

needs_packages <- function(body) {
  if (length(body) > scanned_size || any(body > as.raw(0x7eL) | body == as.raw(0L))) {
    return(TRUE)
  }
  text <- rawToChar(body)
  if (grepl("`|::|@|~|[rR][\"']", text)) {
    return(TRUE)
  }
  token <- "\"(?:[^\"\\\\]|\\\\.)*+\"|'(?:[^'\\\\]|\\\\.)*+'|#[^\n]*+"
  code <- gsub(paste0("(?s)", token), " \"\" ", text, perl = TRUE)
  word <- "(?<![A-Za-z0-9._])[A-Za-z._][A-Za-z0-9._]*"
  known <- setdiff(c(reserved_words, quiet[quiet %in% ls(baseenv(), all.names = TRUE)]), helped)
  functions <- find_words(paste0(word, "(?=\\s*(?:<-|=)\\s*function\\s*\\()"), code)
  own <- c("args", "result", setup$names, functions,
           find_words(paste0(word, "(?=\\s*(?:<-|<<-|=(?!=)))"), code),
           find_words("(?<=\\bfor)\\s*\\(\\s*[A-Za-z._][A-Za-z0-9._]*", code),
           find_words("\\bfunction\\s*\\([^()]*\\)", code))
  called <- find_words(paste0(word, "(?=\\s*\\()"), code)
  words <- find_words(word, code)
  !all(called %in% c(known, functions)) || !all(words %in% c(known, own)) ||
    any(c(takes_functions, helped) %in% words)
}

# As R does at its own start.
attach_packages <- function() {
  for (package in c("methods", setdiff(standard_packages, "methods"))) {
    library(package, character.only = TRUE, warn.conflicts = FALSE)
  }
}
