"""Figures as text: for the terminal, and in Markdown. SPDX-License-Identifier: MIT
"""
import system_call
from lines import CALLS, CHECK_MARK, CHUNK_ROWS, COLD, COLUMNS, GROWTHS, NOT_MEASURED
from meters import FRESH, ROWS, WASM_ROWS, is_call, rows_of

BEGIN = "<!-- From here on made by `./dev bench full`. -->"
END = "<!-- Up to here. -->"


def duration(seconds):
    for unit, factor in ("s", 1), ("ms", 1e3), ("us", 1e6):
        if seconds * factor >= 1 or unit == "us":
            return f"{seconds * factor:.3g} {unit}"
    return ""


def speed(name, seconds):
    if is_call(name):
        return f"{1 / seconds:,.0f} calls/s"
    return f"{rows_of(name) / seconds / 1e6:.3g} M rows/s"


def verdict(mark, ratio):
    if mark is None:
        return ""
    return "reached" if ratio >= mark else "MISSED"


def judge(lines, measured):
    """The lines whose both sides were measured, with their ratios."""
    return [line._asdict() | {"ratio": measured[line.other]["median"]
                              / measured[line.name]["median"]}
            for line in lines if line.name in measured and line.other in measured]


# ---- The terminal ----

def print_lines(lines, medians, rounds):
    print(f"Medians of {rounds} rounds; a column has {ROWS:,} rows of two numbers or of a text, "
          f"for Wasm {WASM_ROWS:,}.\n")
    print(f"{'':24}{'time':>10}{'speed':>18}   {'beside':22}{'time':>10}{'ratio':>10}  mark")
    for name, other, mark in lines:
        ratio = medians[other] / medians[name]
        wanted = "-" if mark is None else f"{mark:g} {verdict(mark, ratio)}"
        print(f"{name:24}{duration(medians[name]):>10}{speed(name, medians[name]):>18}   "
              f"{other:22}{duration(medians[other]):>10}{ratio:>10.3g}  {wanted}")
    print()
    for language in FRESH:
        one, column = f"{language} fresh process", f"{language} column"
        if one in medians and column in medians:
            ratio = medians[one] * ROWS / medians[column]
            print(f"A row of the {language} column is {ratio:,.0f} times as fast as a fresh "
                  "process.")


def print_missing(missing):
    for name, why in (missing | NOT_MEASURED).items():
        print(f"Missing: {name}: {why}.")


# ---- Markdown, out of the results as JSON ----

def row(*cells):
    return "| " + " | ".join(str(cell) for cell in cells) + " |"


def table(head, rows):
    return [row(*head), row(*["---"] * len(head)), *(row(*cells) for cells in rows), ""]


def spread(measured):
    """Half the distance of the quartiles, in percent of the median."""
    low, high = measured["quartiles"]
    return f"±{50 * (high - low) / measured['median']:.0f} %"


def machine_lines(machine):
    versions = ", ".join(f"{name} {text}" for name, text in machine["versions"].items())
    return [f"Measured {machine['date']} at commit {machine['commit']} on {machine['processors']} "
            f"processors ({machine['processor']}), {machine['memory_gib']} GiB, "
            f"{machine['system']}, kernel {machine['kernel']}; load before the run "
            f"{machine['load_before']}.", "", f"{versions}.", ""]


def check_rows(measured):
    """What the two-row check of vectorized bodies leaves at least: there is no switch for it, but
    a row costs no more than a warm call of one row."""
    for name in "numpy", "r-vectorized", "julia-vectorized":
        if f"{name} warm" in measured and f"{name} column" in measured:
            one, column = (measured[f"{name} {what}"]["median"] for what in ("warm", "column"))
            share = 1 - 2 * -(-ROWS // CHUNK_ROWS) * one / column
            yield [f"`{name} column` with its two-row check", duration(column), "",
                   "without it, at least", duration(column * share), f"{share:.2f}",
                   f"{CHECK_MARK:g}", verdict(CHECK_MARK, share)]


def marks_table(results):
    rows = []
    for line in results["lines"]:
        if line["mark"] is None:
            continue
        ours, other = results["measured"][line["name"]], results["measured"][line["other"]]
        rows.append([f"`{line['name']}`", duration(ours["median"]), spread(ours),
                     f"`{line['other']}`", duration(other["median"]), f"{line['ratio']:.3g}",
                     f"{line['mark']:g}", verdict(line["mark"], line["ratio"])])
    rows += check_rows(results["measured"])
    memory = results.get("apply")
    if memory:
        rows.append([f"`apply`, {memory['rows']:,} rows: memory of the host",
                     f"{memory['bytes'] / 2**20:.0f} MiB", "", "", "", "",
                     f"{memory['limit'] / 2**20:.0f} MiB",
                     "reached" if memory["bytes"] <= memory["limit"] else "MISSED"])
    call = results.get("system_call")
    if call:
        rows.append(["a system call from inside", f"{call['with']:.0f} ns", "",
                     "without any layer", f"{call['without']:.0f} ns",
                     f"+{call['with'] - call['without']:.0f} ns", f"+{system_call.LIMIT_NS} ns",
                     system_call.verdict(call)])
    return ["### Marks", "", *table(["measured", "time", "spread", "beside", "time", "ratio",
                                     "mark", ""], rows)]


def shares_table(results):
    measured = results["measured"]
    rows = []
    for task in COLUMNS:
        for name, text, kind in task.contenders:
            if name in measured and task.base in measured:
                share = measured[task.base]["median"] / measured[name]["median"]
                label = f"**{text}**" if kind == "ours" else text
                rows.append([task.title if kind == "loop" else "", label,
                             speed(name, measured[name]["median"]), f"{100 * share:.3g} %"])
    return ["### Columns, as shares of the language's own loop", "",
            *table(["task", "who", "speed", "share"], rows)]


def times_table(results, task):
    measured = results["measured"]
    rows = [[f"**{text}**" if kind == "ours" else text, duration(measured[name]["median"]),
             spread(measured[name])]
            for name, text, kind in task.contenders if name in measured]
    return [f"### {task.title}", "", *table(["who", "time", "spread"], rows)]


def growth_tables(results):
    lines = []
    for growth in GROWTHS:
        rows = []
        for text, form in growth.series.items():
            names = [form.format(point) for point in growth.points]
            if any(name in results["measured"] for name in names):
                rows.append([text, *(
                    (duration if growth.unit == "s" else lambda seconds, name=name:
                     speed(name, seconds))(results["measured"][name]["median"])
                    if name in results["measured"] else "" for name in names)])
        lines += [f"### {growth.title}", "",
                  *table([growth.axis, *(f"{point:,}" for point in growth.points)], rows)]
    return lines


def markdown(results, charts):
    """The generated part of docs/BENCHMARKS.md; charts are the names of files beside it."""
    pictures = {name: f"![{name}]({name}.svg)" for name in charts}
    missing = [f"- {name}: {why}." for name, why in results["missing"].items()]
    return "\n".join([
        BEGIN, "", "## Results", "", *machine_lines(results["machine"]),
        "Versions of the peers: " + (", ".join(sorted(set(results["peers"].values()))) or "none")
        + ".", "", "Not measured:", "", *missing, "",
        *marks_table(results),
        *shares_table(results), pictures["bench-python"], "", pictures["bench-languages"], "",
        *times_table(results, CALLS), pictures["bench-calls"], "",
        *times_table(results, COLD), pictures["bench-cold"], "",
        *growth_tables(results), pictures["bench-growth"], "", END])


def replace(document, generated):
    """The document with its generated part replaced."""
    before, found, rest = document.partition(BEGIN)
    _, also_found, after = rest.partition(END)
    if not (found and also_found):
        raise ValueError(f"no {BEGIN} ... {END} in the document")
    return before + generated + after
