# extfn: twin() -> text impure
# expect: BLOCKED nothing
# layer: clean-up mounts
# steps: 2
# A word for the next call of the same function, in each place that can be written.
import os

os.chdir("/tmp")
found = os.listdir("/tmp")
with open("/tmp/hostile-twin", "w", encoding="ascii") as file:
    file.write("hello")
result = f"REACHED {found}" if found else "nothing"
