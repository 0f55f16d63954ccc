#!/bin/sh
# sheet.sh SOURCE EXTFN: the example's README shows what it prints. SPDX-License-Identifier: MIT
set -eu
printed=$("$1/examples/sheet/run" "$2")
for language in Python R Julia Wasm; do
    case $printed in *"a function in $language,"*)
        printf 'needs %s, which this machine lacks\n' "$language" >&2
        lower=$(echo "$language" | tr '[:upper:]' '[:lower:]')
        case ,${EXTFN_TEST_REQUIRE-}, in *",$lower,"*) exit 1 ;; esac
        exit 77
        ;;
    esac
done
case $printed in
    *"a function in Pure,"*) ;;
    *) exit 0 ;; # one column more than README.md shows
esac
[ "$(printf '%s\n' "$printed" | grep '^    ')" = "$(sed -n '/^    product /,/^$/p' "$1/examples/sheet/README.md")" ]
