#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each name in the last column of docs/glossary.md exists: a path, or text of the sources. The check is tried first.
set -eu
cd "$HEDDLE_SOURCE"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folders='core sampling models format perf profile analysis tune cli export include upc'
# shellcheck disable=SC2086 # several words
find $folders -type f -name '*.[ch]' -exec cat {} + >"$work/sources"
# shellcheck disable=SC2086
find $folders -type f >"$work/paths"

# names FILE: what stands between backquotes in the last column, a line each
names() { sed -n 's/^|.*|\(.*\)|$/\1/p' "$1" | grep -o '`[^`]*`' | tr -d '`'; }

# unknown: names of standard input that do not exist
unknown() {
	while read -r name; do
		text=${name%\*}
		case $name in
		*/*) grep -q "^$text" "$work/paths" || echo "$name" ;;
		*\**) grep -qE "$(printf '%s' "$text" | sed 's/\*/[A-Za-z_0-9]*/g')" "$work/sources" || echo "$name" ;;
		*) grep -qF "${text#* }" "$work/sources" || echo "$name" ;;
		esac
	done
}

[ "$(printf '%s\n' 'struct heddle_thread' core/tree/ 'heddle__no_such_*' no/such | unknown | wc -l)" -eq 2 ] || {
	echo "the check itself is broken"
	exit 1
}
count=$(names docs/glossary.md | wc -l)
[ "$count" -ge 60 ] || { echo "only $count names were found"; exit 1; }
found=$(names docs/glossary.md | unknown)
[ -z "$found" ] || { echo "docs/glossary.md names what is not there:"; echo "$found"; exit 1; }
