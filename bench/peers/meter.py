"""What the peers' programs have in common: they say what they are, and answer lines.

SPDX-License-Identifier: MIT
"""
import sys
import time

CALLS = 200


def missing(why):
    print("missing", " ".join(str(why).split()), flush=True)
    sys.exit()


def ready(version):
    print("ready", version, flush=True)


def answer(seconds, total):
    print(f"{seconds:.9f} {float(total):.17g}", flush=True)


def of_column(evaluate, total=lambda result: result):
    """The sum is taken after the clock has stopped."""
    def measure():
        start = time.perf_counter()
        result = evaluate()
        seconds = time.perf_counter() - start
        return seconds, total(result)
    return measure


def of_calls(call, calls=CALLS):
    def measure():
        call()
        start = time.perf_counter()
        for _ in range(calls):
            result = call()
        return (time.perf_counter() - start) / calls, result
    return measure


def serve(measures):
    for line in sys.stdin:
        answer(*measures[line.strip()]())
