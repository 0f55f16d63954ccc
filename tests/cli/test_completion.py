"""What the shells complete, in real ones. SPDX-License-Identifier: MIT"""
import os
import select
import shutil
import subprocess
import sys
import time

import program
from program import EXTFN, LIB

TOP = os.path.join(program.HERE, "..", "..")
FOLDER = os.path.join(TOP, "completion")
IS_REQUIRED = "shells" in os.environ.get("EXTFN_TEST_REQUIRE", "").split(",")
# What is typed, `^` for the tabulator, and the words that come of it.
TYPED = [
    ("cal^", ["call"]),
    ("--ver^", ["--version"]),
    (f"call {LIB} hypo^3", ["call", LIB, "hypot", "3"]),
    (f"call --json {LIB} hypo^", ["call", "--json", LIB, "hypot"]),
    (f"call --timeout 3 {LIB} hypo^", ["call", "--timeout", "3", LIB, "hypot"]),
    (f"test {LIB} hypo^half", ["test", LIB, "hypot", "half"]),
    (f"call {LIB}/hypo^", ["call", f"{LIB}/hypot.py"]),
    (f"list {LIB}/hypo^", ["list", f"{LIB}/hypot.py"]),
    ("eval -l ju^", ["eval", "-l", "julia"]),
    ("eval --keep^", ["eval", "--keep"]),
    ("apply --keep^", ["apply", "--keep-going"]),
    ("eval -r bool^", ["eval", "-r", "boolean"]),
    ("check --packages ju^/usr/inclu^", ["check", "--packages", "julia=/usr/include"]),
    ("check --interpreter=ju^", ["check", "--interpreter=julia="]),
    ("new wa^first /usr/inclu^", ["new", "wasm", "first", "/usr/include"]),
    ("bench r wa^", ["bench", "r", "wasm"]),
]
START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"],
             "bind 'set bell-style none'; . {}/extfn.bash; complete -F _extfn show\n"),
    "zsh": (["zsh", "-f", "-i"],
            "fpath=({} $fpath); autoload -U compinit; compinit -D -u; compdef _extfn show;"
            " unsetopt beep zle_bracketed_paste prompt_sp\n"),
}


class Shell:
    """An interactive one on a terminal of its own; `show` shows its words."""

    def __init__(self, name, folder, path):
        command, setup = START[name]
        self.reader, writer = os.openpty()
        env = {"PATH": f"{path}:{os.environ['PATH']}", "TERM": "dumb", "HOME": path, "PS1": "$ ",
               "INPUTRC": "/dev/null", "LC_ALL": "C.UTF-8"}
        self.run = subprocess.Popen(command, stdin=writer, stdout=writer, stderr=writer, env=env,
                                    start_new_session=True, cwd=path)
        os.close(writer)
        self.ask("show() { printf '<%s>' \"$@\"; printf '<end>\\n'; }\n" + setup.format(folder)
                 + "show ready\n", "<ready><end>")

    def ask(self, typed, wanted):
        """Types it and reads until the answer is there; what came if it is not."""
        os.write(self.reader, typed.encode())
        text, until = "", time.monotonic() + 20
        while wanted not in text:
            left = until - time.monotonic()
            if left <= 0 or not select.select([self.reader], [], [], left)[0]:
                break
            text += os.read(self.reader, 4096).decode(errors="replace")
            if "<end>\r\n" in text:
                break
        return text

    def close(self):
        self.run.kill()
        self.run.wait()
        os.close(self.reader)


class Completion(program.ProgramTest):
    def setUp(self):
        super().setUp()
        os.symlink(EXTFN, self.path("extfn"))

    def need(self, name):
        if not shutil.which(name):
            if IS_REQUIRED:
                self.fail(f"needs {name}")
            self.skipTest(f"needs {name}")

    def test_the_tables_are_those_of_the_program(self):
        """Run tools/make-completion.py build/extfn completion where they are not."""
        shutil.copytree(FOLDER, self.path("completion"))
        tool = os.path.join(TOP, "tools", "make-completion.py")
        done = subprocess.run([sys.executable, tool, EXTFN, self.path("completion")],
                              capture_output=True, check=True)
        self.assertEqual(done.stdout, b"")

    def complete_in(self, name):
        self.need(name)
        shell = Shell(name, FOLDER, self.directory)
        self.addCleanup(shell.close)
        for typed, words in TYPED:  # zsh takes the slash behind a folder away
            with self.subTest(typed=typed):
                wanted = "".join(f"<{word}>" for word in words) + "<end>"
                told = shell.ask("show " + typed.replace("^", "\t") + "\n", wanted)
                self.assertIn(wanted, told.replace("/>", ">"))

    def test_bash(self):
        self.complete_in("bash")

    def test_zsh(self):
        self.complete_in("zsh")

    def test_fish(self):
        self.need("fish")
        env = {**os.environ, "PATH": f"{self.directory}:{os.environ['PATH']}",
               "HOME": self.directory}
        for typed, words in TYPED:
            head = typed.split("^")
            if len(head) > 2:
                continue  # one tabulator at a time
            with self.subTest(typed=typed):
                script = f"source {FOLDER}/extfn.fish; complete -C 'extfn {head[0]}'"
                done = subprocess.run(["fish", "--no-config", "-c", script], env=env,
                                      capture_output=True, check=True, encoding="utf-8")
                offered = [line.split("\t")[0] for line in done.stdout.splitlines()]
                place = len(head[0].split()) - 1
                if words[place] == head[0].split()[-1]:
                    self.assertEqual(offered, [])
                else:
                    self.assertIn(words[place], offered)


if __name__ == "__main__":
    program.main(needs_sandbox=False)
