# Plays the host for one driver: maps, pipes and frames of src/wire/wire.h, without supervisor and
# sandbox. The tests of every driver use it. SPDX-License-Identifier: MIT
"""Worker(command).setup(body, ["Number"], "Number").call([[1.0, 2.0]]) -> [1.0, 2.0]"""
import datetime
import fcntl
import mmap
import os
import selectors
import signal
import struct
import subprocess
import time

MAGIC, VERSION = 0x6E667865, 1
MAP_SIZE, MAP_START = 64 << 20, 4096
SETUP, CALL, CONTINUE, COMPILE = 1, 2, 3, 4
READY, FAILED, DONE, FULL = 16, 17, 18, 19
VECTORIZED, SEAL, OWN_TMP = 1, 2, 4
SEALED, EVALUATED, LAZY = 1, 2, 4
WORN = 2  # of DONE's detail
FAILURES = {1: "body", 2: "language", 3: "seal"}
NOT_DONE, VALUE, ERROR, MEMORY = 0, 1, 2, 3
TYPES = {"Number": 1, "Boolean": 2, "Text": 3, "DateTime": 4, "Enum": 5}
FORMATS = {"Number": "d", "Boolean": "B", "DateTime": "q", "Enum": "I"}
FRAME = struct.Struct("<IHHIIII")
F_SEAL_FUTURE_WRITE = 0x10
UTC = datetime.timezone.utc
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = datetime.timedelta(microseconds=1)
WORLD = {"TZ": "UTC", "LC_ALL": "C.UTF-8", "HOME": "/tmp", "PATH": "/usr/bin:/bin"}


class Failed(Exception):
    """The worker answered SETUP with FAILED."""

    def __init__(self, reason, message):
        super().__init__(reason, message)
        self.reason, self.message = reason, message


class Lost(Exception):
    """The worker ended, or said nothing in time. `rows` is what it had done of its call."""

    def __init__(self, why, status=None, rows=None):
        super().__init__(why, status)
        self.why, self.status, self.rows = why, status, rows


class RowError:
    """What stands in a row that failed; `status` tells an error from exhausted memory."""

    def __init__(self, message, status=ERROR):
        self.message, self.status = message, status

    def __eq__(self, other):
        if isinstance(other, RowError):
            return (self.message, self.status) == (other.message, other.status)
        return NotImplemented

    __hash__ = None

    def __repr__(self):
        return "RowError(%r%s)" % (self.message, ", MEMORY" if self.status == MEMORY else "")


NOT_DONE_ROW = RowError("not done", NOT_DONE)


def align(offset):
    return (offset + 63) // 64 * 64


def slots_offset(rows):
    return align(MAP_START + rows)


def heap_offset(rows):
    return align(slots_offset(rows) + 8 * rows)


def microseconds(moment):
    return moment if isinstance(moment, int) else (moment - EPOCH) // MICROSECOND


def encode_column(type_name, values, offset):
    """One column for the request map as (values_offset, bytes_offset, [(offset, bytes), ...])."""
    if type_name == "Text":
        texts = [value.encode() for value in values]
        ends = [0]
        for text in texts:
            ends.append(ends[-1] + len(text))
        start = align(offset + 4 * len(ends))
        return offset, start, [(offset, struct.pack("<%dI" % len(ends), *ends)),
                               (start, b"".join(texts))]
    if type_name == "DateTime":
        values = [microseconds(value) for value in values]
    packed = struct.pack("<%d%s" % (len(values), FORMATS[type_name]), *values)
    return offset, 0, [(offset, packed)]


def decode_slot(type_name, slot):
    if type_name == "Number":
        return struct.unpack("<d", slot)[0]
    value = struct.unpack("<q", slot)[0]
    if type_name == "Boolean":
        return {0: False, 1: True}[value]
    if type_name == "DateTime":
        return EPOCH + value * MICROSECOND
    return value


class Worker:
    """One interpreter with a driver. `command` is its argv; `environment` adds to the fixed world.
    After each answer `stdout` and `stderr` hold all bytes that the body wrote so far."""

    def __init__(self, command, environment=None, cwd="/", limit=120.0):
        self.limit = limit
        self.stdout = self.stderr = b""
        self.call_number = 0
        self.fulls = 0  # FULL frames of the last call
        self.done = None  # detail and first row of its DONE
        self.status = None
        self.request_fd = self.make_memfd("request")
        self.reply_fd = self.make_memfd("reply")
        self.request = mmap.mmap(self.request_fd, MAP_SIZE)
        self.reply = mmap.mmap(self.reply_fd, MAP_SIZE)
        self.seal_memfd(self.request_fd, F_SEAL_FUTURE_WRITE)
        self.seal_memfd(self.reply_fd, 0)
        self.start(command, dict(WORLD, **(environment or {})), cwd)

    @staticmethod
    def make_memfd(name):
        fd = os.memfd_create(name, os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(fd, MAP_SIZE)
        return fd

    @staticmethod
    def seal_memfd(fd, more):
        seals = fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_SEAL | more
        fcntl.fcntl(fd, fcntl.F_ADD_SEALS, seals)

    def start(self, command, environment, cwd):
        pipes = [os.pipe() for _ in range(5)]  # stdin, stdout, stderr, request, reply
        ends = [pipes[0][0], pipes[1][1], pipes[2][1], pipes[3][0], pipes[4][1]]
        inherited = [fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 64)
                     for fd in ends + [self.request_fd, self.reply_fd]]

        def place():
            for target, fd in enumerate(inherited):
                os.dup2(fd, target)

        self.process = subprocess.Popen(command, env=environment, cwd=cwd, preexec_fn=place,
                                        close_fds=False)
        for fd in inherited + ends + [pipes[0][1]]:
            os.close(fd)
        self.frames_out = pipes[3][1]
        self.frames_in = pipes[4][0]
        self.outputs = {pipes[1][0]: "stdout", pipes[2][0]: "stderr"}
        for fd in self.outputs:
            os.set_blocking(fd, False)

    # ---- frames ----

    def send(self, frame_type, first_row=0, row_count=0, detail=0, magic=MAGIC, version=VERSION):
        frame = FRAME.pack(magic, version, frame_type, self.call_number, first_row, row_count,
                           detail)
        self.send_bytes(frame)

    def send_bytes(self, data):
        try:
            os.write(self.frames_out, data)
        except BrokenPipeError:
            pass  # receive() tells how it ended

    def receive(self):
        """The next frame as (type, call, first_row, row_count, detail)."""
        deadline = time.monotonic() + self.limit
        data = b""
        with selectors.DefaultSelector() as selector:
            for fd in [self.frames_in, *self.outputs]:
                selector.register(fd, selectors.EVENT_READ)
            while len(data) < FRAME.size:
                events = selector.select(max(0.0, deadline - time.monotonic()))
                if not events:
                    self.kill()
                    raise Lost("no answer in time", self.status)
                for key, _ in events:
                    if key.fd in self.outputs:
                        if not self.drain(key.fd):
                            selector.unregister(key.fd)
                    elif not (more := os.read(self.frames_in, FRAME.size - len(data))):
                        raise Lost("ended", self.wait())
                    else:
                        data += more
        self.drain_all()
        magic, version, frame_type, call, first_row, row_count, detail = FRAME.unpack(data)
        assert (magic, version, call) == (MAGIC, VERSION, self.call_number), data
        return frame_type, call, first_row, row_count, detail

    def drain(self, fd):
        try:
            data = os.read(fd, 1 << 16)
        except BlockingIOError:
            return False
        setattr(self, self.outputs[fd], getattr(self, self.outputs[fd]) + data)
        return data != b""

    def drain_all(self):
        for fd in self.outputs:
            while self.drain(fd):
                pass

    # ---- calls ----

    def write_header(self, rows, is_setup):
        self.call_number = (self.call_number + 1) % (1 << 32)
        header = struct.pack("<IIIIIIQ", MAGIC, VERSION, self.call_number, rows, 1, is_setup,
                             int(self.limit * 1e6))
        self.request[:len(header)] = header

    def setup(self, body, arg_types=(), return_type="Number", names=None, vectorized=False,
              seal=False, own_tmp=False):
        """Returns itself, with the ready bits in `ready`; raises Failed."""
        self.arg_types, self.return_type = list(arg_types), return_type
        body = body.encode() if isinstance(body, str) else body
        names = b"".join((name or "").encode() + b"\0" for name in names or [""] * len(arg_types))
        flags = (VECTORIZED if vectorized else 0) | (SEAL if seal else 0)
        flags |= OWN_TMP if own_tmp else 0  # never but in a sandbox: /tmp is cleared
        head = [flags, TYPES[return_type], len(arg_types), len(names), len(body), 0]
        head += [TYPES[name] for name in arg_types]
        payload = struct.pack("<%dI" % len(head), *head) + names + body
        self.write_header(1, 1)
        self.request[MAP_START:MAP_START + len(payload)] = payload
        self.send(SETUP, 0, 1)
        frame_type, _, _, _, detail = self.receive()
        self.ready, self.held = detail & 0xff, detail >> 8
        if frame_type == FAILED:
            message = self.read_text(slots_offset(1))
            raise Failed(FAILURES.get(self.ready, self.ready), message)
        assert frame_type == READY, frame_type
        return self

    def compile(self):
        """For many rows; the ready bits are those of before but for LAZY."""
        before = self.ready
        self.write_header(1, 1)
        self.send(COMPILE, 0, 1)
        frame_type, _, _, _, detail = self.receive()
        assert (frame_type, detail & 0xff) == (READY, before & ~LAZY), (frame_type, detail)
        self.ready = before & ~LAZY
        return self

    def write_columns(self, columns, rows):
        offset = align(MAP_START + 8 * len(columns))
        heads = []
        for type_name, values in zip(self.arg_types, columns):
            assert len(values) == rows
            values_offset, bytes_offset, buffers = encode_column(type_name, values, offset)
            heads += [values_offset, bytes_offset]
            for start, data in buffers:
                assert start + len(data) <= MAP_SIZE
                self.request[start:start + len(data)] = data
                offset = align(start + len(data))
        head = struct.pack("<%dI" % len(heads), *heads)
        self.request[MAP_START:MAP_START + len(head)] = head

    def call(self, columns=(), rows=None):
        """One call frame; a list with a value or a RowError for each row. Raises Lost."""
        rows = rows if rows is not None else len(columns[0]) if columns else 1
        assert len(columns) == len(self.arg_types)
        self.write_columns(columns, rows)
        self.write_header(rows, 0)
        self.reply[MAP_START:MAP_START + rows] = bytes(rows)
        self.send(CALL, 0, rows)
        results, self.fulls = [], 0
        while True:
            try:
                frame_type, _, first_row, _, detail = self.receive()
            except Lost as lost:
                done = self.reply[MAP_START:MAP_START + rows].find(b"\0")
                end = rows if done < 0 else done
                lost.rows = results + self.read_rows(len(results), end, rows)
                raise
            end = first_row if frame_type == FULL else rows
            results += self.read_rows(len(results), end, rows)
            if frame_type == DONE:
                self.done = detail, first_row
                return results
            assert frame_type == FULL and self.fulls < 1 << 20, frame_type
            assert self.reply[MAP_START + first_row] == NOT_DONE
            self.fulls += 1
            self.send(CONTINUE, first_row, rows)

    def read_rows(self, first, end, rows):
        return [self.read_row(row, rows) for row in range(first, end)]

    def read_row(self, row, rows):
        status = self.reply[MAP_START + row]
        place = slots_offset(rows) + 8 * row
        if status == VALUE and self.return_type != "Text":
            return decode_slot(self.return_type, self.reply[place:place + 8])
        if status in (VALUE, ERROR):
            text = self.read_text(place)
            return text if status == VALUE else RowError(text)
        if status == MEMORY:
            return RowError("", MEMORY)
        assert status == NOT_DONE, status
        return NOT_DONE_ROW

    def read_text(self, place):
        offset, size = struct.unpack("<II", self.reply[place:place + 8])
        assert offset + size <= MAP_SIZE
        return self.reply[offset:offset + size].decode()

    # ---- end ----

    def wait(self):
        try:
            self.status = self.process.wait(self.limit)
        except subprocess.TimeoutExpired:
            self.kill()
        self.drain_all()
        return self.status

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.status = self.process.wait()

    def finish(self):
        """Closes the request pipe as a host does and returns the exit status."""
        os.close(self.frames_out)
        self.frames_out = -1
        return self.wait()

    def close(self):
        if self.process.poll() is None:
            self.kill()
        for fd in [self.frames_out, self.frames_in, self.request_fd, self.reply_fd, *self.outputs]:
            if fd >= 0:
                os.close(fd)
        self.request.close()
        self.reply.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
