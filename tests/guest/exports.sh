#!/bin/sh
# exports.sh LIBRARY: exports xf_guest_* and what Python looks for, nothing else, and
# needs the C library alone.
# SPDX-License-Identifier: MIT
set -eu
nm -D --defined-only "$1" | awk '
    { count++ }
    $3 !~ /^xf_guest_/ && $3 != "PyInit_xf_guest" { print "exports " $3; bad = 1 }
    END { exit bad || count == 0 }'
readelf -d "$1" | awk '
    /\(NEEDED\)/ && !/\[libc\.so|\[ld-/ { print "needs " $NF; bad = 1 }
    END { exit bad }'
