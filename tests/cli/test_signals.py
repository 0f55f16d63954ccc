"""Ctrl-C, kill and kin leave nothing behind. SPDX-License-Identifier: MIT"""
import os
import signal
import subprocess
import time

import program
from program import EXTFN, LIB

CALL = ["call", LIB, "forever", "1", "--timeout", "100"]


def stat_of(pid):
    """Parent and start time of a process, None when it is gone or a zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as text:
            fields = text.read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return None
    return None if fields[0] in "ZX" else (int(fields[1]), fields[19])


def descendants(pid):
    """{pid: start time} of all processes below this one."""
    parents = {int(name): stat_of(name) for name in os.listdir("/proc") if name.isdigit()}
    found = {pid: None}
    while True:
        more = {one: known[1] for one, known in parents.items()
                if known and known[0] in found and one not in found}
        if not more:
            del found[pid]
            return found
        found.update(more)


def wait_until(condition, seconds):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


class Signals(program.ProgramTest):
    def setUp(self):
        super().setUp()
        # Who runs the tests may ignore it, as nohup does, and then so would the program.
        former = signal.signal(signal.SIGHUP, signal.SIG_DFL)
        self.addCleanup(signal.signal, signal.SIGHUP, former)

    def start(self, *args, **options):
        run = subprocess.Popen([EXTFN, *args], **options)  # pylint: disable=consider-using-with
        self.addCleanup(run.wait)
        self.addCleanup(run.kill)
        return run

    def start_worker(self, *args, least=4, **options):
        """A run whose body is under way, and the processes below it."""
        run = self.start(*args, **options)
        # supervisor, bwrap, its pid 1, extfn-enter or interpreter
        self.assertTrue(wait_until(lambda: len(descendants(run.pid)) >= least, 20))
        time.sleep(0.3)
        return run, descendants(run.pid)

    def assert_gone(self, processes, seconds):
        def are_gone():
            return not any((stat_of(pid) or (0, ""))[1] == start
                           for pid, start in processes.items())
        self.assertTrue(wait_until(are_gone, seconds), processes)

    def test_a_signal_ends_a_call_and_its_worker(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number):
                run, processes = self.start_worker(*CALL, stderr=subprocess.PIPE)
                run.send_signal(number)
                self.assertEqual(run.wait(10), 128 + number)
                self.assert_gone(processes, 0)
                self.assertEqual(run.stderr.read(), b"")
                run.stderr.close()

    def test_kill_ends_the_worker_within_a_second(self):
        run, processes = self.start_worker(*CALL)
        run.kill()
        run.wait()
        self.assert_gone(processes, 1)

    def test_a_signal_removes_the_file_that_was_to_be(self):
        table = self.write("d.csv", "x\n1\n")
        run, processes = self.start_worker("apply", LIB, "forever", table, "-o",
                                           self.path("o.csv"), "--timeout", "100")
        run.send_signal(signal.SIGINT)
        self.assertEqual(run.wait(10), 130)
        self.assertEqual(os.listdir(self.directory), ["d.csv"])
        self.assert_gone(processes, 0)

    def test_kill_leaves_no_half_of_a_file(self):
        try:
            os.close(os.open(self.directory, os.O_WRONLY | os.O_TMPFILE))
        except OSError:
            self.skipTest("this file system has no files without a name")
        table = self.write("d.csv", "x\n1\n")
        run, _ = self.start_worker("apply", LIB, "forever", table, "-o", self.path("o.csv"),
                                   "--timeout", "100")
        run.kill()
        run.wait()
        self.assertEqual(os.listdir(self.directory), ["d.csv"])

    def test_a_signal_ends_a_wait_for_input(self):
        for args in (["rpc", LIB], ["apply", LIB, "hypot", "-"], ["eval", "-l", "r", "-"]):
            with self.subTest(args=args):
                run = self.start(*args, stdin=subprocess.PIPE)
                time.sleep(0.3)
                run.send_signal(signal.SIGTERM)
                self.assertEqual(run.wait(10), 143)
                run.stdin.close()

    def test_a_signal_ends_a_check(self):
        for number in range(200):
            self.write(f"f{number}.py", f"# extfn: f{number}() -> number\nresult = {number}\n")
        run = self.start("check", self.directory, stdout=subprocess.PIPE)
        first = run.stdout.readline()
        run.send_signal(signal.SIGINT)
        lines = [first, *run.stdout]
        self.assertEqual(run.wait(10), 130)
        run.stdout.close()
        self.assertLess(len(lines), 100)

    def test_a_signal_ends_a_wait_for_the_sandbox(self):
        bwrap = self.write("bwrap", "#!/bin/sh\nexec /bin/sleep 100\n")
        os.chmod(bwrap, 0o755)
        os.chmod(self.directory, 0o755)
        self.write("f.py", "# extfn: f() -> number\nresult = 1\n")
        for args in (["doctor"], ["check", self.directory]):
            with self.subTest(args=args):
                run, processes = self.start_worker(*args, least=2, stdout=subprocess.PIPE,
                                                   env={**os.environ, "PATH": self.directory})
                run.send_signal(signal.SIGTERM)
                self.assertEqual(run.wait(10), 143)
                self.assert_gone(processes, 0)
                run.stdout.close()

    def test_an_ignored_signal_stays_ignored(self):
        run = self.start("rpc", LIB, stdin=subprocess.PIPE,
                         preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
        time.sleep(0.3)
        run.send_signal(signal.SIGINT)
        run.stdin.close()
        self.assertEqual(run.wait(10), 0)


if __name__ == "__main__":
    program.main()
