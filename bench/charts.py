"""The charts of docs/BENCHMARKS.md out of the results. SPDX-License-Identifier: MIT
"""
import chart
from lines import CALLS, COLD, COLUMNS, GROWTHS
from meters import rows_of


def panel_of(task, measured, value):
    return task.title, [(text, value(name, measured[name]["median"]), kind)
                        for name, text, kind in task.contenders if name in measured]


def rows_a_second(name, seconds):
    return rows_of(name) / seconds


def bars(title, axis, tasks, measured, value, show):
    panels = [panel_of(task, measured, value) for task in tasks]
    return chart.bars(title, axis, [panel for panel in panels if panel[1]], show)


def growth_panel(growth, measured):
    is_time = growth.unit == "s"
    series = {}
    for text, form in growth.series.items():
        names = {point: form.format(point) for point in growth.points}
        points = [(point, measured[name]["median"] if is_time
                   else rows_a_second(name, measured[name]["median"]))
                  for point, name in names.items() if name in measured]
        if points:
            series[text] = points
    is_rows = growth.key == "rows"
    return {"title": growth.title, "x": f"{growth.axis} (log scale)",
            "y": "time of a call" if is_time else "rows a second",
            "x_base": 10 if is_rows else 2, "y_base": 10 if is_rows else None,
            "show": chart.seconds if is_time else chart.number, "series": series}


def draw(results):
    """SVG by name."""
    measured = results["measured"]
    python = [task for task in COLUMNS if task.key.startswith(("python", "numpy"))]
    others = [task for task in COLUMNS if task not in python]
    axis = "rows a second (log scale, longer is faster)"
    time = "time (log scale, shorter is faster)"
    panels = [growth_panel(growth, measured) for growth in GROWTHS]
    return {
        "bench-python": bars("Columns of 1,000,000 rows: Python", axis, python, measured,
                             rows_a_second, chart.number),
        "bench-languages": bars("Columns of 1,000,000 rows: R, Julia, WebAssembly", axis, others,
                                measured, rows_a_second, chart.number),
        "bench-calls": bars("Calls", time, [CALLS], measured, lambda _, value: value,
                            chart.seconds),
        "bench-cold": bars("Cold starts", time, [COLD], measured, lambda _, value: value,
                           chart.seconds),
        "bench-growth": chart.lines("Growth", [panel for panel in panels if panel["series"]]),
    }
