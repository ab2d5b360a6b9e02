#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The style of pages has one scale of type and one unit of space: sizes of text are its variables; padding, margins and
# gaps are multiples of --u.
style=$HEDDLE_SOURCE/html/src/style.css
faults() { # FILE
	grep -nE 'font-size: [^v;]' "$1"
	grep -noE '(padding|margin|gap)(-[a-z]+)?: [^;]*' "$1" | grep -vE ': 6\.5rem|: 3\.3rem|gap: 1px' |
		sed -E 's/calc\([0-9.]+ \* var\(--u\)\)|calc\(var\(--u\) \/ 2\)|var\(--u\)//g' | grep -E ': .*[1-9]'
}
if [ "$(faults "$style")" ]; then
	faults "$style"
	exit 1
fi
# The check itself finds another size.
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
{ cat "$style"; echo 'b { font-size: 15px; }'; echo 'i { margin: 0 3px; }'; } >"$work/wrong.css"
[ "$(faults "$work/wrong.css" | wc -l)" = 2 ] || { echo "the check itself is broken"; exit 1; }
