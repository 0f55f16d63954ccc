"""What a terminal is shown, and a pipe is not. SPDX-License-Identifier: MIT"""
import os
import subprocess

import program
from program import EXTFN

RED, YELLOW, GREEN, PLAIN = "\033[1;31m", "\033[1;33m", "\033[1;32m", "\033[0m"
BODY = "x <- 1\ny <- x + foo"
MESSAGE = "simpleError: object 'foo' not found (line 2)\n"
EXCERPT = "      2 | y <- x + foo\n        |          {}^~~{}\n"


def terminal(*args, cwd=None, **env):
    """What comes to a terminal, on which both stdout and stderr are."""
    reader, writer = os.openpty()
    variables = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    with subprocess.Popen([EXTFN, *args], stdin=subprocess.DEVNULL, stdout=writer, stderr=writer,
                          cwd=cwd, env={**variables, "TERM": "xterm", **env}) as run:
        os.close(writer)
        text = b""
        while True:
            try:
                text += os.read(reader, 4096)
            except OSError:  # the other end is closed
                break
        run.wait(60)
    os.close(reader)
    return text.decode().replace("\r\n", "\n")


class Terminal(program.ProgramTest):
    def test_a_failure_is_coloured_and_shows_its_line(self):
        self.assertEqual(terminal("eval", "-l", "r", BODY),
                         f"{RED}extfn:{PLAIN} {MESSAGE}" + EXCERPT.format(GREEN, PLAIN))

    def test_no_color_and_a_dumb_terminal_leave_the_colours_out(self):
        for env in {"NO_COLOR": "1"}, {"TERM": "dumb"}:
            self.assertEqual(terminal("eval", "-l", "r", BODY, **env),
                             f"extfn: {MESSAGE}" + EXCERPT.format("", ""))
        self.assertIn(RED, terminal("eval", "-l", "r", BODY, NO_COLOR=""))

    def test_a_pipe_gets_the_message_alone(self):
        self.check(["eval", "-l", "r", BODY], 1, stderr=r"extfn: simpleError: .*\(line 2\)\n",
                   env={"TERM": "xterm"})

    def test_progress_is_not_shown_among_rows(self):
        path = self.write("f.py", "# extfn: f(x: number) -> number\nresult = x + 1\n")
        table = self.write("d.csv", "x\n1\n")
        self.assertEqual(terminal("apply", path, "f", table), "x,f,f_error\n1,2.0,\n")
        told = terminal("apply", path, "f", table, "-o", self.path("out.csv"))
        self.assertRegex(told, r"^\rextfn: \d+ rows\r\033\[K$")

    def test_usage_errors_are_coloured(self):
        self.assertEqual(terminal("aply"),
                         f"{RED}extfn:{PLAIN} unknown command 'aply'; did you mean 'apply'?\n")

    def test_functions_of_files_are_shown_with_their_lines(self):
        path = self.write("f.py", "# extfn: f(x: number) -> number\nresult = x + yy\n")
        table = self.write("d.csv", "x\n1\n")
        place = f"{RED}extfn:{PLAIN} {path}:2: "
        shown = f"      2 | result = x + yy\n        |              {GREEN}^~{PLAIN}\n"
        self.assertEqual(terminal("call", path, "f", "1"),
                         f"{place}NameError: name 'yy' is not defined\n{shown}")
        path = self.write("f.py", "# extfn: f(x: number) -> number\nresult = (x\n")
        shown = f"      2 | result = (x\n        |          {GREEN}^{PLAIN}\n"
        message = f"SyntaxError: '(' was never closed\n{shown}"
        self.assertEqual(terminal("apply", path, "f", table), f"{place}{message}")
        self.assertTrue(terminal("check", path).startswith(f"{path}:2: {message}"))

    def test_declarations_are_shown_with_their_lines(self):
        path = self.write("f.py", "# extfn: f(x: numbr) -> number\nresult = x\n")
        shown = f"      1 | # extfn: f(x: numbr) -> number\n        |               {GREEN}^~~~~"
        message = f"{path}:1: unknown type 'numbr'; "
        for args, head in [(["call", path, "f", "1"], f"{RED}extfn:{PLAIN} "),
                           (["call", self.directory, "f", "1"], f"{RED}extfn:{PLAIN} "),
                           (["list", path], f"{YELLOW}extfn: warning:{PLAIN} "),
                           (["check", path], "")]:
            with self.subTest(args=args):
                text = terminal(*args)
                self.assertTrue(text.startswith(head + message), text)
                self.assertIn(shown, text)


if __name__ == "__main__":
    program.main()
