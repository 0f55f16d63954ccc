"""The programs that measure: each answers a line with the seconds that it took and the sum of its
results. They are started when something of theirs is measured first, and stay until the end.

SPDX-License-Identifier: MIT
"""
import collections
import os
import pathlib
import shutil
import subprocess
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROWS = 1_000_000
WASM_ROWS = 10_000_000
NUMPY = pathlib.Path("/usr/lib/python3/dist-packages")  # Debian's
PATH = "/usr/local/bin:/usr/bin:/bin"  # where extfn looks for interpreters
SANDBOX = f"""bwrap --ro-bind / / --tmpfs /tmp --dev /dev --proc /proc --unshare-all
    --die-with-parent --new-session --clearenv --setenv PATH {PATH} --setenv HOME /tmp
    --""".split()
FRESH = {
    "python": (HERE / "fresh.py", ["python3", "-I", "-S", "-"]),
    "r": (HERE / "fresh.R", ["Rscript", "--vanilla", "-"]),
}
if shutil.which("julia", path=PATH):
    FRESH["julia"] = (HERE / "fresh.jl", ["julia", "--startup-file=no", "/dev/stdin"])
OWN = {
    "python": ["/usr/bin/python3", HERE / "own.py"],
    "r": ["Rscript", "--vanilla", HERE / "own.R"],
    "julia": ["julia", "--startup-file=no", HERE / "own.jl"],
}
KEPT = {  # by malloc: new pages for each result would cost vectors ten times what adding does
    "MALLOC_TOP_PAD_": "268435456", "MALLOC_TRIM_THRESHOLD_": "4294967295",
    "MALLOC_MMAP_THRESHOLD_": "1073741824",
}
PEERS = {  # first word of what is measured: its program
    "duckdb": "duckdb_udf.py",
    "arrow-udf": "arrow_udf_batch.py",
    "plpython": "postgres.py",
    "plr": "postgres.py",
    "spark": "spark_udf.py",
}

Reading = collections.namedtuple("Reading", "seconds sum")


class Missing(Exception):
    """A peer that is not here, and why."""


class Failed(Exception):
    """A program that gave no answer, or a wrong one."""


def fresh(language):
    """One call in a sandboxed process of its own, until nothing of it is left."""
    program, command = FRESH[language]
    reading, writing = os.pipe()
    source = os.open(program, os.O_RDONLY)
    argv = SANDBOX + command
    start = time.perf_counter()
    pid = os.posix_spawnp(argv[0], argv, os.environ,
                          file_actions=[(os.POSIX_SPAWN_DUP2, source, 0),
                                        (os.POSIX_SPAWN_DUP2, writing, 1)])
    os.close(writing)
    answer = b""
    while chunk := os.read(reading, 4096):
        answer += chunk
    _, status = os.waitpid(pid, 0)
    seconds = time.perf_counter() - start
    os.close(reading)
    os.close(source)
    if status or answer.strip() != b'{"ok": 5.0}':
        raise Failed(f"a fresh process failed: {argv}: {answer!r}")
    return Reading(seconds, 5.0)


class Meter:
    def __init__(self, *command, **environment):
        environment = os.environ | {"PATH": PATH, "PYTHONPATH": str(NUMPY)} | environment
        self.process = subprocess.Popen([str(word) for word in command], text=True, bufsize=1,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env=environment)

    def measure(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return self.read(line)

    def read(self, line):
        answer = self.process.stdout.readline().split()
        if len(answer) != 2:
            raise Failed(f"{self.process.args} failed at '{line}'")
        return Reading(*map(float, answer))

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class PeerMeter(Meter):
    """Says first what it is, `ready VERSION`, or `missing WHY`."""

    def __init__(self, python, program, *words):
        super().__init__(python, HERE / "peers" / program, *words, PYTHONPATH=str(HERE))
        state, _, self.version = self.process.stdout.readline().strip().partition(" ")
        if state != "ready":
            self.close()
            raise Missing(self.version or "it ended without a word")


def copy_floor(build, folder):
    """The C program that stands for Pure, where the users that sandboxes run as can read it."""
    source, copy = build / "tests/fake-pure", pathlib.Path(folder)
    copy.chmod(0o755)
    for name, target in ("bin/fake-pure", "bin/pure"), ("lib/pure/prelude.pure",) * 2:
        (copy / target).parent.mkdir(parents=True)
        shutil.copy(source / name, copy / target)
    return copy / "bin/pure"


class Meters:
    """Use in a `with`, at whose end all programs end."""

    def __init__(self, build):
        self.build, self.meters, self.versions = build, {}, {}
        self.folder = tempfile.TemporaryDirectory(prefix="extfn-bench-")
        self.floor = copy_floor(build, self.folder.name)
        self.peers = subprocess.run([HERE.parent / "setup/python/venv", "where"], text=True,
                                    check=True, stdout=subprocess.PIPE).stdout.strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for meter in self.meters.values():
            meter.close()
        self.folder.cleanup()

    def get(self, key, make):
        if key not in self.meters:
            self.meters[key] = make()
        return self.meters[key]

    def ours(self, rows):
        return self.get(f"extfn {rows}", lambda: Meter(self.build / "bench/bench", rows, self.floor,
                                                       NUMPY))

    def own(self, language, loop, rows):
        environment = KEPT if loop in ("numpy", "vectors") else {}
        return self.get(f"{language} {len(environment)} {rows}",
                        lambda: Meter(*OWN[language], rows, **environment))

    def raw(self, rows):
        return self.get(f"raw {rows}", lambda: Meter(self.build / "bench/raw-wasm", rows))

    def peer(self, name):
        """Raises Missing."""
        program = PEERS[name]
        meter = self.get(program, lambda: self.start_peer(program, ROWS))
        self.versions[name] = meter.version
        return meter

    def start_peer(self, program, *words):
        python = pathlib.Path(self.peers) / "bin/python"
        if not python.exists():
            raise Missing("setup/python/venv installs it")
        return PeerMeter(python, program, *words)

    def measure_peer(self, name):
        """`PEER cold` without a server is a new process up to its first result."""
        side, *words = name.split()
        meter = self.peer(side)
        if words != ["cold"] or PEERS[side] == "postgres.py":
            return meter.measure(name)
        start = time.perf_counter()
        once = self.start_peer(PEERS[side], "cold")
        total = once.read(name).sum
        once.close()
        return Reading(time.perf_counter() - start, total)

    def measure(self, name):
        """What a name of lines.py stands for."""
        side, what, *words = name.split()
        rows = rows_of(name)
        words = [word for word in words if not word.startswith("@")]
        if side in PEERS:
            return self.measure_peer(name)
        if what == "raw":
            return self.raw(rows).measure("rows")
        if (what, *words) == ("fresh", "engine"):
            return self.raw(rows).measure("call")
        if what == "fresh":
            return fresh(side)
        if what == "own":
            return self.own(side, words[0], rows).measure(words[0])
        return self.ours(rows).measure(" ".join([what, side, *words]))


def rows_of(name):
    last = name.split()[-1]
    if last.startswith("@"):
        return int(last[1:])
    return WASM_ROWS if name.startswith("wasm") else ROWS


def is_call(name):
    """Whether what is measured is one call and not a column."""
    words = name.split()
    return any(word in words for word in ("cold", "warm", "memo", "process", "engine", "call"))


def is_there(build, name):
    """Whether what a name stands for can run here, peers apart."""
    if name.startswith("wasm"):
        return (build / "bench/raw-wasm").exists()
    if name.startswith("numpy"):
        return (NUMPY / "numpy").exists()
    return not name.startswith("julia") or "julia" in FRESH
