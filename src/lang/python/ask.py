"""Run once by an interpreter that lies in no known place (-I -c): it says what it is, and what of
this machine must be shown to it. One `key value` a line. SPDX-License-Identifier: MIT"""
import os
import sys


def say(key, path):
    if os.path.exists(path):
        print(key, os.path.realpath(path))


def is_own_world():
    """A virtual environment or a conda prefix: its packages belong to it."""
    return (sys.prefix != sys.base_prefix
            or os.path.isdir(os.path.join(sys.prefix, "conda-meta")))


def libraries():
    """The shared libpython that this process runs on, if any."""
    with open("/proc/self/maps") as maps:
        paths = {line[line.find("/"):].strip() for line in maps if "/" in line}
    return [path for path in paths if os.path.basename(path).startswith("libpython")]


def main():
    standard = os.path.dirname(os.__file__)
    program = os.path.realpath(sys.executable)
    print("version", *sys.version_info[:2])
    print("executable", program)
    say("prefix", sys.base_prefix)
    say("prefix", sys.base_exec_prefix)
    say("piece", standard)
    say("piece", os.path.join(os.path.dirname(os.path.dirname(program)), "pyvenv.cfg"))
    for path in libraries():
        say("library", path)
    for path in sys.path:
        if os.path.basename(path) == "lib-dynload":
            say("piece", path)
        elif os.path.isdir(path) and path != standard and is_own_world():
            say("site", path)


main()
