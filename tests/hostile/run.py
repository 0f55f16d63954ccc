"""Runs the attacks of one language against the program, as it is or without a layer; README.md
beside this says what an attack is. SPDX-License-Identifier: MIT

usage: run.py LANGUAGE [NAME...]      every attack has to end as its first lines say
       run.py --without LAYER|all     each layer has an attack that gets through without it"""
import json
import os
import shutil
import subprocess
import sys
import time

from attacks import HERE, NAME, has_reached, is_as_expected, read_attacks, shorten
from host import UIDS, Host
from layers import SWITCHES, has_switches, program_without
from rpc import MEMORY_GROWTH, Rpc

EXTFN = os.environ.get("EXTFN", "build/extfn")
USERS = {name: 61234 + i for i, name in enumerate(NAME)}  # nobody has these
TRIVIAL = {"Python": "result = 42.0", "R": "result <- 42", "Julia": "result = 42.0",
           "Pure": "let result = 42.0;",
           "Wasm": "wat:(module (func (export \"improv_call\") (result f64) f64.const 42))"}
TRIVIAL_SECONDS = 1


def say(number, title, failures):
    print("not ok" if failures else "ok", number, "-", title, flush=True)
    for failure in failures:
        print("#  ", failure, flush=True)
        print(f"{title}: {failure}", file=sys.stderr, flush=True)  # which meson shows


# ---- One attack ----

def ask_trivial(rpc, language, seconds):
    function = {"name": "answer", "language": language, "body": TRIVIAL[language],
                "arg_types": [], "return_type": "Number", "pure": True}
    return rpc.ask({"fn": function, "args": []}, seconds)


def neighbour_failures(rpc, language, before):
    """The trivial function's worker lives on beside the attacks, and nothing else does."""
    begun = time.monotonic()
    reply = ask_trivial(rpc, language, 60)
    seconds = time.monotonic() - begun
    if not reply or reply.get("ok") != 42:
        yield f"the next function: {shorten(reply)}"
        return
    if seconds > TRIVIAL_SECONDS:
        yield f"the next function took {seconds:.1f} s"
    processes, descriptors, memory = rpc.usage()
    if processes != before[0]:
        yield f"processes {processes}, before {before[0]}"
    if descriptors != before[1]:
        yield f"{descriptors} descriptors, before {before[1]}"
    if memory > before[2] + MEMORY_GROWTH:
        yield f"{memory >> 20} MiB of memory, before {before[2] >> 20}"


def host_failures(rpc, reply):
    host = rpc.host
    uids = UIDS if rpc.uid is None else {rpc.uid}
    if host.secret in (reply or {}).get("raw", ""):
        yield "the secret is in the answer"
    yield from host.violations(uids)
    strangers = host.strangers(rpc.process.pid)
    if strangers:
        yield f"processes that nobody waits for: {strangers}"


def try_attack(rpc, attack, step, language, before):
    reply = rpc.call(attack, step)
    if reply is None:
        yield "no answer"
        return
    if "died" in reply:
        yield f"the program ended: {shorten(reply)}"
        return
    is_expected = is_as_expected(attack, step, reply)
    if is_expected and attack.lacks:
        yield "is stopped now: its line 'lacks:' has to go"
    if not is_expected and not attack.lacks:
        got = {key: reply[key] for key in ("ok", "error", "stderr") if key in reply}
        yield f"expected {attack.kind} {attack.words}, got {shorten(got)}"
    yield from host_failures(rpc, reply)
    yield from neighbour_failures(rpc, language, before)


# ---- All of a language ----

def open_rpc(program, language, host, uid):
    rpc = Rpc(program, os.path.join(host.directory, "attacks"), host, uid)
    reply = ask_trivial(rpc, NAME[language], 60)
    if not reply or reply.get("ok") != 42:
        rpc.end()
        return None, reply
    return rpc, rpc.usage()


def engine_of_wasm():
    """Part of the host process, from a place that another user may be unable to enter."""
    doctor = subprocess.run([EXTFN, "doctor", "--json"], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, check=False)
    return json.loads(doctor.stdout)["languages"]["Wasm"].get("path")


def copy_for_anybody(language, host):
    """The program and the attacks where every user may read them."""
    library = os.path.join(host.directory, "attacks")
    if not os.path.exists(library):
        shutil.copytree(os.path.join(HERE, language), library)
        host.before = host.look()
    program = os.path.join(host.directory, "extfn")
    if not os.path.exists(program):
        shutil.copy(EXTFN, program)
        host.before = host.look()
    engine = engine_of_wasm() if language == "wasm" else None
    if engine and not host.options:
        shutil.copy(engine, host.path("engine.so"))
        host.options = ["--interpreter", "wasm=" + host.path("engine.so")]
        host.before = host.look()
    return program


TWICE = ("python", "wasm")


def run_as(uid, language, attacks, host, number):
    """Prints a line for each attack; the number of failures."""
    program = copy_for_anybody(language, host)
    who = "as root" if uid is None and os.geteuid() == 0 else "as a user"
    rpc, before = open_rpc(program, language, host, uid)
    bad = 0
    for attack in attacks:
        for step in range(attack.steps):
            failures = (list(try_attack(rpc, attack, step, NAME[language], before)) if rpc
                        else [f"the program does not answer: {shorten(before)}"])
            number += 1
            say(number, f"{attack.label(step)} {who}", failures)
            bad += 1 if failures else 0
            if failures and rpc and list(neighbour_failures(rpc, NAME[language], before)):
                rpc.end()
                rpc, before = open_rpc(program, language, host, uid)
    if rpc:
        status, warnings = rpc.close()
        number += 1
        failures = [f"status {status} {warnings}"] if status or warnings else []
        say(number, f"the end {who}", failures)
        bad += len(failures)
    return bad, number


def run_language(language, wanted):
    if has_switches(EXTFN):
        sys.exit(f"{EXTFN} can leave layers out: it is not what anybody should run")
    host = Host(os.environ.get("GATE"))
    try:
        program = copy_for_anybody(language, host)
        skip_where_missing(program, language, host)
        attacks = read_attacks(language, wanted)
        # Twice only where starts are quick: what differs is the host's uid, not the language.
        is_root = os.geteuid() == 0 and (language in TWICE or "EXTFN_HOSTILE_TWICE" in os.environ)
        identities = [None, USERS[language]] if is_root else [None]
        tries = sum(attack.steps for attack in attacks)
        print(f"1..{(tries + 1) * len(identities)}")
        bad, number = 0, 0
        for uid in identities:
            more, number = run_as(uid, language, attacks, host, number)
            bad += more
        return 1 if bad else 0
    finally:
        host.close()


def skip_where_missing(program, language, host):
    rpc, reply = open_rpc(program, language, host, None)
    if rpc:
        rpc.close()
        return
    kind = (reply or {}).get("error", {}).get("kind")
    missing = {"LanguageUnavailable": language, "Sandbox": "bwrap"}.get(kind)
    if missing:
        print(f"1..0 # skip needs {missing}, which this machine lacks")
        required = os.environ.get("EXTFN_TEST_REQUIRE", "").split(",")
        sys.exit(1 if missing in required else 0)  # to TAP another status is a failure


# ---- Without a layer ----

def gets_through(attack, off, host):
    """Whether it reaches what it is after where these layers are left out; and what came of it."""
    program = program_without(EXTFN, off, host.directory)
    host.before = host.look()
    rpc = Rpc(program, os.path.join(host.directory, "attacks"), host, None)
    reply = rpc.call(attack, 0)
    found = list(host_failures(rpc, reply))
    rpc.end()
    host.tidy()
    host.await_keys(UIDS)
    os.unlink(program)
    is_through = has_reached(attack, reply) or bool(found)
    return is_through, f"{shorten(reply)} {found or ''}"


def proof_failures(attack, host):
    """It gets through where all that it names is left out, and no longer where one of it is not."""
    is_through, seen = gets_through(attack, attack.opens, host)
    if not is_through:
        yield f"stopped without {' '.join(attack.opens)}: {seen}"
    for layer in attack.opens:
        others = [name for name in attack.opens if name != layer]
        is_through, seen = gets_through(attack, others, host)
        if is_through:
            yield f"not stopped by {layer}, without {' '.join(others) or 'any'}: {seen}"


def run_without(wanted):
    if not has_switches(EXTFN):
        sys.exit(f"{EXTFN} is not built with -Dlayer_switches=true")
    layers = SWITCHES if wanted == "all" else [wanted]
    attacks = [attack for attack in read_attacks("python") if set(attack.opens) & set(layers)]
    host = Host(os.environ.get("GATE"))
    try:
        copy_for_anybody("python", host)
        print(f"1..{len(attacks) + len(layers)}")
        bad, proven = 0, set()
        for number, attack in enumerate(attacks, 1):
            is_for_root = "uid-drop" in attack.opens and os.geteuid() != 0
            failures = [] if is_for_root else list(proof_failures(attack, host))
            proven |= set() if failures else set(attack.opens)
            title = f"{attack.name} needs no more than to be without {', '.join(attack.opens)}"
            title += " # SKIP only root drops its uid" if is_for_root else ""
            say(number, title, failures)
            bad += 1 if failures else 0
        for number, layer in enumerate(layers, len(attacks) + 1):
            say(number, f"{layer} is needed", [] if layer in proven else ["no attack shows it"])
            bad += 0 if layer in proven else 1
        return 1 if bad else 0
    finally:
        host.close()


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--without":
        return run_without(sys.argv[2])
    if len(sys.argv) < 2 or sys.argv[1] not in NAME:
        sys.exit(__doc__)
    return run_language(sys.argv[1], sys.argv[2:])


if __name__ == "__main__":
    sys.exit(main())
