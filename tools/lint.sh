#!/usr/bin/env bash
# lint.sh CLANG_BUILD: layout, names and style of every file. Ends with `N passed, N failed, N skipped`.
# SPDX-License-Identifier: MIT
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit
passed=0 failed=0
check() { # NAME COMMAND...: its output is shown when it fails
    local name=$1 output
    shift
    if output=$("$@" 2>&1); then
        passed=$((passed + 1))
        printf 'ok      %s\n' "$name"
    else
        failed=$((failed + 1))
        printf 'FAILED  %s\n%s\n' "$name" "$output"
    fi
}
folders=(src include guest tests tools bench examples bindings)
files() { # FIND OPTION...: NUL-separated
    find "${folders[@]}" -type f \( "$@" \) -print0 | sort -z
}
layout() { files -name '*.[ch]' | xargs -0 clang-format --dry-run -Werror; }
tidy() {
    find src guest bindings/sqlite -name '*.c' -print0 |
        xargs -0 -P "$(nproc)" -n 4 clang-tidy -p "$1" --quiet 2>/dev/null
}
python_style() { files -name '*.py' | xargs -0 flake8 bench/run "$1/src/lang/driver.py"; }
r_style() { files -name '*.R' | xargs -0 Rscript --vanilla tools/lint.R; }
cargo_in() { # CLANG_BUILD ARGUMENT...
    (cd bindings/rust && EXTFN_BUILD_DIR=$OLDPWD/$1 CARGO_TARGET_DIR=$OLDPWD/$1/rust cargo "${@:2}")
}
rust_style() { cargo_in "$1" clippy --offline --locked --workspace --all-targets --quiet -- -D warnings; }
shell_style() { files -name '*.sh' | xargs -0 shellcheck dev .ci/run examples/demo/run setup/julia setup/wasm/{build,licenses} \
    packaging/build setup/arm64/libraries setup/python/venv completion/extfn.bash; }

check clang-format layout
check clang-tidy tidy "$1"
check flake8 python_style "$1"
check lintr r_style
check shellcheck shell_style
check rustfmt cargo_in "$1" fmt --check
check clippy rust_style "$1"
for script in tools/check-{committed,docs,headers,layers,sizes}.sh; do
    check "$(basename "$script" .sh)" sh "$script"
done
check check-banned sh tools/check-banned.sh "$1"
printf '%d passed, %d failed, 0 skipped\n' "$passed" "$failed"
[ "$failed" = 0 ]
