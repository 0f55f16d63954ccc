# extfn: doubling_text() -> text impure
# expect: MEMORY
# layer: rlimits
# Twice as much each time, of what is in use.
text = "x" * 1000
while True:
    text += text
