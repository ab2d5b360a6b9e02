#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Terminals of all kinds: resized, too small, without colours, without UTF-8, unknown ones, and files. Names of the
# program are never sent unescaped.
. "${HEDDLE_SOURCE:?the source directory}/tests/browse/lib.sh" || exit 1

measurement m

# Other sizes.
browse 80x24 m
same tree-80x24
resize 200x60
same tree-200x60
resize 30x6
shows '40 x 8 at least'
resize 40x8
shows '100.0'
shows '1/10'
keys G
shows '10/10'
resize 80x24
shows 'z zoom  a source            10/10'
keys g
same tree-80x24
keys q
ended 0

# Without UTF-8, and on a terminal that has neither colours nor function keys.
browse 80x24 LC_ALL=C TERM=vt100 m
same tree-ascii
keys 2
same functions-ascii
keys q
ended 0

# Everything that it writes: names have no bytes that a terminal interprets, and there are colours only if wanted.
written() { # NAME [VARIABLE=VALUE]...
	local name=$1
	shift
	browse 80x24 "$@" m
	screen_tool pipe-pane -o "cat > '$work/$name'"
	keys r h
	shows 'keys (Esc goes back)'
	keys Escape 2
	shows ']0;owned?'
	keys 1 G
	shows '10/10'
	keys q
	ended 0
}
expect() {
	local message=$1
	shift
	checks=$((checks + 1))
	"$@" || fail "$message"
}
is_clean() { ! grep -qaP '\a|\e\]|\xff|\xe2\x80\xae|\xc2\x9b' "$1"; }
has_colors() { grep -qaP '\e\[[0-9;]*3[1-7][0-9;]*m' "$1"; }
has_no_colors() { ! has_colors "$1"; }
written colored
expect "bytes of names are sent raw" is_clean colored
expect "there are no colours" has_colors colored
written plain NO_COLOR=1
expect "there are colours in spite of NO_COLOR" has_no_colors plain
written ascii LC_ALL=C
expect "bytes that are not ASCII are sent" test -z "$(tr -d '\000-\177' < ascii)"

# Terminals that lack cursor control.
for name in dumb nonesuch; do
	browse 80x24 TERM=$name m
	shows "(TERM=$name)"
	ended 2
done

# No terminal; a missing measurement; a metric and a thread.
"$heddle" browse m > out 2> err < /dev/null
expect "exit status without a terminal" test $? = 2
expect "the message names another command" grep -qx 'heddle: browse: .*heddle report.*' err
expect "there is only one line" test "$(cat out err | wc -l)" = 1
browse 80x24 nowhere
shows 'nowhere does not exist'
ended 3
browse 80x24 --metric nonsense m
shows "'nonsense' is unknown"
ended 2
browse 80x24 --metric visits --thread 1 m
shows 'visits 1,275,965' # half of them
shows '101.0 UPC 1'
keys q
ended 0
browse 80x24 --thread 7 m
shows "there is no thread '7'"
ended 2
finish
