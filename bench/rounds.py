"""Measures everything once a round, so that noise hits all alike, and looks at the sums.

SPDX-License-Identifier: MIT
"""
import statistics
import sys
import time

from lines import SELDOM
from meters import PEERS, Failed, Missing, is_there


class SumsDiffer(Failed):
    pass


def tell(text):
    if sys.stderr.isatty():
        print(f"\r{text:60}", end="" if text else "\r", file=sys.stderr, flush=True)


def probe(meters, names):
    """Starts what will be measured. What is missing of it, and why, by peer."""
    missing = {}
    for side in dict.fromkeys(name.split()[0] for name in names):
        if side in PEERS:
            tell(f"starting {side}")
            try:
                meters.peer(side)
            except Missing as why:
                missing[side] = str(why)
    return missing


def chosen(lines, words):
    """The lines in which one of the words stands; all of them without words."""
    names = [f"{line.name} {line.other}" for line in lines]
    unknown = [word for word in words if not any(word in name for name in names)]
    if unknown:
        there = dict.fromkeys(word for name in names for word in name.split())
        raise Failed(f"no line has '{unknown[0]}'; words of lines are: {', '.join(there)}")
    return [line for line, name in zip(lines, names)
            if not words or any(word in name for word in words)]


def without(missing, build, lines):
    """The lines whose both sides can be measured here."""
    here = [line for line in lines
            if is_there(build, line.name) and line.other.split()[0] not in missing]
    if not here:
        raise Failed("what these lines measure is not here; ./dev setup installs languages, "
                     "./dev setup bench what they are compared with")
    return here


def check_sums(lines, readings):
    """Both sides of a line did the same work, in every round."""
    for line in lines:
        one, other = ({reading.sum for reading in readings[name]}
                      for name in (line.name, line.other))
        if one != other or len(one) != 1:
            raise SumsDiffer(f"sums differ: {line.name} {sorted(one)}, "
                             f"{line.other} {sorted(other)}")


def measure(meters, names, rounds, seconds):
    """By name its readings, after a first round that warms up. No round begins after so many
    seconds."""
    end = time.monotonic() + seconds
    readings = {name: [] for name in names}
    done = 0
    while done < 2 or (done <= rounds and time.monotonic() < end):
        for name, values in readings.items():
            if name in SELDOM and done > 2:
                continue
            tell(f"round {done} of {rounds}: {name}")
            values.append(meters.measure(name))
        done += 1
    tell("")
    return {name: values[1:] for name, values in readings.items()}


def summary(readings):
    """Of the seconds: median, quartiles, rounds."""
    values = sorted(reading.seconds for reading in readings)
    low, middle, high = (statistics.quantiles(values, n=4, method="inclusive")
                         if len(values) > 1 else values * 3)
    return {"median": middle, "quartiles": [low, high], "rounds": len(values),
            "sum": readings[0].sum}


def medians(readings):
    return {name: statistics.median(reading.seconds for reading in values)
            for name, values in readings.items()}
