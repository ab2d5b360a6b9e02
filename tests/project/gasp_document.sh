#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tables of docs/gasp.md name every event of the public headers and vocabularies, each exactly once, and no other.
set -eu
cd "$HEDDLE_SOURCE"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shellcheck disable=SC2016
named() { grep -oE '^\| `GASP_[A-Z0-9_]+` \|' | tr -d '|` ' | sort; }

named <docs/gasp.md | grep -vE '^GASP_(LANG|USEREVT)' >"$work/document"
cat include/heddle/gasp_c.h include/heddle/gasp_upc.h |
	sed -nE 's/^#define (GASP_[A-Z0-9_]+) GASP_HEDDLE_EVENT\(.*/\1/p' | sort >"$work/headers"
grep -oE '"GASP_[A-Z0-9_]+"' models/upc/upc_names.h | tr -d '"' | sort >"$work/vocabulary"
[ "$(wc -l <"$work/headers")" -ge 43 ] || { echo "the headers' events were not found"; exit 1; }

bad=0
if uniq -d "$work/document" | grep .; then
	echo "named more than once in docs/gasp.md"
	bad=1
fi
sort -u "$work/headers" "$work/vocabulary" >"$work/all"
if ! diff "$work/all" "$work/document" >"$work/differences"; then
	echo "< not in docs/gasp.md, > only there:"
	cat "$work/differences"
	bad=1
fi
exit $bad
