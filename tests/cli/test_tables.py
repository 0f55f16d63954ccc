"""apply: one function over several tables. SPDX-License-Identifier: MIT"""
import program
from program import LIB

PRICES = "product,x\nb,2\na,10\n"
UNITS = "region,product,month,y\nnorth,a,10,1\nnorth,b,2,3\nsouth,a,2,\nsouth,c,1,9\n"

JOINED = [
    # A price counts for all regions and months; months are sorted as numbers.
    ("hypot", [PRICES, UNITS.replace("south,a,2,\n", "north,a,2,0\n")],
     "product,region,month,hypot,hypot_error\na,north,2,10.0,\na,north,10,10.04987562112089,\n"
     "b,north,2,3.605551275463989,\n", 0, ""),
    ("hypot", [PRICES, UNITS],
     "product,region,month,hypot,hypot_error\na,north,10,10.04987562112089,\n"
     "a,south,2,,missing input: y\nb,north,2,3.605551275463989,\n", 1,
     r"extfn: 1 of 3 rows failed; see column hypot_error\n"),
    # Nothing is shared: all meet all.
    ("hypot", ["a,x\nq,3\np,0\n", "b,y\n1,4\n"],
     "a,b,hypot,hypot_error\np,1,4.0,\nq,1,5.0,\n", 0,
     r"extfn: warning: \S*0.csv and \S*1.csv share no column: each row meets all of the other\n"),
    # What was written by such a call goes in again, errors too.
    ("hypot", ["k,x,x_error\n1,3,\n2,,ValueError: no\n3,,\n", "y,y_error\n4,\n"],
     "k,hypot,hypot_error\n1,5.0,\n2,,ValueError: no\n3,,missing input: x\n", 1,
     r"extfn: 2 of 3 rows failed; see column hypot_error\n"),
    ("hypot", ["k,x,x_error\n1,3,0.1\n", "y\n4\n"], "k,hypot,hypot_error\n1,5.0,\n", 0, ""),
    ("hypot", ["k,x\n1,3\n", "k,y\n2,4\n"], "k,hypot,hypot_error\n", 0, ""),
    ("hypot", ["k,x\n1,3\n", "k,y\n1.0,4\n"], "k,hypot,hypot_error\n", 0, ""),
    ("hypot", ["x\n3\n", "k,y\n\"a,\"\"b\"\"\",4\nä,0\n"],
     "k,hypot,hypot_error\n\"a,\"\"b\"\"\",5.0,\nä,3.0,\n", 0, ""),
]

REFUSED = [
    (["k,x\n1,3\n1,4\n", "y\n4\n"],
     r"extfn: \S*0.csv: there are two rows with k '1'; remove one\n"),
    (["x\n3\n4\n", "y\n4\n"], r"extfn: \S*0.csv: there are two rows; remove one\n"),
    (["k,x\n1,3\n", "k,z\n1,4\n"],
     r"extfn: no table has a column 'y', which is an argument; add one that has\n"),
    (["x,note\n3,n\n", "x,y\n6,8\n"],
     r"extfn: \S*0.csv and \S*1.csv both have the column 'x', which is an argument; rename one\n"),
    (["k,x,y\n1,3,4\n", "k,z\n1,4\n"], r"extfn: \S*1.csv: no column is an argument of hypot\n"),
    (["k,x,k\n1,3,4\n", "y\n4\n"],
     r"extfn: \S*0.csv: 2 columns are named 'k'; rename one\n"),
    (["hypot,x\n1,3\n", "y\n4\n"],
     r"extfn: there is a column 'hypot' already; give .* another name with --column NAME\n"),
    (["x;k\n1;3\n", "y\n4\n"], r"extfn: \S*0.csv: the fields are separated by ';'.*\n"),
    (["k,x\n1\n", "y\n4\n"], r"extfn: \S*0.csv:2: .*\n"),
    (["a\0b,x\np,1\n", "a\0c,y\nr,1\n"],
     r"extfn: \S*0.csv: a column's name has a U\+0000 in it; rename it\n"),
]


class Tables(program.ProgramTest):
    def write_all(self, tables):
        return [self.write(f"{number}.csv", text) for number, text in enumerate(tables)]

    def test_tables_are_joined_by_the_columns_that_they_share(self):
        for name, tables, stdout, status, stderr in JOINED:
            with self.subTest(tables):
                self.check(["apply", LIB, name, *self.write_all(tables)], status, stdout, stderr)

    def test_tables_that_cannot_be_joined_are_refused(self):
        for tables, stderr in REFUSED:
            with self.subTest(tables):
                self.check(["apply", LIB, "hypot", *self.write_all(tables), "-o",
                            self.path("out.csv")], 2, "", stderr)
                with self.assertRaises(FileNotFoundError):
                    open(self.path("out.csv"), "rb")

    def test_one_of_them_may_come_from_stdin(self):
        units = self.write("units.csv", "k,y\n1,4\n")
        done = program.run("apply", LIB, "hypot", units, "-", "--column", "h", stdin="k,x\n1,3\n")
        self.assertEqual(done.stdout, b"k,h,h_error\n1,5.0,\n")

    def test_an_argument_is_not_the_error_of_another(self):
        told = self.write("told.py", "# extfn: told(y: number, y_error: text) -> text\n"
                          "result = y_error\n")
        tables = self.write_all(["k,y,y_error\n1,2,hello\n2,,no\n"])
        self.check(["apply", told, "told", tables[0]], 1,
                   "k,y,y_error,told,told_error\n1,2,hello,hello,\n2,,no,,missing input: y\n",
                   r"extfn: 1 of 2 rows failed; see column told_error\n")
        tables = self.write_all(["k,y\n1,2\n", "k,y_error\n1,hello\n"])
        self.check(["apply", told, "told", *tables], 0, "k,told,told_error\n1,hello,\n", "")

    def test_a_function_that_fails_as_a_whole_writes_nothing(self):
        broken = self.write("broken.py", "# extfn: broken(x: number, y: number) -> number\nx +\n")
        tables = self.write_all(["k,x\n1,3\n", "k,y\n1,4\n"])
        self.check(["apply", broken, "broken", *tables], 1, "", r"extfn: \S*broken.py:2: .*\n")


if __name__ == "__main__":
    program.main()
