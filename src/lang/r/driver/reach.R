# What a body may reach, by the names in it. SPDX-License-Identifier: MIT

# Functions that change nothing outside of the row: a body that names no other function, called
# or as a value or in a string, pays for no reset between rows. Those that take a function
# (lapply, Map) also take its name, which a body could put together to hide it: then its rows see
# what the last ones left.
quiet <- strsplit(split = "[ \n]+", "
  abs acos acosh all anyNA any aperm append apply Arg args array arrayInd as.character as.complex
  as.Date as.difftime as.double as.factor as.function as.hexmode as.integer as.list as.logical
  as.matrix as.name as.numeric as.octmode as.POSIXct as.POSIXlt as.raw as.symbol as.vector asin
  asinh atan atan2 atanh attr attributes basename besselI besselJ besselK besselY beta bitwAnd
  bitwNot bitwOr bitwShiftL bitwShiftR bitwXor body bquote break by bxp c casefold cat cbind
  ceiling character charmatch chartr chol chol2inv choose class colMeans colnames colSums complex
  computeRestarts conditionCall conditionMessage Conj cos cosh cospi crossprod cummax cummin
  cumprod cumsum cut data.frame data.matrix Date dQuote deparse det diag diff difftime digamma dim
  dimnames dirname double droplevels duplicated else emptyenv endsWith environment
  errorCondition exists exp expand.grid expm1 expression factor factorial FALSE Filter
  Find findInterval floor for force forceAndCall formals format format.Date formatC function gamma
  getElement grepl grep gsub iconv identical identity if ifelse Im in Inf inherits
  integer interaction intersect intToBits intToUtf8 inverse.rle invisible invokeRestart
  is.array is.character is.complex is.data.frame is.element is.environment is.factor is.finite
  is.function is.infinite is.integer is.list is.logical is.matrix is.na is.name is.nan is.null
  is.numeric is.object is.primitive is.symbol is.vector isFALSE ISOdate ISOdatetime isTRUE
  julian kronecker lapply lbeta lchoose length letters LETTERS levels lfactorial lgamma
  list local log log10 log1p log2 logical lower.tri ls make.names make.unique Map mapply mat.or.vec
  match match.arg match.call max max.col mean merge message min missing Mod mode
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

# All names in a text, by the parser's own tokens; a string may be one as well.
words_of <- function(tokens) {
  is_word <- attr(tokens, "tokens") %in% c("SYMBOL", "SYMBOL_FUNCTION_CALL", "SPECIAL", "STR_CONST")
  unique(gsub("^[`'\"]|[`'\"]$", "", attr(tokens, "text")[is_word]))
}

# "nothing", "draws" (random numbers) or "world".
reach <- function(tokens) {
  kind <- attr(tokens, "tokens")
  text <- attr(tokens, "text")
  if ("NS_GET_INT" %in% kind || any(text %in% c("<<-", "->>")) ||
        any(text[kind == "SYMBOL_SUB"] %in% reaching_arguments)) {
    return("world")
  }
  words <- words_of(tokens)
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
