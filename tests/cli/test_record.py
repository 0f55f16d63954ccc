"""--record: a file for each failing call. SPDX-License-Identifier: MIT"""
import json
import os
import stat

import program
from program import LIB

SECRET = "a-secret-of-the-environment"


class Records(program.ProgramTest):
    def records(self, name="rec"):
        """What lies in the directory, read, in the order of the names."""
        found = []
        for entry in sorted(os.listdir(self.path(name))):
            self.assertRegex(entry, r"\Aextfn-\d{8}T\d{6}\.\d{6}Z-[0-9a-f]{16}\.json\Z")
            found.append(json.loads(self.read(os.path.join(name, entry))))
        return found

    def test_a_failing_call_is_one_file(self):
        rec = self.path("rec")
        self.check(["call", LIB, "inverse", "0", "--record", rec, "--timeout", "3"], 1, "",
                   r"extfn: recorded \S+/rec/extfn-\S+\.json\nextfn: .*ZeroDivisionError.*\n",
                   env={"EXTFN_TEST_SECRET": SECRET})
        [one] = self.records()
        self.assertEqual(one["extfn_record"], 1)
        self.assertEqual(one["function"]["name"], "inverse")
        self.assertEqual(one["function"]["language"], "Python")
        self.assertEqual(one["args"], [0])
        self.assertEqual(one["limits"]["timeout_us"], 3000000)
        self.assertEqual(one["outcome"]["kind"], "Runtime")
        self.assertIn("ZeroDivisionError", one["outcome"]["message"])
        self.assertRegex(one["interpreter_version"], "Python 3")
        [entry] = os.listdir(rec)
        mode = os.stat(os.path.join(rec, entry)).st_mode
        self.assertEqual(stat.S_IMODE(mode), 0o600)
        self.assertNotIn(SECRET, self.read(os.path.join("rec", entry)))

    def test_what_goes_well_is_not_recorded(self):
        self.check(["call", LIB, "hypot", "3", "4", "--record", self.path("rec")], stdout="5.0\n")
        self.assertEqual(self.records(), [])

    def test_rows_of_a_table_are_recorded_up_to_a_bound(self):
        path = self.write("d.csv", "x\n" + "1\n0\nword\n" * 3 + "0\n" * 110)
        done = program.run("apply", LIB, "inverse", path, "--record", self.path("rec"),
                           "-o", self.path("out.csv"))
        self.assertEqual(done.returncode, 1)
        told = done.stderr.decode()
        self.assertRegex(told, r"extfn: recorded 100 failing calls in \S+/rec\n"
                         r"extfn: left 13 failing calls unrecorded\n")
        records = self.records()
        self.assertEqual(len(records), 100)
        self.assertEqual({tuple(one["args"]) for one in records}, {(0,)})
        # What the row itself printed is not known.
        self.assertNotIn("stderr", records[0]["outcome"])

    def test_rpc_records_too(self):
        stdin = ('{"id":1,"call":"inverse","args":[0]}\n{"id":2,"call":"inverse","args":[2]}\n'
                 '{"id":3,"call":"inverse","columns":[[0,1]]}\n{"id":4,"call":"inverse"}\n'
                 '{"id":5,"call":"forever","args":[7],"timeout":0.3}\n')
        done = program.run("rpc", LIB, "--record", self.path("rec"), stdin=stdin)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(len(done.stdout.splitlines()), 5)
        self.assertRegex(done.stderr.decode(), r"\Aextfn: recorded 3 failing calls in \S+/rec\n\Z")
        records = self.records()
        self.assertEqual([one["args"] for one in records], [[0], [0], [7]])
        self.assertEqual(records[2]["outcome"]["kind"], "Timeout")
        self.assertEqual(records[2]["limits"]["timeout_us"], 300000)

    def test_a_directory_that_cannot_be_had_is_told_before_anything_runs(self):
        path = self.write("file", "")
        self.check(["call", LIB, "hypot", "3", "4", "--record", path], 1, "",
                   r"extfn: open the directory '\S+': Not a directory\n")
        self.check(["call", LIB, "hypot", "3", "4", "--record", self.path("a/b")], 1, "",
                   r"extfn: make the directory '\S+': No such file or directory\n")


if __name__ == "__main__":
    program.main()
