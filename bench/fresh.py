# What a sandboxed process per call costs: the program that the predecessor would have generated.
# It arrives on the interpreter's stdin. SPDX-License-Identifier: MIT
import json

args = json.loads("[2.0, 3.0]")
result = args[0] + args[1]
print(json.dumps({"ok": result}))
