#!/bin/sh
# check-docs.sh [ROOT]: what the documents name exists, and what exists is named.
# SPDX-License-Identifier: MIT
set -eu
cd "${1:-.}"
status=0
miss() {
    echo "$*"
    status=1
}
# `test_names` stand in the last column of the tables in SECURITY.md.
# shellcheck disable=SC2016
tests=$(awk -F '|' '/^\|/ { print $(NF - 1) }' SECURITY.md | tr -c 'a-z0-9_`' '\n' |
    sed -n 's/^`\(.*\)`$/\1/p')
for name in $tests; do
    grep -rqw --include='*.[chR]' --include='*.py' --include='*.sh' "$name" tests ||
        miss "SECURITY.md: no test '$name'"
done
attacks=$(grep -oE '\b[0-9]{2}-[a-z][a-z0-9-]+' SECURITY.md)
for attack in $attacks; do
    [ -e "tests/hostile/python/$attack.py" ] || miss "SECURITY.md: no attack '$attack'"
done
help=$(./dev help)
commands=$(sed -n '/^case /,$ s/^    \([a-z |]*\)).*/\1/p' dev | tr -d '|')
for command in $commands; do
    echo "$help" | grep -q "^  $command " || miss "./dev help: nothing about '$command'"
done
commands=$(sed -n 's/^ *{\.name = "\([a-z]*\)",$/\1/p' src/cli/commands.c)
[ -n "$commands" ] || miss "src/cli/commands.c: no commands found"
for command in $commands; do
    grep -qE "extfn $command\b" README.md || miss "README.md: nothing about 'extfn $command'"
done
# Files and folders that the documents link to.
for document in *.md docs/*.md; do
    (cd "$(dirname "$document")" && grep -oE '\]\([^)#:]+' "$(basename "$document")" | tr -d ']()' |
        xargs -r ls -d >/dev/null) || miss "$document: links to what is not there"
done
exit $status
