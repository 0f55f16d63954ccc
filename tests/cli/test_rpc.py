"""rpc: a request a line. SPDX-License-Identifier: MIT"""
import json
import subprocess

import program
from program import EXTFN, LIB

FN = ('"fn":{"name":"f","language":"%s","body":"%s","arg_types":["Number","Number"],'
      '"return_type":"Number","pure":true}')
PYTHON = FN % ("Python", "result = args[0] + args[1]")
R = FN % ("R", "result <- args[[1]] + args[[2]]")

REPLIES = [
    ('{"id":1,"call":"hypot","args":[3,4]}', '{"id":1,"ok":5.0}'),
    ('{"id":1,%s,"args":[2,3]}' % PYTHON, '{"id":1,"ok":5.0}'),
    ('{"id":"x",%s,"args":[2,3]}' % R, '{"id":"x","ok":5.0}'),
    ('{"id":2,"call":"hypot","columns":[[3,6],[4,8]]}', '{"id":2,"rows":[5.0,10.0]}'),
    ('{"id":3,"call":"chatter","args":[1]}',
     '{"id":3,"ok":1.0,"stdout":"to stdout 1.0\\n","stderr":"to stderr\\n"}'),
]

# Request, kind of the error.
ERRORS = [
    ('', "InvalidArgument"),
    ('{', "InvalidArgument"),
    ('[]', "InvalidArgument"),
    ('\xff', "InvalidArgument"),
    ('{"id":1}', "InvalidArgument"),
    ('{"id":1,"call":7,"args":[]}', "InvalidArgument"),
    ('{"id":1,"call":"hypot","args":"x"}', "InvalidArgument"),
    ('{"id":1,"call":"none","args":[]}', "NotFound"),
    ('{"id":1,"call":"hypot","args":[1]}', "ArityMismatch"),
    ('{"id":1,"call":"hypot","args":[1,"x"]}', "TypeMismatch"),
    ('{"id":1,"call":"inverse","args":[0]}', "Runtime"),
    ('{"id":1,"call":"forever","args":[0],"timeout":0.3}', "Timeout"),
]


class Rpc(program.ProgramTest):
    def test_requests_are_answered(self):
        stdin = "".join(request + "\n" for request, _ in REPLIES)
        stdout = "".join(reply + "\n" for _, reply in REPLIES)
        self.check(["rpc", LIB], stdin=stdin, stdout=stdout)

    def test_bad_requests_have_error_replies(self):
        stdin = "".join(request + "\n" for request, _ in ERRORS)
        done = program.run("rpc", LIB, stdin=stdin.encode("latin-1"))
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        replies = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([reply["error"]["kind"] for reply in replies],
                         [kind for _, kind in ERRORS])

    def test_a_receipt_tells_cold_from_warm(self):
        request = '{"id":1,"call":"hypot","args":[3,4],"cost":true}\n'
        done = program.run("rpc", LIB, stdin=2 * request)
        cold, warm = [json.loads(line)["cost"] for line in done.stdout.splitlines()]
        self.assertEqual((cold["workers_started"], cold["workers_warm"]), (1, 0))
        self.assertEqual((warm["workers_started"], warm["workers_warm"]), (0, 1))
        self.assertEqual((warm["rows"], warm["bytes_in"], warm["bytes_out"]), (1, 16, 8))
        self.assertLess(warm["cpu_us"], cold["cpu_us"])

    def test_workers_keep_within_their_memory(self):
        stdin = "".join('{"id":1,"fn":{"name":"f","language":"Python","body":"result = %d",'
                        '"arg_types":[],"return_type":"Number","pure":true},"args":[],'
                        '"cost":true}\n' % number for number in (1, 2, 1))
        for option, starts in ([], [1, 1, 0]), (["--workers-memory", "16M"], [1, 1, 1]):
            done = program.run("rpc", *option, stdin=stdin)
            costs = [json.loads(line)["cost"] for line in done.stdout.splitlines()]
            self.assertEqual([cost["workers_started"] for cost in costs], starts)

    def test_a_memo_answers_what_was_asked_before(self):
        request = '{"id":1,"call":"hypot","args":[3,4],"cost":true}\n'
        for memo, hits in ([], [0, 0]), (["--memo", "1M"], [0, 1]):
            done = program.run("rpc", LIB, *memo, stdin=2 * request)
            replies = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual([reply["ok"] for reply in replies], [5, 5])
            self.assertEqual([reply["cost"]["memo_hits"] for reply in replies], hits)

    def test_a_memo_changes_no_reply(self):
        stdin = 2 * "".join(request + "\n" for request, _ in REPLIES)
        stdout = 2 * "".join(reply + "\n" for _, reply in REPLIES)
        self.check(["rpc", LIB, "--memo", "1M"], stdin=stdin, stdout=stdout)

    def test_no_library_is_needed(self):
        self.check(["rpc"], stdin='{"id":1,%s,"args":[2,3]}' % PYTHON, stdout='{"id":1,"ok":5.0}\n')
        self.check(["rpc"], stdin="", stdout="")

    def test_half_a_line_at_the_end_is_answered(self):
        done = program.run("rpc", LIB, stdin='{"id":1,"call":"hypot","args":[3,4]}\n{"id":2,"ca')
        replies = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(done.returncode, 0)
        self.assertEqual(replies[0]["ok"], 5)
        self.assertEqual(replies[1]["error"]["kind"], "InvalidArgument")

    def test_each_reply_comes_before_the_next_request(self):
        with subprocess.Popen([EXTFN, "rpc", LIB], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE) as run:
            for number in range(3):
                run.stdin.write(b'{"id":%d,"call":"answer","args":[]}\n' % number)
                run.stdin.flush()
                self.assertEqual(json.loads(run.stdout.readline()), {"id": number, "ok": 42.0})
            run.stdin.close()
            self.assertEqual(run.wait(30), 0)

    def test_a_function_file_that_changed_is_read_again(self):
        def ask(number, name):
            run.stdin.write(b'{"id":%d,"call":"%s","args":[]}\n' % (number, name))
            run.stdin.flush()
            reply = json.loads(run.stdout.readline())
            self.assertEqual(reply.pop("id"), number)
            return reply

        head = "# extfn: %s() -> number\nresult = %s\n"
        self.write("f.py", head % ("f", 1))
        self.write("g.py", head % ("g", 2))
        with subprocess.Popen([EXTFN, "rpc", self.directory], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as run:
            self.assertEqual(ask(1, b"f"), {"ok": 1.0})
            self.write("f.py", head % ("f", 3))
            self.assertEqual(ask(2, b"f"), {"ok": 3.0})
            self.write("f.py", "\n# extfn: f() -> nothing\n")
            error = ask(3, b"f")["error"]
            self.assertEqual(error["kind"], "InvalidArgument")
            self.assertIn(self.path("f.py") + ":2: unknown type 'nothing'", error["message"])
            self.assertEqual(ask(4, b"g"), {"ok": 2.0})
            self.write("h.py", head % ("h", 5))
            self.assertEqual(ask(5, b"h"), {"ok": 5.0})
            self.write("f.py", head % ("f", 6))
            self.assertEqual(ask(6, b"f"), {"ok": 6.0})
            run.stdin.close()
            self.assertRegex(run.stderr.read(), rb"\Aextfn: warning: [^\n]*f.py:2: [^\n]*\n\Z")
            self.assertEqual(run.wait(30), 0)

    def test_what_is_not_found_tells_the_problem_of_its_file(self):
        self.write("price.py", "# extfn: price(x: numbr) -> number\nresult = x\n")
        done = program.run("rpc", self.directory, stdin='{"call":"price","args":[3]}\n')
        error = json.loads(done.stdout)["error"]
        self.assertEqual(error["kind"], "NotFound")
        self.assertRegex(error["message"], r"\Aexternal function not found: price; "
                         r".*/price\.py:1: unknown type 'numbr'; ")

    def test_a_line_beyond_the_limit_is_skipped(self):
        long = b'{"id":1,"call":"' + b"x" * (100 << 20) + b'"}\n'
        done = program.run("rpc", LIB, stdin=long + b'{"id":2,"call":"answer","args":[]}\n')
        replies = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(len(replies), 2)
        self.assertEqual(replies[0]["error"]["kind"], "InvalidArgument")
        self.assertEqual(replies[1], {"id": 2, "ok": 42.0})


if __name__ == "__main__":
    program.main()
