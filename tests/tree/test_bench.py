"""The bench refuses figures that do not compare, and writes what can be read: its tables and charts
from results made up here. SPDX-License-Identifier: MIT
"""
import pathlib
import sys
import unittest
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import chart  # noqa: E402
import charts  # noqa: E402
import lines  # noqa: E402
import machine  # noqa: E402
import rounds  # noqa: E402
import table  # noqa: E402
from meters import Failed, Reading  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"
MACHINE = {"date": "d", "commit": "c", "processor": "p", "processors": 2, "memory_gib": 1,
           "system": "s", "kernel": "k", "load_before": 0.1, "versions": {"R": "4"}}


def made_up(seconds=0.5):
    """Results in which everything took the same time."""
    names = lines.names_of(lines.FULL) + lines.growth_names()
    measured = {name: {"median": seconds, "quartiles": [seconds] * 2, "rounds": 3, "sum": 5.0}
                for name in names}
    return {"machine": MACHINE, "peers": {"duckdb": "DuckDB 2"}, "missing": {"spark": "no java"},
            "lines": table.judge(lines.FULL, measured),
            "measured": measured}


class Sums(unittest.TestCase):
    line = lines.Line("a", "b", 1)

    def test_equal_ones_pass(self):
        rounds.check_sums([self.line], {"a": [Reading(1, 5.0)] * 2, "b": [Reading(2, 5.0)]})

    def test_other_ones_are_refused(self):
        with self.assertRaises(rounds.SumsDiffer):
            rounds.check_sums([self.line], {"a": [Reading(1, 5.0)], "b": [Reading(2, 6.0)]})

    def test_one_that_changes_is_refused(self):
        readings = [Reading(1, 5.0), Reading(1, 6.0)]
        with self.assertRaises(rounds.SumsDiffer):
            rounds.check_sums([self.line], {"a": readings, "b": readings})


class Names(unittest.TestCase):
    def test_all_that_is_shown_is_measured(self):
        measured = lines.names_of(lines.FULL)
        shown = [contender.name for task in (*lines.COLUMNS, lines.CALLS, lines.COLD)
                 for contender in task.contenders]
        self.assertEqual([], [name for name in shown if name not in measured])

    def test_labels_fit_beside_their_bars(self):
        texts = [contender.text for task in (*lines.COLUMNS, lines.CALLS, lines.COLD)
                 for contender in task.contenders]
        self.assertEqual([], [text for text in texts if len(text) * 7 > chart.LABELS - 8])


class Words(unittest.TestCase):
    def test_lines_are_chosen_by_words_of_either_side(self):
        self.assertEqual(lines.FULL, rounds.chosen(lines.FULL, []))
        spark = rounds.chosen(lines.FULL, ["spark"])
        self.assertLess(0, len(spark))
        self.assertEqual([], [line for line in spark if "spark" not in line.other])
        self.assertEqual({"r cold", "wasm cold"},
                         {line.name for line in rounds.chosen(lines.SHORT, ["r cold", "engine"])
                          if "cold" in line.name})

    def test_a_word_of_no_line_is_told_with_those_that_there_are(self):
        with self.assertRaisesRegex(Failed, "'nonsense'; .*: python, cold, fresh, .* wasm, "):
            rounds.chosen(lines.SHORT, ["python", "nonsense"])

    def test_nothing_left_to_measure_is_told(self):
        missing = {"spark": "no java"}
        with self.assertRaisesRegex(Failed, "not here"):
            rounds.without(missing, None, rounds.chosen(lines.FULL, ["spark"]))

    def test_a_busy_machine_is_told(self):
        self.assertEqual("", machine.load_note(0.5))
        self.assertIn("load 3.25 before", machine.load_note(3.25))


class Tables(unittest.TestCase):
    def test_a_ratio_below_its_mark_is_missed(self):
        text = table.markdown(made_up(), charts.draw(made_up()))
        rows = [row for row in text.splitlines()
                if row.startswith("| `") and "two-row check" not in row]
        marks = [line for line in lines.FULL if line.mark is not None]
        self.assertEqual(len(marks), len(rows))
        self.assertEqual([line.mark <= 1 for line in marks],
                         ["reached" in row and "MISSED" not in row for row in rows])

    def test_the_check_costs_at_most_32_calls_of_one_row(self):
        measured = {"numpy warm": {"median": 1e-5}, "numpy column": {"median": 1e-2}}
        row, = table.check_rows(measured)
        self.assertEqual(["0.97", "0.9", "reached"], row[-3:])

    def test_what_is_missing_is_told(self):
        self.assertIn("- spark: no java.", table.markdown(made_up(), charts.draw(made_up())))

    def test_what_filters_cost_a_system_call_is_told(self):
        for more, word in (99, "reached"), (101, "MISSED"):
            results = made_up() | {"system_call": {"with": 40.0 + more, "without": 40.0}}
            row = next(line for line in table.marks_table(results) if "system call" in line)
            self.assertIn(f"+{more} ns | +100 ns | {word}", row)

    def test_the_text_around_is_kept(self):
        document = f"before\n{table.BEGIN}\nold\n{table.END}\nafter\n"
        new = f"{table.BEGIN}\nnew\n{table.END}"
        self.assertEqual(f"before\n{new}\nafter\n", table.replace(document, new))
        with self.assertRaises(ValueError):
            table.replace("no markers", new)


class Charts(unittest.TestCase):
    def test_they_are_svg_with_all_contenders(self):
        for name, picture in charts.draw(made_up()).items():
            root = ElementTree.fromstring(picture)
            self.assertEqual(SVG + "svg", root.tag, name)
        words = [node.text for node in root.iter(SVG + "text")]
        self.assertIn("functions (log scale)", words)

    def test_ten_times_as_much_is_one_decade(self):
        scale = chart.Scale([1000, 250_000], 0, 300)
        self.assertEqual([1000, 10_000, 100_000, 1_000_000], scale.ticks)
        self.assertAlmostEqual(100, scale(10_000))

    def test_bars_stay_inside(self):
        picture = chart.bars("t", "a", [("p", [("x<y", 1e-7, "ours"), ("z", 9.9, "peer")])])
        for bar in ElementTree.fromstring(picture).iter(SVG + "rect"):
            right = float(bar.get("x", 0)) + float(bar.get("width"))
            self.assertLessEqual(right, chart.WIDTH)

    def test_a_scale_from_zero_holds_the_largest(self):
        scale = chart.Scale([3, 17e6], 0, 100, None)
        self.assertLessEqual(17e6, scale.high)
        self.assertEqual(0, scale(0))

    def test_labels_do_not_cover_each_other(self):
        placed = sorted(chart.spread({"a": 10, "b": 11, "c": 12}).values())
        self.assertTrue(all(low + 15 <= high for low, high in zip(placed, placed[1:])))


if __name__ == "__main__":
    unittest.main()
