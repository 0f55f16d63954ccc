# extfn: environment_for_others() -> text impure
# expect: BLOCKED nothing
# layer: environment clean-up
# steps: 2
# Variables that make programs load something, left for whoever comes next.
names = ["LD_PRELOAD", "PYTHONPATH", "BASH_ENV", "R_PROFILE", "JULIA_LOAD_PATH"]
found = [name for name in names if get(ENV, name, "") == "/tmp/hostile"]
foreach(name -> ENV[name] = "/tmp/hostile", names)
result = isempty(found) ? "nothing" : "REACHED $found"
