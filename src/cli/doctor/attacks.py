# One attack a row, in the order of doctor.h. SPDX-License-Identifier: MIT
import ctypes
import mmap
import os
import socket


def fork():
    if os.fork() == 0:
        os._exit(0)


def write_elsewhere():
    open("/home/extfn-doctor", "w").close()
    os.remove("/home/extfn-doctor")


def fill():
    piece = bytes(1 << 20)
    for number in range(200):
        with open("/tmp/extfn-doctor-%d" % number, "wb") as out:
            out.write(piece)


def read_environment():
    if not {"SHELL", "USER", "LOGNAME", "TERM", "SHLVL"} & set(os.environ):
        raise OSError("there is nothing of it")


def run_for_ever():
    while True:
        pass


ATTACKS = [
    lambda: open("/etc/passwd").close(),
    lambda: os.stat("/proc/1/stat"),
    read_environment,
    write_elsewhere,
    fork,
    lambda: os.posix_spawn("/bin/sh", ["sh", "-c", "exit 0"], {}),
    lambda: os.kill(os.getppid(), 0),
    lambda: socket.create_connection(("127.0.0.1", int(port))),
    lambda: socket.socket(socket.AF_UNIX),
    lambda: os.setuid(0),
    lambda: mmap.mmap(-1, int(memory)),
    lambda: bytearray(int(memory)),
    fill,
    run_for_ever,
    lambda: ctypes.CDLL(None).unshare(0x10000000),
]

try:
    ATTACKS[int(step)]()
    result = "got through"
except OSError as failure:
    result = "refused: %s" % (failure.strerror or failure)
