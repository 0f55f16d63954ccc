"""What the figures were measured on and with. SPDX-License-Identifier: MIT
"""
import datetime
import os
import pathlib
import platform
import re
import subprocess

from meters import HERE, PATH

QUIET = 0.5  # load of a machine that does nothing else

VERSIONS = {  # words of the first line of what they print
    "bubblewrap": ["bwrap", "--version"],
    "Python": ["/usr/bin/python3", "--version"],
    "R": ["R", "--version"],
    "Julia": ["julia", "--version"],
    "gcc": ["gcc", "--version"],
}


def first_match(pattern, path):
    found = re.search(pattern, pathlib.Path(path).read_text(), re.MULTILINE)
    return found.group(1).strip() if found else "unknown"


def version(command):
    try:
        output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                text=True, env=os.environ | {"PATH": PATH}).stdout
    except OSError:
        return "missing"
    found = re.search(r"\d+\.\d+(\.\d+)?", output)
    return found.group(0) if found else "unknown"


def commit():
    """Of the sources, with a `+` where they have changed since."""
    git = ["git", "-C", str(HERE)]
    try:
        name = subprocess.run([*git, "rev-parse", "--short=12", "HEAD"], text=True, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout.strip()
        changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "../src", "../guest"])
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return name + ("+" if changed.returncode else "")


def describe():
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "commit": commit(),
        "processor": first_match(r"^model name\s*:(.*)$", "/proc/cpuinfo"),
        "processors": len(os.sched_getaffinity(0)),
        "memory_gib": round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1),
        "system": first_match(r'^PRETTY_NAME="(.*)"$', "/etc/os-release"),
        "kernel": platform.release(),
        "load_before": round(os.getloadavg()[0], 2),
        "versions": {name: version(command) for name, command in VERSIONS.items()},
    }


def load_note(load):
    """Why marks may be missed; nothing on a machine that is quiet."""
    if load <= QUIET:
        return ""
    return (f"This machine is busy: load {load:.2f} before the run. Ratios still compare, but "
            "what is warm, cold or has two workers may miss its mark for that.")
