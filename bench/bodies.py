"""The bodies as Python functions, the data, and the sum that all programs of the bench must agree
on. All numbers are multiples of a half below 2^53 halves, so sums are exact in any order.

SPDX-License-Identifier: MIT
"""


def add_args(args):
    result = args[0] + args[1]
    return result


def add(x, y):
    result = x + y
    return result


def branch(x, y):
    if x > y:
        result = x - y
    else:
        result = y * 2
    return result


def heavy(x, y):
    result = 0.0
    for step in range(10):
        if x > y + step:
            result += x - step
        else:
            result += y * 2
    return result


def shout(x):
    result = x.upper() + "!"
    return result


OF_NUMBERS = {"add": add, "branch": branch, "heavy": heavy}


def numbers(rows):
    return [0.5 * i for i in range(rows)], [float(i % 7) for i in range(rows)]


def texts(rows):
    return ["item %d" % i for i in range(rows)]


def sum_texts(column):
    return sum(len(text) + ord(text[0]) for text in column)
