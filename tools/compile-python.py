"""compile-python.py OUTPUT PART...: joins the parts of a Python driver into OUTPUT.py and compiles
them into OUTPUT.pyc, with which a Python of this version starts sooner."""
# SPDX-License-Identifier: MIT
import importlib.util
import marshal
import sys

output, parts = sys.argv[1], sys.argv[2:]
source = "\n\n".join(open(part, encoding="utf-8").read() for part in parts)
with open(output + ".py", "w", encoding="utf-8") as file:
    file.write(source)
code = compile(source, "driver.py", "exec", dont_inherit=True)
with open(output + ".pyc", "wb") as file:  # flags, time and size of the source stay zero
    file.write(importlib.util.MAGIC_NUMBER + bytes(12) + marshal.dumps(code))
