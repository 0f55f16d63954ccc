#!/bin/sh
# tap.sh PROGRAM...: runs a cmocka program for meson. cmocka 1.1 calls a skipped test "not ok # SKIP", which
# TAP readers count as a failure.
status=$(mktemp)
trap 'rm -f "$status"' EXIT
{ "$@"; echo $? >"$status"; } | sed 's/^not ok \(.*# SKIP\)/ok \1/'
exit "$(cat "$status")"
