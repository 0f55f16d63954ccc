#!/usr/bin/env python3
"""make-completion.py EXTFN FOLDER: writes the tables of the completion files in FOLDER, from what
EXTFN tells with --help, between the marks that stand there. Prints the names of those that changed.

SPDX-License-Identifier: MIT
"""
import os
import re
import subprocess
import sys

# What may stand where the help has a word: a kind that each file knows, or none.
VALUES = {"LANG": "language", "TYPES": "type", "TYPE": "type", "FILE": "file", "DIR": "folder",
          "LANG=DIR": "language=folder", "LANG=PATH": "language=file",
          "NAME": "none", "SECONDS": "none", "SIZE": "none", "N": "none"}
OPERANDS = {"LANG": "language", "LIB": "library", "NAME": "function", "DATA.csv": "table",
            "FILE": "file", "DIR": "folder", "BODY": "none", "ARG": "none"}
OPTION = re.compile(r"^  (?:-(\w), )?--([a-z-]+)(?: (\S+))?  +(\S.*)$", re.MULTILINE)
COMMAND = re.compile(r"^  ([a-z-]+)  +(\S.*)$", re.MULTILINE)
MARKS = "# ---- written by tools/make-completion.py ----\n", "# ---- end ----\n"
ZSH = {"language": "_extfn_languages", "type": "_extfn_types", "file": "_files", "table": "_files",
       "folder": "_files -/", "library": "_files", "function": "_extfn_functions", "none": " ",
       "language=folder": "_extfn_paths -/", "language=file": "_extfn_paths"}
FISH = {"language": "-x -a '(__extfn_languages)'", "type": "-x -a '(__extfn_types)'",
        "file": "-r -F", "folder": "-x -a '(__fish_complete_directories)'", "none": "-x",
        "table": "-F", "library": "-F", "function": "-a '(__extfn_functions)'",
        "language=folder": "-r -F -a '(__extfn_languages)='",
        "language=file": "-r -F -a '(__extfn_languages)='"}


def ask(extfn, *words):
    return subprocess.run([extfn, *words, "--help"], stdout=subprocess.PIPE, check=True,
                          encoding="utf-8").stdout


def read_operands(usage):
    """Kinds by position, and whether the last one repeats."""
    words = re.sub(r"-\w \S+", "", usage.partition("[OPTIONS]")[2]).split()
    names = [word.strip("[].") if "..." in word else word.strip("[]") for word in words]
    kinds = [OPERANDS[name] for name in names]
    if "library" not in kinds:  # then a name is a new one
        kinds = ["none" if kind == "function" else kind for kind in kinds]
    return kinds, bool(words) and "..." in words[-1]


def read_command(extfn, name, summary):
    text = ask(extfn, name)
    options = [(letter, long, VALUES[value] if value else None, told)
               for letter, long, value, told in OPTION.findall(text.partition("\nOptions:\n")[2])]
    kinds, is_repeated = read_operands(text.splitlines()[0])
    return {"name": name, "summary": summary, "options": options, "operands": kinds,
            "is_repeated": is_repeated}


def read_commands(extfn):
    return [read_command(extfn, name, summary) for name, summary in COMMAND.findall(ask(extfn))]


def quote(text):
    return "'" + text.replace("'", "'\\''") + "'"


def names(option):
    letter, long, _, _ = option
    return ([f"-{letter}"] if letter else []) + [f"--{long}"]


def bash_table(commands):
    lines = ["_extfn_commands=" + quote(" ".join(one["name"] for one in commands)),
             "_extfn_options() { # COMMAND: OPTION:KIND of each, no kind for a flag",
             "    case $1 in"]
    for one in commands:
        words = [f"{name}:{option[2] or ''}" for option in one["options"] for name in names(option)]
        lines.append(f"        {one['name']}) echo {quote(' '.join(words))} ;;")
    lines += ["    esac", "}",
              "_extfn_operands() { # COMMAND: a kind for each, `...` repeats the last",
              "    case $1 in"]
    for one in commands:
        words = one["operands"] + (["..."] if one["is_repeated"] else [])
        lines.append(f"        {one['name']}) echo {quote(' '.join(words))} ;;")
    return lines + ["    esac", "}"]


def zsh_option(option):
    letter, long, kind, told = option
    told = told.replace("[", "\\[").replace("]", "\\]").replace(":", "\\:")
    repeat = "*" if kind and "=" in kind else ""
    value = f":{long}:{ZSH[kind]}" if kind else ""
    if letter:
        exclusive = quote(f"(-{letter} --{long})")
        pair = f"{{-{letter}+,--{long}=}}" if kind else f"{{-{letter},--{long}}}"
        return exclusive + pair + quote(f"[{told}]{value}")
    return quote(f"{repeat}--{long}{'=' if kind else ''}[{told}]{value}")


def zsh_operands(one):
    kinds = one["operands"]
    for position, kind in enumerate(kinds, 1):
        is_last = position == len(kinds)
        place = "*" if is_last and one["is_repeated"] else position
        yield quote(f"{place}:{kind}:{ZSH[kind]}")


def zsh_table(commands):
    lines = ["_extfn_commands=("]
    lines += ["    " + quote(f"{one['name']}:{one['summary']}") for one in commands]
    lines += [")", "_extfn_arguments() { # COMMAND", "    case $1 in"]
    for one in commands:
        lines += [f"        {one['name']})", "            _arguments -s -S \\"]
        words = [*map(zsh_option, one["options"]), *zsh_operands(one)]
        lines += [f"                {word} \\" for word in words[:-1]]
        lines += [f"                {words[-1]}", "            ;;"]
    return lines + ["    esac", "}"]


def fish_table(commands):
    lines = ["set -g __extfn_commands " + " ".join(one["name"] for one in commands)]
    valued = {name for one in commands for option in one["options"] if option[2]
              for name in names(option)}
    lines.append("set -g __extfn_valued " + " ".join(sorted(valued)))
    for one in commands:
        lines.append("complete -c extfn -n __extfn_needs_command "
                     f"-a {one['name']} -d {quote(one['summary'])}")
        for letter, long, kind, told in one["options"]:
            words = ["complete -c extfn", f"-n '__extfn_is {one['name']}'"]
            words += [f"-s {letter}"] if letter else []
            words += [f"-l {long}"] + ([FISH[kind]] if kind else [])
            lines.append(" ".join(words + [f"-d {quote(told)}"]))
        for position, kind in enumerate(one["operands"], 1):
            if kind == "none":
                continue
            is_repeated = one["is_repeated"] and position == len(one["operands"])
            condition = quote(f"__extfn_at {one['name']} {position}" + " or-later" * is_repeated)
            how = re.sub("^-[xr] ", "", FISH[kind])
            lines.append(f"complete -c extfn -n {condition} {how}")
    return lines


FILES = {"extfn.bash": bash_table, "_extfn": zsh_table, "extfn.fish": fish_table}


def main(extfn, folder):
    commands = read_commands(extfn)
    for name, make_table in FILES.items():
        path = os.path.join(folder, name)
        with open(path, encoding="utf-8") as lines:
            former = lines.read()
        head, _, rest = former.partition(MARKS[0])
        _, _, tail = rest.partition(MARKS[1])
        text = head + MARKS[0] + "\n".join(make_table(commands)) + "\n" + MARKS[1] + tail
        if text != former:
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
            print(name)


if __name__ == "__main__":
    main(*sys.argv[1:])
