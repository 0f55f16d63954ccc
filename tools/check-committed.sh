#!/bin/sh
# Nothing that .gitignore names is committed. SPDX-License-Identifier: MIT
set -eu
cd "$(dirname "$0")/.."
[ -e .git ] || exit 0 # a copy without its history
committed=$(git ls-files --cached --ignored --exclude-standard)
[ -z "$committed" ] || {
    printf 'committed although .gitignore names it: %s\n' "$committed"
    exit 1
}
