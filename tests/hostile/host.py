"""The host that the attacks are after: things that they want to reach, and what has to be as it was
after each of them. SPDX-License-Identifier: MIT"""
import ctypes
import glob
import os
import secrets
import shutil
import socket
import tempfile
import time

UIDS = range(2000000000, 2000001000)  # that a root host's sandboxes get
KEY = 0x686f7374  # of shared memory, queues and semaphores that attacks make
REMOVE = {"shmctl": (0, None), "msgctl": (0, None), "semctl": (0, 0, None)}  # IPC_RMID
SET_CHILD_SUBREAPER = 36


def children_of(pid):
    found = []
    for path in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            with open(path, encoding="ascii") as file:
                found += [int(word) for word in file.read().split()]
        except OSError:
            continue  # a thread that has just ended
    return found


def descendants_of(pid):
    below = []
    for child in children_of(pid):
        below += [child] + descendants_of(child)
    return below


def is_there(pid):
    return os.path.exists(f"/proc/{pid}")


def read_lines(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().splitlines()
    except OSError:
        return []


class Host:
    """Made once a run. `values` are what an attack can ask for by the name of a parameter."""

    def __init__(self, gate):
        # What a sandbox leaves behind becomes a child of this process.
        ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
        self.tidy()
        self.secret = "canary-" + secrets.token_hex(16)
        self.directory = tempfile.mkdtemp(prefix="extfn-hostile-", dir="/var/tmp")
        os.chmod(self.directory, 0o755)
        self.make_files()
        self.make_sockets()
        gate_bytes = b""
        if gate:
            with open(gate, "rb") as file:
                gate_bytes = file.read()
        self.values = {
            "secret": self.path("secret"), "locked": self.path("locked"),
            "fifo": self.path("fifo"), "socket_path": self.path("socket"),
            "abstract": self.abstract_name, "port": self.tcp.getsockname()[1],
            "host": os.getpid(), "gate": gate_bytes.hex(), "option": "--bind / /host"}
        self.options = []  # of the program
        self.before = self.look()

    @staticmethod
    def tidy():
        """Removes what an attack that was let through has left; the names are of our choosing."""
        for folder in ("/tmp", "/var/tmp", "/dev/shm"):
            for path in glob.glob(f"{folder}/hostile*"):
                os.unlink(path)
        libc = ctypes.CDLL(None)
        for get, control in ((libc.shmget, libc.shmctl), (libc.msgget, libc.msgctl),
                             (libc.semget, libc.semctl)):
            found = get(KEY, 0, 0)
            if found >= 0:
                control(found, *REMOVE[control.__name__])

    @staticmethod
    def strangers(own_child, seconds=1):
        """Processes that lost their parents and came to this one; the dead among them are buried,
        the others have a second to end."""
        until = time.monotonic() + seconds
        while True:
            living = [pid for pid in children_of(os.getpid())
                      if pid != own_child and os.waitpid(pid, os.WNOHANG) == (0, 0)]
            if not living or time.monotonic() > until:
                return living
            time.sleep(0.005)

    @staticmethod
    def bury(processes):
        """The same for these, whose host was killed."""
        while any(map(is_there, processes)) and Host.strangers(None):
            pass

    def path(self, name):
        return os.path.join(self.directory, name)

    def make_files(self):
        for name, mode in (("secret", 0o644), ("locked", 0o600)):
            with open(self.path(name), "w", encoding="ascii") as file:
                file.write(self.secret)
            os.chmod(self.path(name), mode)
        os.mkfifo(self.path("fifo"))
        os.chmod(self.path("fifo"), 0o666)
        self.fifo = os.open(self.path("fifo"), os.O_RDONLY | os.O_NONBLOCK)

    def make_sockets(self):
        self.abstract_name = "extfn-hostile-" + secrets.token_hex(8)
        addresses = [(socket.AF_UNIX, socket.SOCK_STREAM, self.path("socket")),
                     (socket.AF_UNIX, socket.SOCK_STREAM, "\0" + self.abstract_name),
                     (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))]
        self.listeners = []
        for family, kind, address in addresses:
            listener = socket.socket(family, kind)
            listener.bind(address)
            listener.listen(8)
            listener.setblocking(False)
            self.listeners.append(listener)
        os.chmod(self.path("socket"), 0o777)
        self.tcp = self.listeners[-1]
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(self.tcp.getsockname())
        self.udp.setblocking(False)

    def close(self):
        for listener in self.listeners + [self.udp]:
            listener.close()
        os.close(self.fifo)
        shutil.rmtree(self.directory)

    def look(self):
        """What nobody else changes meanwhile."""
        stats = {}
        for name in sorted(os.listdir(self.directory)):
            seen = os.lstat(self.path(name))
            stats[name] = (seen.st_mode, seen.st_uid, seen.st_size, seen.st_mtime_ns,
                           seen.st_ctime_ns, seen.st_nlink)
        return {"canary files": stats, "mounts": read_lines("/proc/self/mountinfo"),
                "core pattern": read_lines("/proc/sys/kernel/core_pattern"),
                "name": os.uname().nodename}

    def calls_for_us(self):
        """Who has knocked at what the attacks must not reach."""
        for listener in self.listeners:
            try:
                listener.accept()[0].close()
                yield f"connection to {listener.getsockname()!r}"
            except BlockingIOError:
                pass
        try:
            yield f"datagram {self.udp.recv(100)!r}"
        except BlockingIOError:
            pass
        try:
            sent = os.read(self.fifo, 100)
        except BlockingIOError:
            sent = b""  # opened and not written: harmless, and closed again by its end
        if sent:
            yield f"bytes in the fifo: {sent!r}"

    @staticmethod
    def left_behind(uids):
        """Files, segments and keys that attacks make, in the places where they could turn up."""
        for folder in ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue"):
            if not os.path.isdir(folder):
                continue
            for entry in os.scandir(folder):
                if entry.name.startswith("hostile"):
                    yield f"file {entry.path}"
        for kind in ("shm", "msg", "sem"):
            for line in read_lines(f"/proc/sysvipc/{kind}"):
                if line.split()[0] == str(KEY):
                    yield f"System V {kind} {line.strip()}"
        for line in read_lines("/proc/key-users"):
            if int(line.split(":")[0]) in uids:
                yield f"keys of a sandbox: {line.strip()}"

    @staticmethod
    def await_keys(uids, seconds=10):
        """The kernel takes the keys of a namespace that has ended away some time later."""
        until = time.monotonic() + seconds
        while time.monotonic() < until and any(
                int(line.split(":")[0]) in uids for line in read_lines("/proc/key-users")):
            time.sleep(0.02)

    def violations(self, uids):
        now = self.look()
        for what, before in self.before.items():
            if now[what] != before:
                yield f"{what} changed"
        self.before = now
        yield from self.calls_for_us()
        yield from self.left_behind(uids)
