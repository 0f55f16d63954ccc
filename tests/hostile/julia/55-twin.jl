# extfn: twin() -> text impure
# expect: BLOCKED nothing
# layer: clean-up mounts
# steps: 2
# A word for the next call of the same function, where it can be written.
found = filter(name -> startswith(name, "hostile"), readdir("/tmp"))
write("/tmp/hostile-twin", "hello")
result = isempty(found) ? "nothing" : "REACHED $found"
