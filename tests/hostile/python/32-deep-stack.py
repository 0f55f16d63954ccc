# extfn: deep_stack() -> text impure
# expect: KILLED SIGSEGV
# layer: rlimits
# The same with the interpreter's own guard taken away.
import sys


def deeper(items):
    return sorted([1], key=lambda _: deeper(items))


sys.setrecursionlimit(1 << 30)
result = str(deeper([]))
