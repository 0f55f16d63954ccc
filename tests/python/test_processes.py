"""Threads, signals, forks: what a program does beside its calls. SPDX-License-Identifier: MIT"""
import os
import signal
import subprocess
import sys
import threading
import unittest

import bodies
import extfn
import numpy

ENDLESS = {"Python": bodies.make("while True: pass", ["Number"])}
if bodies.is_there("Wasm"):
    ENDLESS["Wasm"] = bodies.make('(module (func (export "improv_call") (param f64) (result f64)'
                                  " (loop br 0) unreachable))", ["Number"], language="Wasm")
ADD = bodies.make("result = x + y")


def threads():
    return len(os.listdir("/proc/self/task"))


def interrupted_by(signal_number, call):
    """Sends the signal to this process once the call is under way: it started a worker, or of
    WebAssembly a thread."""
    workers, others = extfn.default_host().stats()["workers_started"], threads()
    is_over = threading.Event()

    def is_under_way():
        return extfn.default_host().stats()["workers_started"] > workers or threads() > others + 1

    def send():
        while not is_under_way() and not is_over.is_set():
            pass
        if not is_over.is_set():
            os.kill(os.getpid(), signal_number)
    sender = threading.Thread(target=send)
    sender.start()
    try:
        call()
    finally:
        is_over.set()
        sender.join()


class Signals(unittest.TestCase):
    def setUp(self):
        ADD(1, 2)  # so that a worker has started

    def test_ctrl_c_ends_a_call(self):
        for language, function in ENDLESS.items():
            for call in (lambda f=function: f(1), lambda f=function: f.apply([1.0, 2.0])):
                with self.subTest(language), self.assertRaises(KeyboardInterrupt):
                    interrupted_by(signal.SIGINT, call)
        self.assertEqual(ADD(1, 2), 3.0)

    def test_ctrl_c_ends_a_refresh(self):
        measure = extfn.Measure({"d": [0]}, [1])
        with self.assertRaises(KeyboardInterrupt):
            interrupted_by(signal.SIGINT, lambda: extfn.refresh(ENDLESS["Python"], measure))

    def test_a_handler_runs_meanwhile_and_may_call(self):
        seen = []

        def handle(*_):
            seen.append(ADD(len(seen), 40))
            os.kill(os.getpid(), signal.SIGINT)
        former = signal.signal(signal.SIGUSR1, handle)
        self.addCleanup(signal.signal, signal.SIGUSR1, former)
        for language, function in ENDLESS.items():
            with self.subTest(language), self.assertRaises(KeyboardInterrupt):
                interrupted_by(signal.SIGUSR1, lambda f=function: f(1))
        self.assertEqual(seen, [40.0 + i for i in range(len(ENDLESS))])

    def test_ctrl_c_on_a_terminal(self):
        program = ("import test_processes\ntry:\n    print('ready', flush=True)\n"
                   "    test_processes.ENDLESS['Python'](1)\n"
                   "except KeyboardInterrupt:\n    print('interrupted')")
        with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE,
                              text=True, start_new_session=True) as child:
            self.assertEqual(child.stdout.readline(), "ready\n")
            os.killpg(child.pid, signal.SIGINT)
            self.assertEqual(child.communicate()[0], "interrupted\n")


class Threads(unittest.TestCase):
    def test_others_run_during_a_call(self):
        """The main thread counts on: the call holds no lock."""
        counted = 0
        for language in ENDLESS:
            done = threading.Event()
            failures = []

            def call(function=ENDLESS[language]):
                try:
                    extfn.default_host().call(function, 1, timeout=0.5)
                except extfn.Timeout as error:
                    failures.append(error)
                done.set()
            thread = threading.Thread(target=call)
            thread.start()
            before = counted
            while not done.is_set():
                counted += 1
            thread.join()
            with self.subTest(language):
                self.assertEqual(len(failures), 1)
                self.assertGreater(counted - before, 1000)

    def test_many_at_once(self):
        results = [None] * 8

        def work(position):
            column = ADD.apply(numpy.arange(1000.0), position)
            results[position] = [ADD(position, 1), column[999], numpy.asarray(column).sum()]
        threads = [threading.Thread(target=work, args=(i,)) for i in range(len(results))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(results, [[i + 1.0, i + 999.0, 499500.0 + 1000 * i] for i in range(8)])

    def test_closing_waits_for_calls(self):
        host = extfn.Host(timeout=0.5)
        seen = []

        def call():
            try:
                host.call(ENDLESS["Python"], 1)
            except extfn.Timeout as error:
                seen.append(error)
        thread = threading.Thread(target=call)
        thread.start()
        while not host.stats()["workers_started"]:
            pass
        host.close()
        thread.join()
        self.assertEqual(len(seen), 1)


class Forks(unittest.TestCase):
    def test_a_child_has_workers_of_its_own(self):
        self.assertEqual(ADD(1, 2), 3.0)
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            result = f"{ADD(3, 4)} {ADD.apply([1], [2])[0]}".encode()
            os.write(writing, result)
            os._exit(0)
        os.close(writing)
        with open(reading, encoding="ascii") as pipe:
            self.assertEqual(pipe.read(), "7.0 3.0")
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        self.assertEqual(ADD(5, 6), 11.0)

    def test_a_pool_of_processes(self):
        program = ("import multiprocessing, test_processes\n"
                   "test_processes.ADD(1, 2)\n"
                   "with multiprocessing.get_context('fork').Pool(2) as pool:\n"
                   "    print(pool.starmap(test_processes.ADD, [(i, 1) for i in range(4)]))\n"
                   "print(test_processes.ADD(5, 6))")
        done = subprocess.run([sys.executable, "-c", program], text=True, capture_output=True,
                              timeout=120, check=False)
        self.assertEqual((done.stdout, done.stderr), ("[1.0, 2.0, 3.0, 4.0]\n11.0\n", ""))
