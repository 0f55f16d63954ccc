"""The attacks: function files whose first comments say what has to come of them; README.md beside
this says how. SPDX-License-Identifier: MIT"""
import dataclasses
import glob
import json
import os
import re
import sys

from layers import SWITCHES

HERE = os.path.dirname(os.path.abspath(__file__))
SUFFIX = {"python": ".py", "r": ".R", "julia": ".jl", "pure": ".pure", "wasm": ".wat"}
NAME = {"python": "Python", "r": "R", "julia": "Julia", "pure": "Pure", "wasm": "Wasm"}
COMMENT = re.compile(r"\s*(?:#|//|;;)\s?(.*)")
DECLARATION = re.compile(r"extfn:\s*(\w+)\s*\((.*)\)\s*->")
KEYS = ("expect", "lacks", "layer", "opens", "reached", "steps", "timeout")
# What stops an attack, beyond the layers that a test build can leave out.
LAYERS = {*SWITCHES, "clean-up", "decoder", "descriptors", "driver", "engine", "interpreter",
          "supervisor", "user-namespace"}
KINDS = {"BLOCKED", "CONTAINED", "ERROR", "KILLED", "MEMORY", "OUTPUT", "TIMEOUT"}
BARE = {"CONTAINED", "MEMORY", "OUTPUT", "TIMEOUT"}  # nothing stands behind these


@dataclasses.dataclass
class Attack:
    path: str
    name: str
    parameters: list  # names, in order
    kind: str  # of what is expected
    words: str  # that stand behind it
    layers: list
    opens: list  # it gets through where exactly these layers are left out
    reached: str  # what its result matches then
    steps: int
    timeout: float
    lacks: str  # what is not there yet; until then it does not end as expected

    def label(self, step):
        file = os.path.relpath(self.path, HERE)
        lacks = f" (GETS THROUGH: {self.lacks} is not there yet)" if self.lacks else ""
        return (f"{file} step {step}" if self.steps > 1 else file) + lacks


def comments_of(path):
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            found = COMMENT.match(line)
            if found:
                yield found.group(1).strip()


def complain(path, text):
    sys.exit(f"{os.path.relpath(path, HERE)}: {text}")


def read_header(path):
    header, name, parameters = {}, None, []
    for comment in comments_of(path):
        declared = DECLARATION.match(comment)
        if declared and not name:
            name = declared.group(1)
            parameters = re.findall(r"(\w+)\s*:", declared.group(2))
        key, colon, value = comment.partition(":")
        if colon and key in KEYS:
            if key in header:
                complain(path, f"has two lines '{key}:'")
            header[key] = value.strip()
    return header, name, parameters


def read_attack(path):
    header, name, parameters = read_header(path)
    stem = os.path.splitext(os.path.basename(path))[0]
    if not re.fullmatch(r"\d\d-[a-z0-9-]+", stem) or name != stem[3:].replace("-", "_"):
        complain(path, "is not named NN-name, with the name that it declares")
    kind, _, words = header.get("expect", "").partition(" ")
    if kind not in KINDS or (kind in BARE) == bool(words):
        complain(path, f"expects what is not known: '{kind} {words}'")
    layers, opens = header.get("layer", "").split(), header.get("opens", "").split()
    if not layers or not set(layers) <= LAYERS or not set(opens) <= set(SWITCHES):
        complain(path, "names no layer or an unknown one")
    default = 0.5 if kind == "TIMEOUT" else 20
    return Attack(path, name, parameters, kind, words, layers, opens,
                  header.get("reached", ".*REACHED.*"), int(header.get("steps", 1)),
                  float(header.get("timeout", default)), header.get("lacks", ""))


def read_attacks(language, wanted=()):
    paths = sorted(glob.glob(os.path.join(HERE, language, "*" + SUFFIX[language])))
    attacks = [read_attack(path) for path in paths]
    names = [attack.name for attack in attacks]
    for name in names:
        if names.count(name) > 1:
            complain(paths[names.index(name)], "has the name of another")
    return [attack for attack in attacks
            if not wanted or any(word in attack.path for word in wanted)]


def shorten(value):
    text = repr(value)
    return text if len(text) <= 300 else f"{text[:200]}... ({len(text)} characters)"


MESSAGES = {"MEMORY": "memory limit of ", "OUTPUT": "output too large"}


def is_as_expected(attack, step, reply):
    words = attack.words.split(" | ")[step] if " | " in attack.words else attack.words
    if attack.kind == "CONTAINED":
        return True
    if attack.kind == "BLOCKED":
        got = reply.get("ok")
        return (got if isinstance(got, str) else json.dumps(got)) == words
    error = reply.get("error", {"kind": "", "message": ""})
    if attack.kind == "TIMEOUT":
        return error["kind"] == "Timeout"
    if error["kind"] != "Runtime":
        return False
    if attack.kind == "KILLED":
        return f"({words})" in error["message"]
    return error["message"].startswith(MESSAGES.get(attack.kind, words))


def has_reached(attack, reply):
    """Whether it got what it was after: it says so itself, or never came to its end."""
    if reply is None:
        return True
    text = reply["ok"] if "ok" in reply else reply.get("error", {}).get("message", "")
    return re.fullmatch(attack.reached, str(text), re.S) is not None
