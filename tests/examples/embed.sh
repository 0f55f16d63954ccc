#!/bin/sh
# embed.sh SOURCE BUILD: the examples in C build against the installed library by pkg-config alone, and run.
# SPDX-License-Identifier: MIT
set -eu
source=$1 build=$2
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

meson install -C "$build" --no-rebuild --quiet --destdir "$place"
config=$(find "$place" -name extfn.pc)
export PKG_CONFIG_PATH="${config%/*}" PKG_CONFIG_SYSROOT_DIR="$place"
libraries=$(pkg-config --variable=libdir extfn)
[ ! -e "$place/$libraries" ] || libraries=$place$libraries

for name in embed many_calls; do
    # shellcheck disable=SC2046
    cc -std=c99 -Wall -Wextra -Wpedantic -Werror "$source/examples/$name.c" \
        $(pkg-config --cflags --libs extfn) -o "$place/$name"
done
embed() {
    LD_LIBRARY_PATH=$libraries "$place/embed" "$source/examples/demo" "$@" 2>&1
}
same() { # WANTED GOT
    [ "$1" = "$2" ] || {
        echo "wanted: $1"
        echo "got:    $2"
        exit 1
    }
}
same "26.96" "$(embed unit_price 80.87 3)"
same "embed: Runtime: ValueError: nothing was ordered (line 3)" "$(embed unit_price 1 0)"
same "embed: NotFound: external function not found: nonsense" "$(embed nonsense)"
same "embed: ArityMismatch: function unit_price: expected 2 argument(s), got 1" "$(embed unit_price 1)"

mkdir "$place/functions"
cp "$source/examples/demo/unit_price.py" "$place/functions/"
printf '# extfn: product(a: number, b: number) -> number\nresult = a * b\n' >"$place/functions/product.py"
same "1000 results, 0 errors" \
    "$(LD_LIBRARY_PATH=$libraries "$place/many_calls" "$place/functions" 1000 2>&1)"
