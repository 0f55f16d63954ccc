"""Programs in which layers of the sandbox are left out. A build with -Dlayer_switches=true, and no
other, has the switches in its file. SPDX-License-Identifier: MIT"""
import os
import struct

# In the order of the enum xf_optional_layer in src/base/layers.h, from bit 1.
SWITCHES = ["filter", "seal", "landlock", "rlimits", "pid-namespace", "net-namespace",
            "ipc-namespace", "mounts", "read-only-root", "tmpfs-size", "session", "environment",
            "uid-drop", "clock", "output-limit", "tmpfs-files"]
MARK = b"extfn layers that are off"
SIZE = 28  # of the mark with its padding


def has_switches(program):
    with open(program, "rb") as file:
        return MARK in file.read()


def program_without(program, off, directory):
    """A copy of the program in which the layers `off` are left out."""
    with open(program, "rb") as file:
        content = bytearray(file.read())
    at = content.find(MARK)
    while at >= 0:  # in the program, and in those that it embeds
        bits = sum(2 << SWITCHES.index(name) for name in off)
        struct.pack_into("<I", content, at + SIZE, bits)
        at = content.find(MARK, at + SIZE)
    path = os.path.join(directory, "extfn-without-" + ("-and-".join(sorted(off)) or "nothing"))
    with open(path, "wb") as file:
        file.write(content)
    os.chmod(path, 0o755)
    return path
