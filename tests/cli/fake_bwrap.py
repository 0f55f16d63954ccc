#!/usr/bin/python3
"""Stands for bwrap: the real one with other arguments, told by the file `change` beside this one.
A line of it: words that are left out; `<` or `>` and words that are put first or last; `=`, a word
and what stands in its place. SPDX-License-Identifier: MIT"""
import os
import sys

change = os.path.join(os.path.dirname(os.path.abspath(__file__)), "change")
arguments = int(sys.argv[2])
words = os.pread(arguments, 1 << 20, 0).decode().split("\0")[:-1]
with open(change, encoding="utf-8") as lines:
    for line in lines:
        parts = line.split()
        if parts[0] == "<":
            words[:0] = parts[1:]
        elif parts[0] == ">":
            words += parts[1:]
        elif parts[0] == "=":
            words = [parts[2] if word == parts[1] else word for word in words]
        else:
            at = words.index(parts[0])
            del words[at:at + len(parts)]
changed = os.memfd_create("arguments", 0)
os.write(changed, b"".join(word.encode() + b"\0" for word in words))
os.lseek(changed, 0, os.SEEK_SET)
os.execv("/usr/bin/bwrap", ["bwrap", "--args", str(changed), *sys.argv[3:]])
