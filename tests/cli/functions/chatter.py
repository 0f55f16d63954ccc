# extfn: chatter(x: number) -> number
import sys
print("to stdout", x)
print("to stderr", file=sys.stderr)
result = x
