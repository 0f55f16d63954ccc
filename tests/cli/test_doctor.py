"""doctor: what it tells, and that its attacks can get through. SPDX-License-Identifier: MIT"""
import json
import os
import re
import shutil

import program
from program import HERE, LIB

#: what every interpreter can be asked for; a module has no more than the last four of all
ATTACKS = {
    "read-host-file", "see-processes", "read-environment", "write-elsewhere", "start-process",
    "start-program", "signal-others", "reach-network", "exhaust-memory", "fill-tmp", "run-for-ever",
}
FOR_ALL = ATTACKS - {"reach-network", "exhaust-memory", "fill-tmp", "read-environment"}
FOR_WASM = {"exhaust-memory", "run-for-ever", "import"}


class Doctor(program.ProgramTest):
    def test_every_attack_is_stopped_in_every_language(self):
        done = program.run("doctor", "--json")
        told = json.loads(done.stdout)
        self.assertEqual((done.returncode, done.stderr), (0, b""), told["attacks"])
        self.assertEqual((told["sandbox"], told["policy"]), ("usable", "restricted"))
        expected = {"Python": ATTACKS | {"local-socket", "become-root", "share-memory",
                                         "new-namespace"},
                    "R": ATTACKS, "Julia": ATTACKS, "Pure": FOR_ALL, "Wasm": FOR_WASM}
        for language, found in told["languages"].items():
            if "error" in found:
                continue
            with self.subTest(language):
                tried = {name: attempts[language]["outcome"]
                         for name, attempts in told["attacks"].items() if language in attempts}
                self.assertEqual(set(tried.values()), {"stopped"}, tried)
                self.assertLessEqual(expected[language], set(tried))
        words = told["attacks"]["reach-network"]["Python"]["words"]
        self.assertEqual(words, "Network is unreachable")
        self.assertEqual(told["limits"]["row_seconds"], 5)
        self.assertEqual(told["limits"].keys(), told["mechanisms"].keys())
        self.assertEqual("memory" in told["cgroup"],
                         told["mechanisms"]["memory_mib"].endswith("; memory.max of a cgroup"))
        self.assertIn({"name": "view of files", "stops":
                       "files of the host, and writing outside of /tmp"}, told["layers"])

    def test_the_text_has_a_table(self):
        done = program.run("doctor")
        text = done.stdout.decode()
        self.assertEqual(done.returncode, 0, text)
        for line in (r"Python +/.*Python 3.*", r"sandbox +usable",
                     r"Landlock, once more +(files.*|not in this kernel.*)",
                     r"cgroup of its own +(killed as a whole.*|none can be made here.*)",
                     r"memory +at most 1024 MiB +\(RLIMIT_DATA.*\)",
                     r"files in /tmp +at most 4096 +\(tmpfs.*\)",
                     r"attack +Python +R +Julia +Pure +Wasm",
                     r"read a file of the host +stopped .*"):
            self.assertRegex(text, rf"(?m)^{line}$")

    def be_bwrap(self, change):
        shutil.copy(os.path.join(HERE, "fake_bwrap.py"), self.path("bwrap"))
        os.chmod(self.path("bwrap"), 0o755)
        os.chmod(self.directory, 0o755)
        self.write("change", change + "\n")
        return {"PATH": self.directory + ":/usr/bin:/bin"}

    def test_it_refuses_in_the_words_of_an_evaluation(self):
        env = self.be_bwrap("--new-session")
        refused = program.run("eval", "-l", "python", "result = 1", env=env)
        done = program.run("doctor", env=env)
        self.assertEqual((refused.returncode, done.returncode), (4, 4))
        told = re.search(r"(?m)^sandbox +(sandbox unavailable: the session .*)$",
                         done.stdout.decode())
        self.assertEqual(refused.stderr.decode(), f"extfn: {told[1]}\n")

    def test_an_attack_can_get_through(self):
        """One that no layer needs to prove: the environment is given to bubblewrap alone."""
        env = self.be_bwrap("> --setenv SHELL /bin/seen")
        done = program.run("doctor", env=env)
        self.assertEqual(done.returncode, 4, done.stdout)
        self.assertRegex(done.stdout.decode(), r"(?m)^read the host's environment +GOT THROUGH")
        self.assertRegex(done.stderr.decode(), r"^extfn: sandbox unavailable: \w+ could read the "
                         r"host's environment; report it\n$")

    def test_without_bubblewrap_nothing_is_tried(self):
        env = {"PATH": self.directory, "EXTFN_INTERPRETER_JULIA": "/no/julia"}
        done = program.run("doctor", env=env)
        self.assertEqual(done.returncode, 4)
        self.assertRegex(done.stdout, rb"(?m)^sandbox +sandbox unavailable: ")
        self.assertNotIn(b"stopped", done.stdout)
        told = json.loads(program.run("doctor", "--json", env=env).stdout)
        self.assertEqual(told["sandbox"]["error"]["kind"], "Sandbox")
        self.assertIn("error", told["languages"]["Julia"])
        self.assertEqual([name for name, found in told["attacks"].items() if found], [])
        refused = program.run("call", LIB, "hypot", "3", "4", env=env)
        self.assertEqual(re.sub(b"^extfn: ", b"", refused.stderr).decode().strip(),
                         told["sandbox"]["error"]["message"])

    def test_without_bubblewrap_some_limits_may_be_in_force(self):
        env = {"PATH": self.directory, "IMPROV_EXTFN_ALLOW_UNSANDBOXED": "1"}
        told = json.loads(program.run("doctor", "--json", env=env).stdout)
        self.assertEqual([name for name, value in told["limits"].items() if value is None],
                         ["tmp_mib", "tmp_files"])
        self.assertRegex(program.run("doctor", env=env).stdout,
                         rb"(?m)^sandbox +sandbox unavailable: .*  "
                         rb"\(IMPROV_EXTFN_ALLOW_UNSANDBOXED=1: evaluation goes on\)$")

    def test_trusted_is_told_and_not_tested(self):
        done = program.run("doctor", env={"IMPROV_EXTFN_TRUSTED": "1"})
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, rb"(?m)^sandbox +none \(IMPROV_EXTFN_TRUSTED=1\)$")
        self.assertNotIn(b"stopped", done.stdout)

    def test_trusted_has_the_limits_alone_that_are_kept_from_outside(self):
        env = {"IMPROV_EXTFN_TRUSTED": "1"}
        told = json.loads(program.run("doctor", "--json", env=env).stdout)
        for found in told["limits"], told["mechanisms"]:
            self.assertEqual([name for name, value in found.items() if value is not None],
                             ["row_seconds", "start_seconds", "output_mib"])
        self.assertRegex(program.run("doctor", env=env).stdout, rb"(?m)^memory +without limit$")
        body = "result = len('a' * (100 << 20))"
        self.check(["eval", "-l", "python", "--memory", "16M", body], env=env,
                   stdout="104857600.0\n")


if __name__ == "__main__":
    program.main()
