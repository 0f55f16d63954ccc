# extfn: homes() -> text impure
# expect: BLOCKED nothing
# layer: mounts
# /home is there, since programs look for it, and empty.
import os

result = f"REACHED {os.listdir('/home')}" if os.listdir("/home") else "nothing"
