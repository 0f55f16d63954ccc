# extfn: doubling_list() -> text impure
# expect: MEMORY
# layer: rlimits
# Twice as many each time, each an object of its own.
items = [0]
while True:
    items += [item + 0.5 for item in items]
