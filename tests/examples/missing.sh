#!/bin/sh
# missing.sh SOURCE EXTFN: the demo says which languages it leaves out, and how to get them.
# SPDX-License-Identifier: MIT
set -eu
export EXTFN_INTERPRETER_JULIA=/none EXTFN_INTERPRETER_WASM=/none
told=$("$1/examples/demo/run" "$2")
for line in "  Julia: ./dev setup julia" "  Wasm: ./dev setup wasm"; do
    echo "$told" | grep -qxF -e "$line" || {
        echo "missing: $line"
        echo "$told"
        exit 1
    }
done
