/* What the program can do, as a table. SPDX-License-Identifier: MIT */
#include "cli/commands.h"

#include <string.h>

#define UNLIMITED SIZE_MAX

static const cli_command table[] = {
    {.name = "eval",
     .operands = "-l LANG BODY [ARG...]",
     .operands_min = 1,
     .operands_max = UNLIMITED,
     .accepted = CLI_HOST_OPTIONS | CLI_CALL_OPTIONS | CLI_OPTION_BIT(JSON) |
                 CLI_OPTION_BIT(LANGUAGE) | CLI_OPTION_BIT(TYPES) | CLI_OPTION_BIT(RETURN),
     .summary = "evaluate a body",
     .details =
         "Evaluates BODY, which finds its arguments in `args` and assigns `result`:\n"
         "    extfn eval -l python 'result = args[0] + args[1]' 2 3\n"
         "    extfn eval -l r 'result <- args[[1]] + args[[2]]' 2 3\n"
         "BODY `-` is read from stdin, `@FILE` from a file; in WebAssembly FILE is a module or text:\n"
         "    extfn eval -l wasm @module.wasm 2 3\n"
         "and BODY itself `wat:TEXT`, `base64:BYTES` or the path of a module.\n"
         "Types are number, boolean, text, datetime and enum; TYPES may name the result's too:\n"
         "'number,text->text'. Without -t, an argument that reads as a number is one, true and\n"
         "false are booleans, all else is text. Arguments that begin with '-' and are no numbers\n"
         "follow `--`.\n"
         "The result is written to stdout, what the body prints to stderr.\n",
     .run = cli_cmd_eval},
    {.name = "call",
     .operands = "LIB NAME [ARG...]",
     .operands_min = 2,
     .operands_max = UNLIMITED,
     .accepted = CLI_HOST_OPTIONS | CLI_CALL_OPTIONS | CLI_OPTION_BIT(JSON),
     .summary = "call one function of a library",
     .details =
         "Calls the function NAME of LIB: a function file, a directory of them, or a JSON file\n"
         "of descriptors. Arguments are read by the declared types; those that begin with '-'\n"
         "and are no numbers follow `--`.\n"
         "The result is written to stdout, what the body prints to stderr.\n",
     .run = cli_cmd_call},
    {.name = "apply",
     .operands = "LIB NAME DATA.csv...",
     .operands_min = 3,
     .operands_max = UNLIMITED,
     .accepted = CLI_HOST_OPTIONS | CLI_CALL_OPTIONS | CLI_OPTION_BIT(OUTPUT) |
                 CLI_OPTION_BIT(COLUMN) | CLI_OPTION_BIT(KEEP_GOING) | CLI_OPTION_BIT(JSON) |
                 CLI_OPTION_BIT(MEMO) | CLI_OPTION_BIT(WORKERS_MEMORY),
     .summary = "one function over a table",
     .details =
         "Applies the function NAME of LIB to every row of DATA.csv (`-`: stdin), a table of any\n"
         "size in UTF-8 with a header. Arguments are the columns of their names; all columns\n"
         "are written, then the result and the column NAME_error: a row that fails has its\n"
         "error there and an empty result. An empty cell is a missing input, unless the\n"
         "argument is text. Lines without anything are left out.\n"
         "Several tables are joined: an argument is the column of its name, all other columns,\n"
         "and those that stand in several tables, are coordinates. Rows meet where the\n"
         "coordinates that they share are the same text; a table that lacks one counts for all\n"
         "of it. Coordinates and result are written, sorted. Such tables have to fit in memory.\n"
         "An impure function gets a fresh process for every block of up to 65536 rows, not for\n"
         "every row. Random generators start every row from the same seed.\n"
         "With --memo rows of a pure function whose arguments repeat within such a block are\n"
         "evaluated once, where that is quicker.\n"
         "With --json, which takes -o FILE, an object on stdout tells of the table: its rows, and\n"
         "how many of them failed. Arrow IPC and Parquet are read and written by extfn's Python\n"
         "package; docs/python.md shows how.\n"
         "Exit status 1 when a row failed.\n",
     .run = cli_cmd_apply},
    {.name = "report",
     .operands = "LIB DATA.csv",
     .operands_min = 2,
     .operands_max = 2,
     .accepted = CLI_HOST_OPTIONS | CLI_CALL_OPTIONS | CLI_OPTION_BIT(OUTPUT) |
                 CLI_OPTION_BIT(KEEP_GOING) | CLI_OPTION_BIT(JSON) | CLI_OPTION_BIT(MEMO) |
                 CLI_OPTION_BIT(WORKERS_MEMORY),
     .summary = "a page about all functions over a table",
     .details =
         "Applies every function of LIB whose arguments are columns of DATA.csv (`-`: stdin) to\n"
         "every row, and writes one HTML file that needs nothing else, no network and no script:\n"
         "    extfn report lib orders.csv -o report.html\n"
         "It tells rows, failures and speed of each function; its signature and source, with the\n"
         "lines where rows failed; how its results are distributed; its errors by message; the\n"
         "first 100 rows, and 50 failed ones behind them. Functions that take other columns are\n"
         "listed. A table of any size takes the same memory.\n"
         "With --json, which takes -o FILE, an object on stdout tells of each function's rows.\n"
         "Exit status 1 when a row failed, or a function as a whole, or a file of LIB is bad, 2\n"
         "when no function fits the table; 3 when all that is wrong is that a language is not\n"
         "here. The page is written all the same, but not without a sandbox (4).\n",
     .run = cli_cmd_report},
    {.name = "replay",
     .operands = "FILE...",
     .operands_min = 1,
     .operands_max = UNLIMITED,
     .accepted = CLI_HOST_OPTIONS | CLI_OPTION_BIT(JSON),
     .summary = "make recorded calls again",
     .details =
         "Makes the call of each FILE again, which --record of another command has written, and\n"
         "tells whether its outcome is the same: kind, message, and what it wrote to stderr, byte\n"
         "for byte. Of a directory, all files that end in .json. The limits are the record's\n"
         "where no option sets them, but for memory beyond 1G, which takes --memory. Policy,\n"
         "interpreter and packages are never the record's.\n"
         "Exit status 1 when an outcome is another, 2 when a file is no record.\n",
     .run = cli_cmd_replay},
    {.name = "list",
     .operands = "LIB",
     .operands_min = 1,
     .operands_max = 1,
     .accepted = CLI_OPTION_BIT(JSON) | CLI_OPTION_BIT(HELP),
     .summary = "the functions of a library",
     .details = "Writes language and signature of each function of LIB, sorted by name.\n"
                "With --json: an array of descriptors. Exit status 1 when a file is bad, 2 when\n"
                "LIB has no function files.\n",
     .run = cli_cmd_list},
    {.name = "check",
     .operands = "LIB",
     .operands_min = 1,
     .operands_max = 1,
     .accepted = CLI_HOST_OPTIONS | CLI_OPTION_BIT(JSON) | CLI_OPTION_BIT(VERBOSE),
     .summary = "read and compile every function of a library",
     .details =
         "Reads every file of LIB and compiles its function without running it. Writes a\n"
         "line for each: `FILE: ok SIGNATURE` (which tells impure ones) or\n"
         "`FILE:LINE: MESSAGE`; with --json an object. With --verbose a line also tells\n"
         "`compiled once` or `evaluated for each row`: some bodies of Julia and Pure have to\n"
         "be, and take far longer a row.\n"
         "Exit status 1 when one is bad, 2 when LIB has no function files; 3 when all that\n"
         "is wrong is that a language is not here, 4 when there is no sandbox.\n",
     .run = cli_cmd_check},
    {.name = "test",
     .operands = "LIB [NAME...]",
     .operands_min = 1,
     .operands_max = UNLIMITED,
     .accepted = CLI_HOST_OPTIONS | CLI_OPTION_BIT(JSON),
     .summary = "run the examples that stand in function files",
     .details =
         "Runs the examples of every function of LIB, or of those named. An example is a comment\n"
         "line (`#`, in Pure `//`, in WebAssembly `;;`):\n"
         "    # extfn-example: hypot(3, 4) = 5\n"
         "    # extfn-example: shout(\"hey\") = \"HEY!\"\n"
         "    # extfn-example: inverse(0) = error: division by zero\n"
         "A text stands in quotes, as in JSON, all else as on the command line. A result has to be\n"
         "the same, a number to the last bit; the message of an error has to contain the text.\n"
         "The bodies of a JSON file of descriptors may have examples as well; a module in bytes has\n"
         "no comments, so it cannot.\n"
         "Writes a line for each, `FILE:LINE: ok EXAMPLE` or `FILE:LINE: EXAMPLE: got RESULT`; with\n"
         "--json an object. Functions without examples are told.\n"
         "Exit status 1 when an example or a file is bad, 2 when there are no examples; 3 when all\n"
         "that is wrong is that a language is not here, 4 when there is no sandbox.\n",
     .run = cli_cmd_test},
    {.name = "new",
     .operands = "LANG NAME [DIR]",
     .operands_min = 2,
     .operands_max = 3,
     .accepted = CLI_OPTION_BIT(JSON) | CLI_OPTION_BIT(HELP),
     .summary = "write a first function file",
     .details =
         "Writes a function file for the function NAME in LANG (python, r, julia, pure or wasm) with\n"
         "a declaration, two examples and a body, to be made into what is wanted:\n"
         "    extfn new python shipping lib\n"
         "The file lies in DIR (default: here) and is named after the function. One that is there is\n"
         "never overwritten. Its path is written to stdout; `extfn test` runs its examples.\n",
     .run = cli_cmd_new},
    {.name = "rpc",
     .operands = "[LIB]",
     .operands_min = 0,
     .operands_max = 1,
     .accepted = CLI_HOST_OPTIONS | CLI_OPTION_BIT(RECORD) | CLI_OPTION_BIT(MEMO) |
                 CLI_OPTION_BIT(WORKERS_MEMORY),
     .summary = "answer JSON requests, one a line",
     .details =
         "Reads one JSON request a line from stdin and writes one reply a line to stdout:\n"
         "    {\"id\":1,\"call\":\"hypot\",\"args\":[3,4]}    {\"id\":1,\"ok\":5.0}\n"
         "`call` is a function of LIB. `fn` may stand in its place, a descriptor:\n"
         "    {\"name\":\"add\",\"language\":\"Python\",\"body\":\"result = args[0] + args[1]\",\n"
         "     \"arg_types\":[\"Number\",\"Number\"],\"return_type\":\"Number\",\"pure\":true}\n"
         "`columns` instead of `args` is a batch, an array of columns, one for each argument:\n"
         "    {\"id\":2,\"call\":\"hypot\",\"columns\":[[3,6],[4,8]]}    {\"id\":2,\"rows\":[5.0,10.0]}\n"
         "`timeout` is in seconds; `\"cost\":true` adds what the call cost.\n"
         "With --memo a pure function is not evaluated again for the same arguments.\n"
         "A function file of LIB that changed is read again. Ends at the end of input.\n",
     .run = cli_cmd_rpc},
    {.name = "doctor",
     .operands = "",
     .operands_min = 0,
     .operands_max = 0,
     .accepted = CLI_HOST_OPTIONS | CLI_OPTION_BIT(JSON),
     .summary = "what this machine can run, and how safely",
     .details = "Tells which languages there are, whether functions can be sandboxed here, what\n"
                "Landlock adds, and the limits in force, then tries real attacks from inside each\n"
                "language. Exit status 4 when the sandbox cannot be had or an attack got through,\n"
                "1 when one could not be tried.\n",
     .run = cli_cmd_doctor},
    {.name = "bench",
     .operands = "[LANG...]",
     .operands_min = 0,
     .operands_max = EXTFN_LANGUAGE_COUNT,
     .accepted = CLI_HOST_OPTIONS | CLI_OPTION_BIT(JSON),
     .summary = "how fast the languages are here",
     .details =
         "Measures calls and rows a second of x + y in each language found here, or in those\n"
         "named, beside a fresh sandboxed process for each call, which is what an impure\n"
         "function gets (in WebAssembly a fresh engine): how many times as fast is a warm call,\n"
         "how many times a row? Takes a few seconds a language and looks at every result.\n"
         "Languages that are not here are told; exit status 3 when there is none.\n",
     .run = cli_cmd_bench},
};

const cli_command *cli_command_at(size_t position)
{
    return position < sizeof(table) / sizeof(table[0]) ? &table[position] : NULL;
}

const cli_command *cli_command_find(const char *name)
{
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    }
    return NULL;
}
