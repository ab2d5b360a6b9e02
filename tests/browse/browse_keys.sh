#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# What the keys and the mouse of `heddle browse` do. The selection is kept from view to view.
. "${HEDDLE_SOURCE:?the source directory}/tests/browse/lib.sh" || exit 1

measurement m
browse 80x24 m
shows '1/10'

# Moving: the position is in the last line.
keys j
shows '2/10'
keys Down Down
shows '4/10'
keys k
shows '3/10'
keys G
shows '10/10'
shows 'a_function_with_a_name_that_is_much_lo' # the full name, below the table
keys g
shows ' 1/10'
keys End
shows '10/10'
keys Home PageDown
shows '10/10'
keys PageUp
shows ' 1/10'

# The tree: collapse, expand, expand all, expand the most expensive path.
keys -
shows '+ cg'
shows '1/1'
keys +
shows '1/10'
keys C
shows '1/2'
keys H
shows 'multiply_row'
shows '5/9'
keys Left
shows '+ multiply_row'
keys Left
shows '4/7'
keys Right Right
shows '5/9'
keys Enter
shows '5/10'
keys g '*'
shows '1/10'

# A search also finds collapsed nodes; lower-case letters match capital ones.
keys C / 'upc get' Enter
shows '└─ upc get @cg.upc:3'
shows 'upc get @cg.upc:3 · cg.upc:3'
keys / OMP Enter
shows 'not found: OMP'
keys / barrier Enter
shows 'omp barrier @cg.upc:9 · cg.upc:9'
keys n
shows 'upc barrier @cg.upc:10 · cg.upc:10'
keys N
shows 'omp barrier @cg.upc:9 · cg.upc:9'
keys / x BSpace BSpace
shows 'h help'

# Other views select the same place.
keys a
shows '[3 source]'
shows ' 9/12'
keys Enter
shows '[1 tree]'
shows 'omp barrier @cg.upc:9 · cg.upc:9'
keys Tab
shows '[2 functions]'
shows ' 2/9'
keys Enter
shows '[1 tree]'
shows 'omp barrier @cg.upc:9 · cg.upc:9'
keys BTab
shows '[5 blame]'
keys j Enter
shows '[1 tree]'
shows 'blame 2.02 s'
keys m
shows '[metrics]'
keys g Enter
shows 'cpu-time 6.36 s'

# Zoom into the construct, and back.
keys / 'omp parallel' Enter z
shows 'zoomed into'
hides '├- solve'
shows '    94.0       -     5.98 s'
keys 2
shows '[2 functions]'
hides ' main'
keys Escape
shows ' main'
hides 'zoomed into'
keys 1
shows 'solve'

# One thread, then all threads again.
keys t
shows '[4 threads]'
keys j j Enter
shows 'cpu-time 1.59 s · 100.0 UPC 0'
shows '[1 tree]'
hides ' 5.98 s'
keys 4 j
keys k Enter
shows '[1 tree]'
keys 4 g Enter
shows '6.36 s'

# Sorting by the next column, and in reverse.
keys 2
shows '*self %'
keys s
shows '*total %'
keys S g
same functions-reversed

# Files, and lines with a cost.
keys 3 o
shows '[files]'
keys Enter
shows '[3 source]'
keys g ']'
shows ' 3/12'
keys ']'
shows ' 9/12'
keys '['
shows ' 3/12'
keys Right
shows '3  ouble multiply_row'
keys Left

# Clicks on a tab and on a row, a double click on a row, and the wheel. Bytes as a terminal sends them: button, column,
# row. All arguments of one call arrive at once, so two clicks are a double click on a busy machine, too.
mouse() { # [BUTTON COLUMN LINE]...
	local bytes='' byte
	while [ $# -gt 0 ]; do
		bytes+=$'\e[M'
		for byte in $((32 + $1)) $((33 + $2)) $((33 + $3)); do
			bytes+=$(printf '%b' "\\$(printf '%03o' "$byte")")
		done
		shift 3
	done
	typed "$bytes"
}
click() { mouse 0 "$1" "$2" 3 "$1" "$2"; }
click 2 1
shows '[1 tree]'
keys g
click 45 5
shows ' 3/10'
keys -
shows ' 3/5'
click 45 4
shows ' 2/5'
keys j
shows ' 3/5'
click 45 6 # the next click is a single one
shows ' 4/5'
mouse 0 45 4 3 45 4 0 45 4 3 45 4
shows ' 2/2'
mouse 64 45 5
shows ' 1/2'
mouse 65 45 5
shows ' 2/2'

keys x
shows 'unknown key'

# q leaves a list, then ends the command; Q ends the command at once.
keys m
shows '[metrics]'
keys q
shows '[1 tree]'
keys q
ended 0
browse 80x24 m
shows '[1 tree]'
keys h
shows '[help]'
keys Q
ended 0

# A slow machine: two clicks that arrive together are a double click, however late they are read. Each reading of the
# clock takes a second.
browse 80x24 LD_PRELOAD="$HEDDLE_BUILD/tests/libheddle_slow_clock.so" m
shows '1/10'
mouse 0 45 4 3 45 4 0 45 4 3 45 4
shows ' 2/2'
keys Q
ended 0

# A file that cannot be read is left out, and a line reports that.
head -c 100 m/cg.101.heddle > m/cg.102.heddle
browse 80x24 m
shows 'left out 1 of 3 files'
keys q
ended 0
finish
