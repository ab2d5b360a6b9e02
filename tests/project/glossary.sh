#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Each name in the last column of docs/glossary.md exists: as a path, or in the sources. No source or document contains
# a word that the glossary refuses. First the checks are tried.
set -eu
cd "$HEDDLE_SOURCE"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folders='core sampling models format perf profile analysis tune cli export include upc'
# shellcheck disable=SC2086 # several words
find $folders -type f -name '*.[ch]' -exec cat {} + >"$work/sources"
# shellcheck disable=SC2086
find $folders -type f >"$work/paths"

# names FILE: prints the text between backquotes in the last column, one in a line
names() { sed -n 's/^|.*|\(.*\)|$/\1/p' "$1" | grep -o '`[^`]*`' | tr -d '`'; }

# unknown: prints the names on standard input that do not exist
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

# refused PATH...: prints "FILE:LINE: words" for each line with a refused word. A name is split into its words.
words=$(sed -n 's/^The test `glossary` refuses these .*: \(.*\)\.$/\1/p' docs/glossary.md |
	sed 's/, /|/g' | paste -sd '|')
refused() {
	grep -rliE "$(printf '%s' "$words" | tr ' ' .)" --include='*.[ch]' --include='*.ts' --include='*.tsx' \
		--include='*.css' --include='*.upc' --include='*.md' --include='*.[1-9]' \
		--include='*.txt' --include='*.cmake' "$@" | while read -r file; do
		sed -E 's|text/plain||g; s/([a-z])([A-Z])/\1 \2/g; s/[^A-Za-z]+/ /g' "$file" | grep -niwE "$words" | sed "s|^|$file:|"
	done
}

[ -n "$words" ] || { echo "docs/glossary.md has no list of refused words"; exit 1; }
printf '%s\n' 'tellMe()' 'is_plain_name' 'x->told' 'TELLS' 'waits_in_vain()' 'once  more' \
	'explain, foretold, text/plain' 'as everything, in vains' >"$work/words.c"
[ "$(refused "$work/words.c" | wc -l)" -eq 6 ] || { echo "the check of words itself is broken"; exit 1; }
# shellcheck disable=SC2086
found=$(refused $folders tune html docs dev cmake README.md CONTRIBUTING.md | grep -v '^docs/glossary.md:') || :
[ -z "$found" ] || { echo "words that docs/glossary.md refuses:"; echo "$found"; exit 1; }
