# extfn: environment_for_others() -> text impure
# expect: BLOCKED nothing
# layer: environment clean-up
# steps: 2
# Variables that make programs load something, left for whoever comes next.
import os

NAMES = ("LD_PRELOAD", "PYTHONPATH", "PYTHONSTARTUP", "BASH_ENV", "R_PROFILE", "JULIA_LOAD_PATH")
found = [name for name in NAMES if name in os.environ]
for name in NAMES:
    os.environ[name] = "/tmp/hostile"
result = f"REACHED {found}" if found else "nothing"
