/* Options and operands of a command, read from a table. SPDX-License-Identifier: MIT */
#ifndef XF_CLI_OPTIONS_H
#define XF_CLI_OPTIONS_H

#include "cli/buf.h"

#include <extfn/function.h>

#define CLI_OPTION_BIT(name) (UINT32_C(1) << CLI_OPTION_##name)

/* X(NAME, long, letter or 0, argument or NULL, help) */
#define CLI_OPTION_MAP(X)                                                                          \
    X(LANGUAGE, "language", 'l', "LANG", "python, r, julia, pure or wasm")                         \
    X(TYPES, "types", 't', "TYPES", "types of the arguments: number,text (default: guessed)")      \
    X(RETURN, "return", 'r', "TYPE", "type of the result (default: number)")                       \
    X(OUTPUT, "output", 'o', "FILE",                                                               \
      "write to FILE (`-`: stdout), which appears whole or not at all")                            \
    X(COLUMN, "column", 0, "NAME", "name of the result's column (default: the function's)")        \
    X(KEEP_GOING, "keep-going", 0, NULL, "exit with 0 although rows failed")                       \
    X(JSON, "json", 0, NULL, "write JSON")                                                         \
    X(VERBOSE, "verbose", 'v', NULL, "tell how each function is evaluated")                        \
    X(COST, "cost", 0, NULL, "tell what it cost: time, memory, bytes, workers")                    \
    X(RECORD, "record", 0, "DIR", "write a file into DIR for each failing call, at most 100")      \
    X(TIMEOUT, "timeout", 0, "SECONDS", "time limit of one row: 2, 0.5, 500ms (default: 5)")       \
    X(MEMORY, "memory", 0, "SIZE", "memory of a worker: 512M, 2G (default: 1G)")                   \
    X(MEMO, "memo", 0, "SIZE", "keep values of pure functions for the same arguments: 64M")        \
    X(WORKERS, "workers", 0, "N", "most processes at once (default: one a processor)")             \
    X(WORKERS_MEMORY, "workers-memory", 0, "SIZE",                                                 \
      "memory of all together (default: half the machine's)")                                      \
    X(PACKAGES, "packages", 0, "LANG=DIR", "packages that bodies may use; may be repeated")        \
    X(INTERPRETER, "interpreter", 0, "LANG=PATH", "the interpreter of a language")                 \
    X(HELP, "help", 'h', NULL, "show this help")

typedef enum cli_option_id {
#define X(name, text, letter, argument, help) CLI_OPTION_##name,
    CLI_OPTION_MAP(X)
#undef X
} cli_option_id;

#define CLI_HOST_OPTIONS                                                                           \
    (CLI_OPTION_BIT(TIMEOUT) | CLI_OPTION_BIT(MEMORY) | CLI_OPTION_BIT(WORKERS) |                  \
     CLI_OPTION_BIT(PACKAGES) | CLI_OPTION_BIT(INTERPRETER) | CLI_OPTION_BIT(HELP))

/* Of commands that evaluate. */
#define CLI_CALL_OPTIONS (CLI_OPTION_BIT(COST) | CLI_OPTION_BIT(RECORD))

typedef struct cli_option {
    const char *name;
    char letter;
    const char *argument; /* NULL: a flag */
    const char *help;
} cli_option;

/* NULL past the end. */
const cli_option *cli_option_at(size_t position);

typedef struct cli_command cli_command;

/* What the command line says; strings of argv are borrowed. Starts as `= {0}`. */
typedef struct cli_options {
    const cli_command *command;
    const char *language;
    const char *types;
    const char *return_type;
    const char *output;
    const char *column;
    const char *record;
    bool is_keeping_going;
    bool is_json;
    bool is_verbose;
    bool is_cost_told;
    bool is_help;
    int64_t timeout_us;
    uint64_t memory_bytes;
    uint64_t memo_bytes;                    /* 0: not given */
    size_t workers;                         /* the same */
    uint64_t workers_memory_bytes;          /* the same */
    cli_buf packages[EXTFN_LANGUAGE_COUNT]; /* absolute, separated by colons */
    cli_buf interpreters[EXTFN_LANGUAGE_COUNT];
    const char **operands; /* owned array */
    size_t operand_count;
} cli_options;

void cli_options_clear(cli_options *options);

/* Reads what follows the command's name. EXTFN_EINVAL is a usage error; what was read until then
 * stays in the options. A negative number is an operand, and so is all that follows `--`. */
EXTFN_MUST_CHECK extfn_status cli_options_parse(const cli_command *command, int argc,
                                                const char *const *argv, cli_options *options,
                                                extfn_error *err);

/* A whole number from 1 to 1024. */
EXTFN_MUST_CHECK extfn_status cli_workers_parse(const char *text, size_t *ret_count,
                                                extfn_error *err);

/* `2`, `0.5`, `2s`, `500ms`, `7us`: at least a microsecond, at most a year. */
EXTFN_MUST_CHECK extfn_status cli_duration_parse(const char *text, int64_t *ret_us,
                                                 extfn_error *err);

/* `512M`, `1.5G`, plain bytes: at least 16 MiB, with less no interpreter starts. */
EXTFN_MUST_CHECK extfn_status cli_memory_parse(const char *text, uint64_t *ret_bytes,
                                               extfn_error *err);

/* The same, at least 1 MiB. */
EXTFN_MUST_CHECK extfn_status cli_memo_parse(const char *text, uint64_t *ret_bytes,
                                             extfn_error *err);

/* `python=DIR`: the directory is made absolute. */
EXTFN_MUST_CHECK extfn_status cli_language_path_parse(const char *text,
                                                      extfn_language *ret_language,
                                                      cli_buf *ret_path, extfn_error *err);

#endif
