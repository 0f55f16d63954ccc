"""report: a page about all functions over a table. SPDX-License-Identifier: MIT"""
import html.parser
import json
import os
import re
import subprocess

import program
from program import EXTFN, LIB

VOID = {"meta", "rect", "line", "br"}
ELEMENTS = VOID | {
    "html", "head", "title", "style", "body", "header", "main", "section", "h1", "h2", "h3", "p",
    "bdi", "table", "caption", "thead", "tbody", "tr", "th", "td", "a", "time", "ul", "ol", "li",
    "code", "span", "strong", "figure", "figcaption", "svg", "g", "dl", "div", "dt", "dd"}
ATTRIBUTES = {
    "lang", "charset", "http-equiv", "content", "name", "id", "class", "aria-labelledby",
    "aria-label", "aria-hidden", "role", "scope", "href", "datetime", "data-label", "tabindex",
    "viewbox", "preserveaspectratio", "x", "y", "x1", "x2", "y1", "y2", "width", "height"}
HOSTILE = "</td></script><script>alert(1)</script><img src=x onerror='alert(2)'>\"><!-- &amp;"
MIXED = {
    "amount.py": "# extfn: amount(x: number) -> number\nif x == 0:\n"
                 "    raise ValueError('nothing')\nreturn x * 2\n",
    "big.py": "# extfn: big(x: number) -> boolean\nreturn x > 2\n",
    "later.py": "# extfn: later(at: datetime, x: number) -> datetime\n"
                "from datetime import timedelta\nreturn at + timedelta(days=x)\n",
    "level.py": "# extfn: level(x: number) -> enum\nreturn int(x / 2)\n",
    "shout.py": "# extfn: shout(label: text) -> text\nreturn label.upper()\n",
    "other.py": "# extfn: other(x: number, size: number, weight: number) -> number\nreturn 1\n",
}
TABLE = "x,label,at\n" + "".join(f"{i},n{i % 2},2025-01-0{i + 1}T00:00:00Z\n" for i in range(5))


class Reader(html.parser.HTMLParser):
    """Reads a page strictly: what may stand there, each element ended, each anchor there.

    `text` is all of it, `sections` the text of each function's section by its heading.
    """

    def __init__(self, page):
        super().__init__()
        self.open, self.anchors, self.ids = [], [], []
        self.text, self.sections, self.timing = "", {}, []
        self.section, self.is_heading = None, False
        self.feed(page)
        self.close()
        if self.open:
            raise ValueError(f"not ended: {self.open}")
        if not set(self.anchors) <= set(self.ids) or len(self.ids) != len(set(self.ids)):
            raise ValueError(f"anchors {self.anchors}, ids {self.ids}")

    def handle_starttag(self, tag, attrs):
        if tag not in ELEMENTS:
            raise ValueError(f"<{tag}>")
        known = dict(attrs)
        if not set(known) <= ATTRIBUTES:
            raise ValueError(f"<{tag} {attrs}>")
        if "href" in known:
            self.anchors.append(re.fullmatch(r"#([a-z]+-\d+)", known["href"])[1])
        self.ids += [known["id"]] if "id" in known else []
        if tag == "section":
            self.section = None
        if tag not in VOID:
            self.open.append(tag)
        self.is_heading = tag == "h2" or self.is_heading

    def handle_endtag(self, tag):
        if tag in VOID:
            return
        self.handle_space()
        if self.open.pop() != tag:
            raise ValueError(f"</{tag}> in {self.open}")
        self.is_heading = self.is_heading and tag != "h2"

    def handle_space(self):
        self.text += " "
        if self.section is not None:
            self.sections[self.section] += " "

    def handle_data(self, data):
        self.text += data
        if self.is_heading and data.strip():
            self.section = data
            self.sections[data] = ""
        elif self.section is not None:
            self.sections[self.section] += data

    def handle_comment(self, data):
        raise ValueError(f"<!--{data}")


def without_timing(page):
    """The page without what differs from run to run."""
    page = re.sub(r'<time class="timing"[^>]*>[^<]*<', "<", page)
    return re.sub(r'(class="[a-z -]*\btiming")>[^<]*<', r"\1><", page)


def words(text):
    return " ".join(text.split())


class Report(program.ProgramTest):
    def make_library(self, files):
        os.mkdir(self.path("lib"))
        for name, text in files.items():
            self.write(f"lib/{name}", text)
        return self.path("lib")

    def report(self, library, table, *options, status=0, stderr=""):
        """The page, read."""
        self.write("d.csv", table)
        self.check(["report", library, self.path("d.csv"), "-o", self.path("r.html"), *options],
                   status, "", stderr)
        return Reader(self.read("r.html"))

    def assert_told(self, text, *wanted):
        for piece in wanted:
            self.assertIn(piece, words(text))

    def test_a_function_has_source_chart_errors_and_rows(self):
        page = self.report(self.make_library(MIXED), TABLE, status=1,
                           stderr=r"extfn: 1 of 25 evaluations failed; see the page\n")
        self.assert_told(page.text, "applied to the 5 rows of " + self.path("d.csv"))
        self.assertEqual(list(page.sections), ["Summary", "Not applied", "amount", "big", "later",
                                               "level", "shout"])
        self.assert_told(
            page.sections["amount"], "amount(x: number) -> number", "lib/amount.py",
            "raise ValueError('nothing') 1 row failed here", "Distribution of 4 finite numbers",
            "min 2.0", "median 5.0", "mean 5", "max 8.0", "1 row failed, with 1 different message",
            "ValueError: nothing (line 3)", "5 rows; row 1 is the first below the header",
            "failed ValueError: nothing (line 3)")

    def test_each_type_has_its_distribution(self):
        page = self.report(self.make_library(MIXED), TABLE, "--keep-going")
        self.assert_told(page.sections["big"], "2 different values", "false 3 60.0 %",
                         "true 2 40.0 %")
        self.assert_told(page.sections["level"], "3 different values", "0 2 40.0 %", "2 1 20.0 %")
        self.assert_told(page.sections["shout"], "N0 3 60.0 %", "N1 2 40.0 %")
        self.assert_told(page.sections["later"], "Distribution of 5 datetimes",
                         "earliest 2025-01-01 00:00:00", "median 2025-01-05 00:00:00",
                         "latest 2025-01-09 00:00:00")

    def test_functions_of_other_columns_are_told_with_what_is_missing(self):
        page = self.report(self.make_library(MIXED), TABLE, "--keep-going")
        self.assert_told(page.sections["Not applied"],
                         "other(x: number, size: number, weight: number) -> number Python "
                         "no column size, weight")

    def test_a_table_that_no_function_fits_makes_no_page(self):
        self.write("d.csv", "a,b\n1,2\n")
        lib = self.make_library({"other.py": MIXED["other.py"]})
        self.check(["report", lib, self.path("d.csv"), "-o", self.path("r.html")], 2,
                   stderr=r"extfn: \S*d.csv: no function fits the table; "
                          r"for other: no column x, size, weight\n")
        self.assertFalse(os.path.exists(self.path("r.html")))

    def test_what_is_wrong_with_a_function_does_not_stop_the_others(self):
        lib = self.make_library({
            "bad.py": "# extfn: bad(x: number) -> number\nreturn (\n", "no.py": "x = 1\n",
            "good.py": "# extfn: good(x: number) -> number\nreturn x\n"})
        page = self.report(lib, TABLE, status=1,
                           stderr="extfn: 2 of 3 functions could not be evaluated; see the page\n")
        self.assert_told(page.sections["bad"], "Stopped after 0 rows: SyntaxError",
                         "return ( stopped here", "No row was evaluated.")
        self.assert_told(page.sections["Files that are no functions"],
                         "lib/no.py:1: no declaration")
        self.assert_told(page.sections["good"], "Distribution of 5 finite numbers")
        self.assert_told(page.sections["Summary"], "bad Python 0 stopped")

    def test_a_missing_language_is_told_on_the_page(self):
        lib = self.make_library({"f.py": "# extfn: f(x: number) -> number\nreturn x\n"})
        page = self.report(lib, TABLE, "--interpreter", "python=/none", status=3,
                           stderr="extfn: 1 of 1 functions could not be evaluated; see the page\n")
        self.assert_told(page.sections["f"], "Stopped after 0 rows: language runtime unavailable")

    def test_without_a_sandbox_there_is_no_page(self):
        lib = self.make_library({"f.py": "# extfn: f(x: number) -> number\nreturn x\n"})
        self.check(["report", lib, self.write("d.csv", TABLE), "-o", self.path("r.html")], 4,
                   stderr="extfn: sandbox unavailable: .*\n", env={"PATH": self.directory})
        self.assertEqual(sorted(os.listdir(self.directory)), ["d.csv", "lib"])

    def test_json_tells_of_the_page(self):
        lib = self.make_library({
            "bad.py": "# extfn: bad(x: number) -> number\nreturn (\n", "no.py": "x = 1\n",
            "other.py": MIXED["other.py"], "part.py": MIXED["amount.py"].replace("amount", "part")})
        table = self.write("d.csv", TABLE)
        done = program.run("report", lib, table, "-o", self.path("r.html"), "--json", "--cost")
        self.assertEqual((done.returncode, done.stderr), (1, b""))
        told = json.loads(done.stdout)
        bad, other, part = told["functions"]
        self.assertEqual((told["file"], told["rows"]), (self.path("r.html"), 5))
        self.assertEqual((bad["rows"], bad["error"]["kind"]), (0, "Runtime"))
        self.assertEqual(other, {"name": "other", "not_applied": "no column size, weight"})
        self.assertEqual(part, {"name": "part", "rows": 5, "failed": 1})
        self.assertRegex(told["bad_files"][0], "lib/no.py:1: no declaration")
        self.assertEqual(told["cost"]["rows"], 5)
        Reader(self.read("r.html"))

    def test_json_of_a_report_that_failed_is_its_error(self):
        lib = self.make_library({"f.py": "# extfn: f(x: number) -> number\nreturn x\n"})
        table = self.write("d.csv", "x\n1,2\n")
        done = program.run("report", lib, table, "-o", self.path("r.html"), "--json")
        self.assertEqual((done.returncode, done.stderr), (2, b""))
        self.assertRegex(json.loads(done.stdout)["error"]["message"], "2 fields where")
        self.check(["report", lib, table, "--json"], 2, stderr="extfn: with --json stdout .*\n")
        self.check(["report", lib, "d.parquet", "-o", "r.html"], 2,
                   stderr="extfn: 'd.parquet' is no CSV file; .*\n")

    def test_the_cost_is_told(self):
        lib = self.make_library({"f.py": "# extfn: f(x: number) -> number\nreturn x\n"})
        self.report(lib, TABLE, "--cost", stderr=r"extfn: cost: \S+ ms, .*, 5 rows, .*\n")

    def test_hostile_text_is_text(self):
        body = f"# {HOSTILE}\nif x: raise ValueError(label)\nresult = label\x07"
        lib = self.write("lib.json", json.dumps([
            {"name": f"f{HOSTILE}", "language": "Python", "body": body.replace("\x07", ""),
             "arg_types": ["Number", "Text"], "arg_names": ["x", "label"],
             "return_type": "Text", "pure": True}]))
        cell = '"' + (HOSTILE + "\x1b[31m\u202ejavascript:alert(3)").replace('"', '""') + '"'
        table = self.write(f"<b>{'&'}\"d\n.csv", f"x,label\n0,{cell}\n1,{cell}\n,{cell}\n")
        done = program.run("report", lib, table, "--keep-going")
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        text = done.stdout.decode()
        page = Reader(text)
        self.assertEqual(re.findall(r"[\x00-\x08\x0b-\x1f\x7f\u202e]", text), [])
        self.assertNotIn("<script", text.lower())
        shown = words(HOSTILE)
        self.assert_told(page.text, f"f{shown}", f"# {shown}", f"failed ValueError: {shown}",
                         "\u241b[31m\ufffdjavascript:alert(3)", "<b>&\"d .csv")

    def test_the_page_reaches_for_nothing(self):
        self.report(self.make_library(MIXED), TABLE, "--keep-going")
        page = self.read("r.html")
        self.assertIn("<meta http-equiv=\"Content-Security-Policy\" "
                      "content=\"default-src 'none'; style-src 'unsafe-inline'\">", page)
        self.assertEqual(re.findall(r"https?:|//|url\(|@import|<link|<base|\bon\w+=",
                                    page.replace(self.directory, "")), [])

    def test_an_empty_table_makes_an_empty_page(self):
        page = self.report(self.make_library(MIXED), "x,label,at\n")
        for name in ["amount", "big", "later", "level", "shout"]:
            self.assert_told(page.sections[name], "No row was evaluated.")
        self.assertNotIn("Errors", page.text)

    def test_rows_may_all_fail(self):
        page = self.report(os.path.join(LIB, "inverse.py"), "x\n" + "0\n" * 200, status=1,
                           stderr="extfn: 200 of 200 evaluations failed; see the page\n")
        self.assert_told(page.sections["inverse"], "No row has a result: all failed.",
                         "200 rows failed, with 1 different message",
                         "The first 100 of 200 rows",
                         "The first 50 of 100 failed rows behind those")

    def test_of_many_values_and_a_long_source_a_part_is_shown(self):
        lib = self.make_library({
            "each.py": "# extfn: each(x: number) -> text\nreturn f'v{x}'\n"
                       + f"# {'long ' * 20}\n" * 4000,
            "some.py": "# extfn: some(x: number) -> text\nreturn f'v{x if x < 4500 else 7.0}'\n"})
        page = self.report(lib, "x\n" + "".join(f"{i}\n" for i in range(5000)))
        self.assert_told(page.sections["each"], "bytes of source are left out",
                         "More than 4,096 different values; none comes twice of the first 4,096")
        self.assert_told(page.sections["some"], "More than 4,096 different values; the most "
                         "frequent ones of the first 4,096", "v7.0 501 10.0 %")
        self.assertLess(len(self.read("r.html")), 500_000)

    def test_no_number_may_be_finite(self):
        lib = self.make_library({"f.py": "# extfn: f(x: number) -> number\nreturn x\n"})
        page = self.report(lib, "x\nNaN\ninf\n-inf\n")
        self.assert_told(page.sections["f"], "NaN 1", "infinite 1", "negative infinite 1")
        self.assertNotIn("Distribution", page.text)

    def test_pages_differ_in_their_times_alone(self):
        self.report(self.make_library(MIXED), TABLE, "--keep-going")
        first = self.read("r.html")
        self.report(self.path("lib"), TABLE, "--keep-going", "--workers", "1")
        self.assertEqual(without_timing(first), without_timing(self.read("r.html")))
        self.assertIn('class="number timing">', first)
        self.assertNotEqual(first, without_timing(first))

    def test_a_page_that_cannot_be_written_is_none(self):
        lib = self.make_library(MIXED)
        table = self.write("d.csv", TABLE)
        self.check(["report", lib, table, "-o", self.path("none/r.html")], 1,
                   stderr=r"extfn: open '.*/none/': No such file or directory\n")
        self.check(["report", lib, table, "-o", "/dev/full", "--keep-going"], 1,
                   stderr=r"extfn: write '/dev/full': No space left on device\n")
        self.write("broken.csv", "x,label,at\n1,2\n")
        self.check(["report", lib, self.path("broken.csv"), "-o", self.path("r.html")], 2,
                   stderr=r"extfn: \S*:2: 2 fields where the header has 3; .*\n")
        self.assertEqual(sorted(os.listdir(self.directory)), ["broken.csv", "d.csv", "lib"])

    def test_a_library_without_functions_is_refused(self):
        os.mkdir(self.path("lib"))
        table = self.write("d.csv", TABLE)
        self.check(["report", self.path("lib"), table], 2,
                   stderr="extfn: no function files in .*\n")
        self.write("lib/f.py", "x = 1\n")
        self.check(["report", self.path("lib"), table], 1,
                   stderr=r"extfn: \S*/f.py:1: no declaration; .*\n")

    def test_neither_page_nor_memory_grow_with_the_table(self):
        with open(EXTFN, "rb") as text:
            if b"__asan_init" in text.read():
                self.skipTest("a sanitizer's memory is not ours")
        lib = self.make_library({
            "f.wat": ";; extfn: f(x: number) -> number\n(module (func (export \"improv_call\") "
                     "(param f64) (result f64) (f64.sqrt (local.get 0))))\n"})
        if program.run("call", lib, "f", "4").returncode == 3:
            if "wasm" in os.environ.get("EXTFN_TEST_REQUIRE", ""):
                self.fail("needs wasm")
            self.skipTest("needs wasm")
        with open(self.path("d.csv"), "w", encoding="ascii") as table:
            table.write("x\n")
            table.writelines(f"{i - 1000}\n" for i in range(1_000_000))
        run = subprocess.Popen([EXTFN, "report", lib, self.path("d.csv"), "-o",
                                self.path("r.html")], stderr=subprocess.PIPE)
        self.assertEqual(run.stderr.read(), b"")
        run.stderr.close()
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(run.returncode, 0)
        page = self.read("r.html")
        self.assertLess(len(page), 100_000)
        self.assert_told(Reader(page).sections["f"], "finite 999,000", "NaN 1,000",
                         "median, about 706.", "The first 100 of 1,000,000 rows")
        self.assertLess(used.ru_maxrss * 1024, 48 << 20)


if __name__ == "__main__":
    program.main()
