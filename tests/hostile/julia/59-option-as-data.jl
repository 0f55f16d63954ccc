# extfn: option_as_data(option: text) -> text impure
# expect: BLOCKED nothing
# layer: driver
# Its argument looks like an option of bubblewrap: it is data.
target = last(split(option))
result = ispath(target) ? "REACHED " * target : "nothing"
