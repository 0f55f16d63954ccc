# The Python driver against the wire protocol: what a row may change, prints and can reach.
# SPDX-License-Identifier: MIT
import os
import shutil
import unittest

import harness
from harness import Failed, Lost
from python_case import COMMAND, Case, DRIVER, FLAGS, GUEST, IS_311, PYTHON, run, start, succeeds


class Isolation(Case):
    def test_nothing_of_a_row_outlives_it(self):
        seen = "try:\n  seen\n  result = 1\nexcept NameError:\n  result = 0\nseen = 1"
        for extra in ["", "\nglobal q", "\ndef f(): return seen", "\nimport os",
                      "\nif 0: return 3", "\nif 0: return 3\nglobal q"]:
            self.check_rows([0.0, 0.0, 0.0], seen + extra, rows=3)
        self.check_rows([1.0, 1.0], "import functools\ncalls = []\n@functools.lru_cache\n"
                                    "def f(x):\n  calls.append(x)\nf(1)\nf(1)\n"
                                    "result = len(calls)", rows=2)

    def test_the_process_is_put_right_after_each_row(self):
        bodies = [
            "import os\nresult = len(os.environ)\nos.environ['A'] = 'b'\ndel os.environ['HOME']",
            "import os\nresult = 1 if os.getenv('HOME') == '/tmp' else 0\nos.environ = {}",
            "import os\nresult = len(os.getcwd())\nos.chdir('/usr')",
            "import os\nresult = os.umask(0o77)",
            "import sys\nresult = len(sys.path)\nsys.path.append('/')",
            "import sys\nresult = len(sys.path)\nsys.path = []",
            "import sys\nresult = len(sys.argv)\nsys.argv.append('/')",
            "import sys\nresult = sys.getrecursionlimit()\nsys.setrecursionlimit(99)",
            "import sys, io\nresult = 1 if type(sys.stdout) is io.StringIO else 0\n"
            "sys.stdout = io.StringIO()",
            "import sys\nresult = 1 if sys.stdin.closed else 0\nsys.stdin.close()",
            "import decimal\nresult = decimal.getcontext().prec\ndecimal.getcontext().prec = 3",
            "import locale\nresult = len(locale.setlocale(locale.LC_ALL))\n"
            "locale.setlocale(locale.LC_ALL, 'C')",
            "import warnings\nresult = len(warnings.filters)\nwarnings.simplefilter('error')",
            "import sys\nresult = 1 if sys.gettrace() else 0\nsys.settrace(lambda *_: None)",
            "import gc\nresult = 1 if gc.isenabled() else 0\ngc.disable()",
        ]
        if IS_311:
            bodies += ["import sys\nresult = sys.get_int_max_str_digits()\n"
                       "sys.set_int_max_str_digits(0)"]
        for body in bodies:
            with self.subTest(body=body):
                rows = run(body, rows=3)
                self.assertIsInstance(rows[0], float)
                self.assertEqual(rows[:1] * 3, rows)
                failing = run(body + "\nif args[0]: raise ValueError", [1.0, 0.0, 0.0])
                self.assertEqual(rows[:2], failing[1:])

    def test_modules_have_the_attributes_of_the_first_row(self):
        for body in [
                "import math\nresult = 1 if hasattr(math, 'x') else 0\nmath.x = args",
                "import math\nresult = math.pi\nmath.pi = 3",
                "import math\nresult = math.pi\ndel math.pi",
                "import math as m\nresult = m.tau\nm.tau += 1",
                "from os import path\nresult = len(path.sep)\npath.sep = '//'",
                "import os\nresult = len(os.path.sep)\nos.path.sep = '//'",
                "import os, math\nresult = math.e\nmath.__dict__['e'] = 3",
                "import math\nresult = len(vars(math))\nvars(math).clear()",
                "import math\nresult = math.e\nsetattr(math, 'e', 3)",
                "import math\nresult = math.e\ndelattr(math, 'e')",
                "import math\nresult = math.inf\nobject.__setattr__(math, 'inf', 3)",
                "import json\nresult = len(json.__name__)\nfor json.__name__ in 'a', 'ab': pass",
                "import re\nresult = len(re.enum.__name__)\nre.enum.__name__ = ''",
                "import math\ndef f(): return math\nresult = f().pi\nf().pi = 3",
                "import math, sys\nresult = math.pi\nsys.modules['math'].pi = 3",
                "import math, sys\nresult = math.pi\nsys.modules['math'] = type(sys)('math')",
                "import math, sys\nresult = math.pi\nsys.modules.clear()",
                "import sys\nresult = len(sys.platform)\nsys.platform = ''",
                "import xml\n__import__('xml.sax')\nresult = len(xml.sax.__name__)\nxml.x = 1\n"
                "import xml.sax",
                "import builtins\ntry: result = y\nexcept NameError: result = 0\nbuiltins.y = 1",
                "import builtins\nresult = len('ab')\nbuiltins.len = lambda text: 5",
                "result = len('ab')\n__builtins__.len = lambda text: 5",
                "result = len('ab')\nprint.__self__.len = lambda text: 5"]:
            with self.subTest(body=body):
                rows = run(body, rows=3)
                self.assertIsInstance(rows[0], float)
                self.assertEqual(rows[:1] * 3, rows)
                failing = run(body + "\nif args[0]: 1 / 0", [1.0, 0.0, 0.0])
                self.assertEqual(rows[:2], failing[1:])

    def test_random_numbers_are_those_of_the_first_row(self):
        for body in ["import random\nresult = random.random()",
                     "from statistics import NormalDist\nresult = NormalDist(0, 1).samples(1)[0]",
                     "import tempfile, random\nresult = random.random()",
                     "r = __import__('ran' + 'dom')\nresult = r.random()",
                     "def f():\n  from random import choice\n  return choice(range(9999))\n"
                     "result = f()"]:
            with self.subTest(body=body):
                rows = run(body, rows=3)
                self.assertIsInstance(rows[0], float)
                self.assertEqual(rows[:1] * 3, rows)
                self.assertEqual(rows, run(body, rows=3))

    def test_warnings_of_the_body_are_printed_for_every_row(self):
        with start() as worker:
            worker.setup("import warnings\nwarnings.warn('careful')\nresult = 1").call([], 3)
            self.assertEqual(3, worker.stderr.count(b"careful"))

    def test_memory_of_recursive_helpers_is_given_back(self):
        body = ("import resource\ndata = bytearray(30 << 20)\n"
                "def f(n): return f(n - 1) if n else len(data)\nf(3)\n"
                "result = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024")
        self.assertLess(run(body, rows=50)[-1], 150)

    def test_the_driver_is_out_of_reach(self):
        for body in ["import __main__\nresult = 1 if hasattr(__main__, 'main') else 0",
                     "result = 1 if 'read_frame' in globals() else 0",
                     "import sys\nresult = len(sys.argv) - 1"]:
            self.check_value(0.0, body)
        self.check_rows(["ok", "ok"], "import builtins, os, struct\n"
                        "builtins.len = builtins.type = builtins.memoryview = None\n"
                        "builtins.isinstance = builtins.issubclass = builtins.str = None\n"
                        "os.read = os.write = os._exit = None\n"
                        "import posix\nposix.read = posix.write = None\nstruct.Struct = None\n"
                        "result = 'ok'", returns="Text", rows=2)
        self.assertEqual(1.0, run("import sys\nsys.modules.clear()\nresult = 1", rows=2)[0])

    def test_sys_path_has_no_script_directory(self):
        self.check_value(0.0, "import sys\nresult = sys.path.count(%r)" % os.path.dirname(DRIVER))


class Output(Case):
    def run_printing(self, body, rows=1):
        with start() as worker:
            return worker.setup(body).call([], rows), worker.stdout, worker.stderr

    def test_prints_are_captured(self):
        body = "import sys\nprint('out', end='')\nprint('err', file=sys.stderr)\nresult = 1"
        self.assertEqual(([1.0, 1.0], b"outout", b"err\nerr\n"), self.run_printing(body, 2))
        self.assertEqual(([1.0], b"\\ud800\xc3\xa9\n", b""),
                         self.run_printing("print('\\ud800\u00e9')\nresult = 1"))

    def test_prints_before_an_error_or_death_are_captured(self):
        self.assertEqual(b"a", self.run_printing("print('a', end='')\n1/0")[1])
        with start() as worker:
            worker.setup("import os\nprint('before')\nos.abort()")
            with self.assertRaises(Lost) as raised:
                worker.call()
            self.assertEqual((-6, b"before\n"), (raised.exception.status, worker.stdout))

    def test_a_closed_or_replaced_stdout_spoils_nothing(self):
        for text in ["sys.stdout.close()", "sys.stdout = None", "del sys.stdout",
                     "sys.stdout.detach()", "sys.stdout.buffer.close()", "sys.stdout = 5"]:
            with self.subTest(text=text):
                rows, out, _ = self.run_printing("import sys\nprint('a')\n%s\nresult = 1" % text, 3)
                self.assertEqual(([1.0] * 3, b"a\n" * 3), (rows, out))

    def test_closed_descriptors_cost_at_most_the_worker(self):
        rows, _, _ = self.run_printing("import os\nfor i in 0, 1, 2:\n  try: os.close(i)\n"
                                       "  except OSError: pass\nresult = 1", 2)
        self.assertEqual([1.0, 1.0], rows)
        for fd in [3, 4]:
            with start() as worker, self.assertRaises(Lost):
                worker.setup("import os\nos.close(%d)\nresult = 1" % fd)
                worker.call()
                worker.call()

    def test_frames_are_not_on_stdout(self):
        rows, out, _ = self.run_printing("import os\nos.write(1, b'exfn' * 6)\nresult = 1")
        self.assertEqual(([1.0], b"exfn" * 6), (rows, out))

    def test_modules_that_print_when_loaded_are_silent(self):
        self.assertEqual(([1.0], b"", b""), self.run_printing("import this\nresult = 1"))


@unittest.skipUnless(GUEST, "EXTFN_TEST_GUEST is not set")
class Seal(Case):
    def test_a_sealed_worker_says_so(self):
        with start() as worker:
            self.assertEqual(harness.SEALED, worker.setup("result = 1", seal=True).ready)
            self.assertEqual([1.0], worker.call())
        with start() as worker:
            self.assertEqual(0, worker.setup("result = 1").ready)

    def check_fails(self, body="result = 1", message=".", reason="seal", **options):
        with start(**options) as worker, self.assertRaises(Failed) as raised:
            worker.setup(body, seal=True)
        self.assertEqual(reason, raised.exception.reason)
        self.assertRegex(raised.exception.message, message)

    def test_a_seal_that_fails_fails_the_setup(self):
        self.check_fails(environment={"FAKE_SEAL_FAILS": "1"}, message="^Operation not permitted$")

    def test_a_missing_library_fails_the_setup(self):
        self.check_fails(command=COMMAND[:-1] + ["/nothing.so"], message="nothing.so",
                         reason="language")
        self.check_fails(command=COMMAND[:-1], reason="language")

    def test_the_seal_comes_before_the_body_is_looked_at(self):
        self.check_fails("x = = 1", environment={"FAKE_SEAL_FAILS": "1"})


BWRAP = ["bwrap", "--unshare-user", "--ro-bind", "/usr", "/usr", "--ro-bind", "/etc", "/etc",
         "--symlink", "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--tmpfs", "/tmp"]


class Files(Case):
    MAKE = ("import os\nresult = len(os.listdir('/tmp'))\nopen('/tmp/file', 'w').close()\n"
            "os.mkdir('/tmp/shut')\nos.mkdir('/tmp/shut/in')\nos.chmod('/tmp/shut', 0)\n"
            "os.symlink('/', '/tmp/link')\nos.mkdir('/tmp/deep')\nos.chdir('/tmp/deep')\n"
            "for _ in range(1500):\n  os.mkdir('deeper')\n  os.chdir('deeper')\n")

    @unittest.skipUnless(GUEST and shutil.which("bwrap") and PYTHON.startswith("/usr/")
                         and succeeds(*BWRAP, "true"), "no bubblewrap here")
    def test_files_of_a_row_are_gone_before_the_next(self):
        command = BWRAP + ["--ro-bind", DRIVER, "/b/driver.py", "--ro-bind", GUEST, "/b/guest.so",
                           "--chdir", "/tmp", "--", PYTHON, *FLAGS, "/b/driver.py", "/b/guest.so"]
        with start(command=command) as worker:
            self.assertEqual([0.0] * 3, worker.setup(self.MAKE, own_tmp=True).call([], 3))
        with start(command=command) as worker:
            worker.setup(self.MAKE + "if args[0]: 1 / 0", ["Number"], own_tmp=True)
            self.assertEqual(0.0, worker.call([[1.0, 0.0]])[1])

    def test_files_of_an_unconfined_host_are_left_alone(self):
        name = "/tmp/extfn-test-%d" % os.getpid()
        with open(name, "w"):
            pass
        try:
            with start(cwd="/tmp") as worker:
                worker.setup("import os\nresult = 1", seal=bool(GUEST)).call([], 3)
            self.assertTrue(os.path.exists(name))
        finally:
            os.unlink(name)


class Start(Case):
    def test_only_cheap_modules_are_loaded(self):
        with start() as worker:
            worker.setup("import sys\nresult = ' '.join(sys.modules)", [], "Text")
            loaded = set(worker.call()[0].split())
        dear = {"json", "ctypes", "ast", "re", "traceback", "inspect", "datetime", "os", "random",
                "enum", "functools", "collections", "typing"}
        self.assertEqual(set(), loaded & dear)

    def test_strings_are_hashed_the_same_in_every_worker(self):
        body = "result = hash('apple') % 1000"
        self.assertEqual(run(body), run(body))


if __name__ == "__main__":
    unittest.main()
