# extfn: regular_expression() -> text impure
# expect: TIMEOUT
# layer: clock
# An expression that takes twice as long for every letter, in C, where no signal is looked at.
import re

result = str(re.match("(a*)*b", "a" * 60))
