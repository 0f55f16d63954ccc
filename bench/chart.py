"""Charts as SVG: bars on a logarithmic scale, and lines of growth. Colours follow the reader's
light or dark setting. SPDX-License-Identifier: MIT
"""
import math
from xml.sax.saxutils import escape

WIDTH = 860
STYLE = """
text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: #1f2328 }
.title { font-size: 16px; font-weight: 600 }
.panel { font-weight: 600 }
.small, .tick { font-size: 12px; fill: #59636e }
.back { fill: #ffffff }
.grid { stroke: #d1d9e0; stroke-width: 1 }
.axis { stroke: #59636e; stroke-width: 1 }
.ours { fill: #0969da } .loop { fill: #818b98 } .peer { fill: #bc6c00 }
.line { fill: none; stroke-width: 2.5 }
.s0 { stroke: #0969da } .s1 { stroke: #bc6c00 } .s2 { stroke: #8250df } .s3 { stroke: #1a7f37 }
.f0 { fill: #0969da } .f1 { fill: #bc6c00 } .f2 { fill: #8250df } .f3 { fill: #1a7f37 }
@media (prefers-color-scheme: dark) {
text { fill: #f0f6fc } .small, .tick { fill: #9198a1 } .back { fill: #0d1117 }
.grid { stroke: #3d444d } .axis { stroke: #9198a1 }
.ours { fill: #4493f8 } .loop { fill: #9198a1 } .peer { fill: #d29922 }
.s0 { stroke: #4493f8 } .s1 { stroke: #d29922 } .s2 { stroke: #ab7df8 } .s3 { stroke: #3fb950 }
.f0 { fill: #4493f8 } .f1 { fill: #d29922 } .f2 { fill: #ab7df8 } .f3 { fill: #3fb950 }
}
"""
LABELS, VALUES = 232, 96  # room left and right of the bars
BAR, GAP = 18, 6


def number(value):
    """1.5k, 20M: three digits at most."""
    for limit, unit in (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"):
        if value >= 0.9995 * limit:
            return f"{value / limit:.3g}{unit}"
    return f"{value:.3g}"


def seconds(value):
    if value == 0:
        return "0"
    for limit, unit in (1, "s"), (1e-3, "ms"), (1e-6, "us"):
        if value >= 0.9995 * limit:
            return f"{value / limit:.3g} {unit}"
    return f"{value * 1e9:.3g} ns"


class Scale:
    """Values to coordinates, over whole powers of ten, or of two, or from zero."""

    def __init__(self, values, start, end, base=10):
        self.start, self.end, self.base = start, end, base
        if base:
            low = math.floor(math.log(min(values), base) + 1e-9)
            high = max(math.ceil(math.log(max(values), base) - 1e-9), low + 1)
            self.low, self.high = low, high
            self.ticks = [base ** power for power in range(low, high + 1)]
        else:
            step = 10 ** math.floor(math.log10(max(values)))
            step = next(part * step for part in (0.2, 0.5, 1, 2) if max(values) / part / step <= 6)
            self.low, self.high = 0, step * math.ceil(max(values) / step)
            self.ticks = [step * i for i in range(round(self.high / step) + 1)]

    def __call__(self, value):
        position = math.log(value, self.base) if self.base else value
        return self.start + (self.end - self.start) * (position - self.low) / (self.high - self.low)


def text(x, y, words, kind="", anchor="start", more=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" class="{kind}" text-anchor="{anchor}"{more}>'
            f"{escape(words)}</text>")


def stroke(x1, y1, x2, y2, kind):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def document(title, height, parts):
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" '
        f'height="{height}" role="img" aria-label="{escape(title)}">',
        f"<style>{STYLE}</style>", f'<rect class="back" width="{WIDTH}" height="{height}"/>',
        text(16, 26, title, "title"), *parts, "</svg>", ""])


def bars(title, axis, panels, show=number):
    """Panels are (title, [(label, value, kind)]); kinds are ours, loop and peer."""
    values = [value for _, entries in panels for _, value, _ in entries]
    scale = Scale(values, LABELS, WIDTH - VALUES)
    top = 44
    bottom = top + sum(30 + (BAR + GAP) * len(entries) for _, entries in panels)
    parts = [stroke(scale(tick), top, scale(tick), bottom, "grid") for tick in scale.ticks]
    y = top
    for name, entries in panels:
        parts.append(text(16, y + 20, name, "panel"))
        y += 30
        for label, value, kind in entries:
            parts += [text(LABELS - 8, y + 14, label, "", "end"),
                      f'<rect class="{kind}" x="{LABELS}" y="{y}" height="{BAR}" '
                      f'width="{max(scale(value) - LABELS, 1):.1f}"/>',
                      text(scale(value) + 6, y + 14, show(value))]
            y += BAR + GAP
    parts += [stroke(LABELS, bottom, WIDTH - VALUES, bottom, "axis"),
              *(text(scale(tick), bottom + 17, show(tick), "tick", "middle")
                for tick in scale.ticks),
              text((LABELS + WIDTH - VALUES) / 2, bottom + 38, axis, "small", "middle"),
              *legend(bottom + 60)]
    return document(title, bottom + 76, parts)


def legend(y):
    parts, x = [], LABELS
    for kind, words in ("ours", "extfn, sandboxed"), ("loop", "the limit, or the plain way"), (
            "peer", "others, not sandboxed"):
        parts += [f'<rect class="{kind}" x="{x}" y="{y - 11}" width="13" height="13"/>',
                  text(x + 19, y, words, "small")]
        x += 190
    return parts


def lines(title, panels):
    """Panels are dicts: title, x, y (names of the axes), x_base, y_base (of Scale), show, series
    {name: [(x, y)]}."""
    height, parts = 44, []
    for panel in panels:
        parts += line_panel(panel, height)
        height += 300
    return document(title, height, parts)


def spread(positions, least=15):
    """Moves labels that would cover each other apart, downwards."""
    last = -math.inf
    for key, y in sorted(positions.items(), key=lambda item: item[1]):
        last = max(y, last + least)
        positions[key] = last
    return positions


def line_panel(panel, top):
    left, right, bottom = 90, WIDTH - 130, top + 230
    points = [point for series in panel["series"].values() for point in series]
    across = Scale([x for x, _ in points], left, right, panel["x_base"])
    up = Scale([y for _, y in points], bottom, top + 34, panel["y_base"])
    parts = [text(16, top + 20, panel["title"], "panel")]
    for tick in up.ticks:
        parts += [stroke(left, up(tick), right, up(tick), "grid"),
                  text(left - 8, up(tick) + 4, panel["show"](tick), "tick", "end")]
    for tick in across.ticks:
        parts += [stroke(across(tick), bottom, across(tick), bottom + 5, "axis"),
                  text(across(tick), bottom + 20, number(tick), "tick", "middle")]
    parts += [stroke(left, bottom, right, bottom, "axis"), stroke(left, top + 34, left, bottom,
                                                                  "axis"),
              text((left + right) / 2, bottom + 40, panel["x"], "small", "middle"),
              text(0, 0, panel["y"], "small", "middle",
                   f' transform="translate(24 {(top + 34 + bottom) / 2:.0f}) rotate(-90)"')]
    ends = spread({name: up(series[-1][1]) for name, series in panel["series"].items()})
    for i, (name, series) in enumerate(panel["series"].items()):
        path = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in series)
        parts += [f'<polyline class="line s{i}" points="{path}"/>',
                  *(f'<circle class="f{i}" cx="{across(x):.1f}" cy="{up(y):.1f}" r="3.5"/>'
                    for x, y in series),
                  text(across(series[-1][0]) + 10, ends[name] + 4, name, f"f{i}")]
    return parts
