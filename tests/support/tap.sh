#!/bin/sh
# tap.sh PROGRAM...: runs a cmocka program for meson. cmocka 1.1 calls a skipped test "not ok # SKIP", which
# TAP readers count as a failure; of a failure meson shows stderr only, so what was wrong goes there as well.
# A program for another kind of machine is run by what meson names.
status=$(mktemp)
trap 'rm -f "$status"' EXIT
# shellcheck disable=SC2086 # a program and its arguments
{ ${MESON_EXE_WRAPPER-} "$@"; echo $? >"$status"; } |
    sed -e 's/^not ok \(.*# SKIP\)/ok \1/' -e '/^not ok/,/^ok/w /dev/stderr'
exit "$(cat "$status")"
