"""One process of `extfn rpc`, as somebody, with a secret in its environment.
SPDX-License-Identifier: MIT"""
import json
import os
import select
import subprocess
import time

from host import descendants_of

GRACE = 40  # seconds beyond a call's own limit: a worker may have to start
MEMORY_GROWTH = 64 << 20  # of the host process by one attack


class Rpc:
    def __init__(self, program, library, host, uid):
        self.host, self.uid = host, uid
        environment = {"PATH": "/usr/local/bin:/usr/bin:/bin", "CANARY": host.secret}
        environment.update((name, value) for name, value in os.environ.items()
                           if name.startswith("EXTFN_INTERPRETER_"))
        who = {} if uid is None else {"user": uid, "group": uid, "extra_groups": []}
        self.process = subprocess.Popen(
            [program, "rpc", "--memory", "256M", *host.options, library], env=environment, cwd="/",
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **who)
        self.unread = b""

    def ask(self, request, seconds):
        """The reply, or None: there was none in that time."""
        line = json.dumps({"id": 1, **request}).encode() + b"\n"
        try:
            self.process.stdin.write(line)
            self.process.stdin.flush()
        except BrokenPipeError:
            return {"died": self.process.wait()}
        line = self.read_line(time.monotonic() + seconds)
        if line == b"":
            return {"died": self.process.wait()}
        return None if line is None else {**json.loads(line), "raw": line.decode()}

    def read_line(self, until):
        descriptor = self.process.stdout.fileno()
        while b"\n" not in self.unread:
            left = until - time.monotonic()
            if left <= 0 or not select.select([descriptor], [], [], left)[0]:
                return None
            part = os.read(descriptor, 1 << 16)
            if not part:
                return b""
            self.unread += part
        line, _, self.unread = self.unread.partition(b"\n")
        return line

    def call(self, attack, step):
        values = dict(self.host.values, step=step)
        arguments = [values[name] for name in attack.parameters]
        request = {"call": attack.name, "args": arguments, "timeout": attack.timeout}
        return self.ask(request, attack.timeout + GRACE)

    def usage(self):
        """Processes below, descriptors and memory of the host process."""
        pid = self.process.pid
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            pages = int(file.read().split()[1])
        return sorted(descendants_of(pid)), len(os.listdir(f"/proc/{pid}/fd")), pages * 4096

    def close(self):
        self.process.stdin.close()
        status = self.process.wait(60)
        warnings = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()
        return status, warnings.decode(errors="replace")

    def end(self):
        """For one that does not answer; what it leaves behind comes to us."""
        below = descendants_of(self.process.pid)
        self.process.kill()
        self.process.wait()
        self.host.bury(below)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                pipe.close()
            except BrokenPipeError:
                pass
