"""A sandbox that is none, or lacks a layer, is refused and told in one line.
SPDX-License-Identifier: MIT"""
import ctypes
import errno
import functools
import os
import re
import resource
import shutil
import struct
import subprocess
import unittest

import program
from program import EXTFN, HERE

BODY = ["eval", "-l", "python", "-r", "text", "result = 'ran'"]
NO_WRAPPER = "use the bubblewrap of the system's package, without a wrapper around it"
HOLLOW = r"extfn: sandbox unavailable: what is called bwrap here is not bubblewrap \(%s\); " + \
    NO_WRAPPER + "\n"

#: what the real bubblewrap is given other than it should: what is missing then
LAYERS = {
    "< --ro-bind /etc/passwd /etc/passwd": "the view of files does not hold here: a file of the "
                                           "host could be seen",
    "--remount-ro /": "the read-only root does not hold here: / could be written",
    "--size SIZE": "the size of /tmp does not hold here: it has none",
    "--unshare-pid": "the process namespace does not hold here: it is not a new one",
    "--new-session": "the session does not hold here: it is not a new one",
    "= 65534 65533": "the user namespace does not hold here: the worker had another user or a "
                     "privilege",
    "--unshare-net": r"the network namespace does not hold here \(extfn-enter: the network is the "
                     r"host's: errno \d+\)",
    "--seccomp 15": r"the first system call filter does not hold here \(extfn-enter: the system "
                    r"call filter is not in force: errno \d+\)",
}

#: scripts that are called bwrap: what is said of them
SCRIPTS = {
    "shift 3\nexec \"$@\"": r".*/b/extfn-enter: not found",
    "echo ready": "without a word",
    "echo out of order >&2\nexit 1": "out of order",
    "exec yes": "it floods its output",
    "exec yes >&2": "it floods its output",
    "yes | head -c 24 >&4\nexec sleep 1000": "it writes where a worker does",
    "yes | head -c 24 >&7\nexec sleep 1000": "it writes where a worker does",
}

#: what bubblewrap itself says where it cannot work, and what is said of that
COMPLAINTS = {
    "setting up uid map: Permission denied":
        ("the system forbids bubblewrap a user namespace (AppArmor)", "give bwrap an AppArmor "),
    "loopback: Failed RTM_NEWADDR: Operation not permitted":
        ("the system forbids bubblewrap a user namespace (AppArmor)", "give bwrap an AppArmor "),
    "Failed to make / slave: Permission denied":
        ("this container forbids to mount", "run it under an AppArmor profile "),
    "Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded "
    "(ENOSPC)": ("user namespaces are used up or switched off", "set the sysctl "),
    "Can't mount proc on /newroot/proc: Operation not permitted":
        ("this container masks parts of /proc", "run it with an unmasked /proc"),
    "Unknown option --disable-userns":
        ("this bubblewrap is too old", "install bubblewrap 0.8 or newer"),
}

OPEN_FILES = r"Too many open files; raise the limit of open files \(ulimit -n\)"

#: limits of this process, and what is told then
LIMITS = {
    (resource.RLIMIT_NOFILE, 16): "make a pipe: " + OPEN_FILES,
    (resource.RLIMIT_NOFILE, 40): "start a worker's supervisor: " + OPEN_FILES,
    (resource.RLIMIT_NPROC, 1): r"start a worker: Resource temporarily unavailable; raise the "
                                r"limit of processes \(ulimit -u\)",
    (resource.RLIMIT_NPROC, 4): r"the user that sandboxes run as has too many processes \((bwrap|"
                                r"extfn-enter): .*\); raise its limit \(ulimit -u\)",
}


def refuse_memfds():
    """A system call filter that answers memfd_create with EPERM, as some containers have one."""
    number = {"x86_64": 319, "aarch64": 279}[os.uname().machine]
    code = ctypes.create_string_buffer(struct.pack(
        "=" + "HBBI" * 4, 0x20, 0, 0, 0, 0x15, 0, 1, number,
        0x06, 0, 0, 0x50000 + errno.EPERM, 0x06, 0, 0, 0x7fff0000))
    filter_of = ctypes.create_string_buffer(struct.pack("@HP", 4, ctypes.addressof(code)))
    prctl = ctypes.CDLL(None).prctl
    prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    if prctl(38, 1, 0, 0, 0) != 0 or prctl(22, 2, ctypes.addressof(filter_of), 0, 0) != 0:
        raise OSError("prctl")


def is_sanitized():
    with open(EXTFN, "rb") as program_file:
        return b"__asan_init" in program_file.read()


class Sandboxes(program.ProgramTest):
    def setUp(self):
        super().setUp()
        os.chmod(self.directory, 0o755)  # a root host drops its uid
        self.environment = {"PATH": self.directory + ":/usr/bin:/bin"}

    def be_bwrap(self, text):
        os.chmod(self.write("bwrap", text), 0o755)

    def check_refused(self, stderr, body=None):
        self.check(body or BODY, 4, "", stderr, env=self.environment)

    def test_a_layer_that_is_missing_is_named(self):
        shutil.copy(os.path.join(HERE, "fake_bwrap.py"), self.path("bwrap"))
        os.chmod(self.path("bwrap"), 0o755)
        self.write("change", "")
        self.check(BODY, 0, "ran\n", env=self.environment)
        for change, told in LAYERS.items():
            with self.subTest(change):
                self.write("change", change.replace("SIZE", str(64 << 20)) + "\n")
                self.check_refused(f"extfn: sandbox unavailable: {told}; {NO_WRAPPER}\n")

    def test_no_language_runs_a_body_unproven(self):
        shutil.copy(os.path.join(HERE, "fake_bwrap.py"), self.path("bwrap"))
        self.write("change", "< --ro-bind /etc/passwd /etc/passwd\n")
        os.chmod(self.path("bwrap"), 0o755)
        bodies = {"r": "cat('ran')\nresult <- 1", "julia": "print(1); @eval @show 1\nresult = 1.0",
                  "pure": "let result = 1;"}
        for language, body in bodies.items():
            found = program.run("eval", "-l", language, body)
            if found.returncode == 3:
                continue  # told as missing by the tests of the language itself
            with self.subTest(language):
                self.check_refused("extfn: sandbox unavailable: the view of files does not .*\n",
                                   body=["eval", "-l", language, body])

    def test_what_is_no_bubblewrap_is_told_so(self):
        for script, told in SCRIPTS.items():
            with self.subTest(script):
                self.be_bwrap("#!/bin/sh\n" + script + "\n")
                expected = HOLLOW % told
                if told == "without a word":
                    expected = (r"extfn: sandbox unavailable: bubblewrap did not start "
                                r"\(without a word\); see 'extfn doctor'\n")
                self.check_refused(expected)

    def test_one_that_cannot_be_executed_is_told_so(self):
        self.be_bwrap("#!/nonexistent/sh\n")
        self.check_refused(r"extfn: sandbox unavailable: bubblewrap cannot be executed "
                           r"\(No such file or directory\); install the package bubblewrap again\n")

    @unittest.skipUnless(os.geteuid() == 0, "needs root to make a program setuid root")
    def test_a_setuid_root_one_is_refused(self):
        shutil.copy("/usr/bin/bwrap", self.path("bwrap"))
        os.chmod(self.path("bwrap"), 0o4755)
        self.check_refused(r"extfn: sandbox unavailable: '.*/bwrap' is setuid root; take that bit "
                           r"away \(chmod u-s\) and allow unprivileged user namespaces\n")

    def check_doctor(self, told, **options):
        """It tells and ends as the evaluation does."""
        for words in (BODY, ["doctor"]):
            done = subprocess.run([EXTFN, *words], capture_output=True, check=False, timeout=60,
                                  text=True, **options)
            self.assertEqual(done.returncode, 4, done.stdout + done.stderr)
            line = done.stderr if words is BODY else done.stdout
            self.assertRegex(line, rf"(?m)^(extfn:|sandbox +) ?sandbox unavailable: {told}$")

    def test_one_that_floods_its_output_is_told_so(self):
        self.be_bwrap("#!/bin/sh\nexec yes\n")
        self.check_doctor(".*it floods its output.*", env={**os.environ, **self.environment})

    def test_what_bubblewrap_complains_about_is_explained(self):
        for said, (reason, advice) in COMPLAINTS.items():
            with self.subTest(said):
                self.be_bwrap(f"#!/bin/sh\necho \"bwrap: {said}\" >&2\nexit 1\n")
                self.check_doctor(re.escape(f"{reason} (bwrap: {said}); {advice}") + ".*",
                                  env={**os.environ, **self.environment})

    @unittest.skipIf(is_sanitized(), "sanitizers need files and threads themselves")
    def test_a_limit_of_this_process_is_told(self):
        for limit, told in LIMITS.items():
            with self.subTest(limit):
                if limit[0] == resource.RLIMIT_NPROC and os.geteuid() != 0:
                    continue  # what others have running under this uid counts
                self.check_doctor(told, preexec_fn=functools.partial(
                    resource.setrlimit, limit[0], (limit[1], limit[1])))

    @unittest.skipUnless(os.geteuid() == 0, "what others have running under this uid counts")
    @unittest.skipIf(is_sanitized(), "sanitizers need files and threads themselves")
    def test_what_may_pass_is_no_reason_to_do_without_a_sandbox(self):
        self.check(BODY, 4, "", "extfn: sandbox unavailable: the user that .* too many .*\n",
                   env={"IMPROV_EXTFN_ALLOW_UNSANDBOXED": "1"}, preexec_fn=functools.partial(
                       resource.setrlimit, resource.RLIMIT_NPROC, (4, 4)))

    def test_one_that_was_killed_or_said_nothing_is_no_reason_either(self):
        allowed = {**self.environment, "IMPROV_EXTFN_ALLOW_UNSANDBOXED": "1"}
        for text, told in (("kill -9 $$", "was killed by signal 9 while it started; try again"),
                           ("exit 1", r"did not start \(without a word\); .*")):
            self.be_bwrap(f"#!/bin/sh\n{text}\n")
            self.check(BODY, 4, "", f"extfn: sandbox unavailable: bubblewrap {told}\n", env=allowed)
        self.be_bwrap("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\n"
                      "exit 1\n")
        self.check(BODY, 0, "ran\n", "(?s).*ran without sandbox.*", env=allowed)

    @unittest.skipIf(is_sanitized(), "sanitizers need files and threads themselves")
    def test_memory_without_a_name_may_be_forbidden(self):
        self.check_doctor("make a memfd: Operation not permitted; let this container's profile of "
                          "system calls allow it, and .*", preexec_fn=refuse_memfds)

    def test_a_full_tmp_of_the_host_does_not_matter(self):
        done = subprocess.run(["/usr/bin/bwrap", "--dev-bind", "/", "/", "--size", "4096",
                               "--tmpfs", "/tmp", "--", "/bin/sh", "-c",
                               'head -c 8192 /dev/zero >/tmp/full; exec "$@"', "sh", EXTFN, *BODY],
                              capture_output=True, check=False, timeout=60, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "ran\n"), done.stderr)

    def within(self, *bwrap):
        """extfn's answer where an outer sandbox makes the machine a poorer one."""
        done = subprocess.run(["/usr/bin/bwrap", *bwrap, "--", EXTFN, *BODY], capture_output=True,
                              check=False, timeout=60, text=True)
        self.assertEqual((done.returncode, done.stdout), (4, ""), done.stderr)
        return done.stderr

    def test_a_kernel_without_user_namespaces_is_told_so(self):
        told = self.within("--dev-bind", "/", "/", "--unshare-user", "--disable-userns")
        self.assertRegex(told, r"^extfn: sandbox unavailable: user namespaces are (used up or )?"
                               r"switched off \(bwrap: .*\); set the sysctl .*\n$")

    def test_a_container_without_proc_is_told_so(self):
        if is_sanitized():
            self.skipTest("sanitizers need /proc themselves")
        told = self.within("--dev-bind", "/", "/", "--tmpfs", "/proc")
        self.assertEqual(told, "extfn: sandbox unavailable: /proc is not there; mount it\n")


if __name__ == "__main__":
    program.main()
