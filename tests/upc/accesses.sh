#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# `heddle run --accesses`: a program with known accesses has exactly these accesses, by variable, by line and by pair of
# threads, with 1, 2 and 3 UPC threads: in shared memory, with a node for each thread, and over the network; with and
# without samples. A merged file shows the same.
set -eu -o pipefail
# shellcheck source=tests/upc/common.sh
. "$HEDDLE_SOURCE/tests/upc/common.sh"
# shellcheck source=tests/upc/launchers.sh
. "$HEDDLE_SOURCE/tests/upc/launchers.sh"
heddle=$HEDDLE_BUILD/bin/heddle
export LD_LIBRARY_PATH=$HEDDLE_BUILD/lib
cd "$work"
cp "$here/programs/accesses.upc" .
"$heddle" upcc -O2 -g --inst --inst-local accesses.upc -o accesses
failed=0

# expected THREADS: prints accesses by variable, then by pair
expected() {
	local threads=$1 i
	{
		for known in 'table 7' 'field 3' 'flag 2' 'both 7' 'parts 2' 'parts[].mine 4' 'published 4' 'first 2' \
			'second 3' '*wide_of_all 7'; do
			echo "$((threads * ${known#* })) ${known% *}"
		done
		echo "$((threads + 1)) wide_of_all"
	} | sort
	for ((i = 0; i < threads; i++)); do
		pairs_of "$i" "$threads"
	done
}

pairs_of() {
	awk -v i="$1" -v threads="$2" 'BEGIN { next_one = (i + 1) % threads
		for (j = 0; j < threads; j++) {
			n = (j == next_one) * 36 + (j == 0) * (3 + (i == 0)) + (j == i) * 3
			if (n) print n, "UPC " i " -> UPC " j } }'
}

# rows BY MEASUREMENT: prints accesses and names
rows() {
	"$heddle" report --by "$1" --min 0 "$2" |
		awk '/^ *accesses .* time / { table = 1; at = length($0) - length($NF) + 1; next }
			table && /all accesses/ { exit }
			table { n = $1; gsub(",", "", n); print n, substr($0, at) }'
}

# found MEASUREMENT
found_in() {
	rows variable "$1" | sort
	rows pair "$1" | sort -t' ' -k3,3n -k6,6n
}

# check NAME THREADS: checks the measurement with that name
check() {
	expected "$2" >want
	found_in "$1" >got
	diff -u want got || { echo "$1: wrong accesses"; failed=1; }
	"$heddle" merge --drop-traces -o "$1.heddle" "$1" >merge.out 2>&1 || { cat merge.out; failed=1; }
	for by in variable line variable,line pair thread thread,variable pair,variable; do
		"$heddle" report --by "$by" --min 0 "$1" | sed 1,/^$/d >single
		"$heddle" report --by "$by" --min 0 "$1.heddle" | sed 1,/^$/d >merged
		diff -u single merged || { echo "$1: the merged file shows others by $by"; failed=1; }
	done
	[ "$(sort -u output)" = again ] || { echo "$1: printed"; cat output; failed=1; }
}

run() {
	local name=$1 threads=$2
	shift 2
	timeout "$seconds" "$heddle" run -n "$threads" --accesses "$@" -o "$name" -- ./accesses >output 2>errors ||
		{ echo "$name: ends with $?"; cat output errors; failed=1; return; }
	check "$name" "$threads"
}

for threads in 1 2 3; do
	run "shared$threads" $threads --sample-hz 0
	UPC_NODE_SIZE=1 run "nodes$threads" $threads --sample-hz 0
done
run sampled 3
run slow 2 --sample-hz 0 --metric page-faults
run traced 3 --sample-hz 0 --trace
"$heddle" export --format chrome -o traced.json traced
grep -q '"upc get both @accesses.upc:46"' traced.json || { echo "not in a trace"; failed=1; }

# The lines that access one variable, with the side.
rows variable,line nodes3 >lines
for known in '21 table  accesses.upc:27' '9 field  accesses.upc:29' '15 both  accesses.upc:46' \
	'12 parts[].mine  accesses.upc:48' '3 both  accesses.upc:57' '3 *wide_of_all  accesses.upc:57'; do
	grep -qxF "$known" lines || { echo "not by variable and line: $known"; cat lines; failed=1; }
done
"$heddle" report --by variable nodes3 >remote
grep -qE '^ +9 +100\.0 .* field$' remote ||
	{ echo "no remote accesses to field"; "$heddle" report --by variable nodes3; failed=1; }

# The grid of pairs: a cell for each pair, sums, neighbouring threads in one cell if there is no room; then for one
# variable.
# grid MEASUREMENT OPTION...: prints its rows, with words separated by one blank
grid() { "$heddle" report --by pair "$@" | awk '/memory of/ { on = 1 } on && !NF { exit } on { $1 = $1; print }'; }
printf '%s\n' 'memory of UPC 0 UPC 1 UPC 2 all' by 'UPC 0 7 36 . 43' 'UPC 1 3 3 36 42' 'UPC 2 39 . 3 42' 'all 49 39 39 127' >want
grid nodes3 >got
diff -u want got || { echo "not the grid"; failed=1; }
printf '%s\n' 'memory of UPC 0 UPC 1 UPC 2 all' by 'UPC 0 . 7 . 7' 'UPC 1 . . 7 7' 'UPC 2 7 . . 7' 'all 7 7 7 21' >want
grid nodes3 --variable table >got
diff -u want got || { echo "not the grid of one variable"; failed=1; }
UPC_NODE_SIZE=1 run nodes9 9 --sample-hz 0
[ "$(grid nodes9 | head -n 1)" = 'memory of 0-1 2-3 4-5 6-7 UPC 8 all' ] || { echo "not in groups"; grid nodes9; failed=1; }
[ "$("$heddle" report --by variable --variable both nodes3 | tail -n 1 | awk '{ print $1 }')" = 21 ] ||
	{ echo "not of one variable"; "$heddle" report --by variable --variable both nodes3; failed=1; }

# Reports of one thread, with source, and options that are refused.
"$heddle" report --accesses --min 0 --thread 1 shared3 >one
grep -qE '^ +7 .* table$' one || { echo "not of one thread"; cat one; failed=1; }
"$heddle" report --annotate accesses.upc nodes3 >page
grep -qE '^ +21 .* 27 +sum \+= table' page || { echo "not annotated"; cat page; failed=1; }
"$heddle" report --by variable --from 0ns --to 10s traced >part
grep -qE '^ +21 .* table$' part || { echo "not of a part of the run"; cat part; failed=1; }
# refused STATUS OPTION...
refused() {
	local status=0 wanted=$1
	shift
	"$heddle" report "$@" >out.refused 2>err.refused || status=$?
	[ "$status" = "$wanted" ] && [ "$(grep -c '^heddle: report: ' err.refused)" = 1 ] ||
		{ echo "report $*: ends with $status"; cat err.refused; failed=1; }
}
refused 2 --by place shared3
refused 2 --thread one shared3
refused 2 --by pair --from 0ns --to 10s traced
refused 3 --annotate absent.upc shared3
refused 7 --thread 3 shared3
refused 7 --thread 1 shared3.heddle

# Members of structures are named by debug information; without it, structures are not divided.
"$heddle" upcc -O2 -g --inst "$here/programs/accessed_members.upc" -o members
strip -g members -o bare
for program in members bare; do
	"$heddle" run -n 2 --accesses --sample-hz 0 -o $program.out -- ./$program 2>errors || { cat errors; failed=1; }
	rows variable $program.out | sort >got.$program
	for by in thread,variable pair,variable; do
		rows $by $program.out | awk '{ sum[$NF] += $1 } END { for (name in sum) print sum[name], name }' | sort |
			diff -u got.$program - || { echo "$program: others by $by"; failed=1; }
	done
done
printf '%s\n' '2 bodies' '2 bodies.in.b' '2 bodies.u.l' '2 bodies.x' '2 cells' '2 cells.key' '2 cells.text[]' \
	'6 bodies.row[]' | diff -u - got.members || { echo "wrong members"; failed=1; }
printf '%s\n' '14 bodies' '6 cells' | diff -u - got.bare || { echo "wrong structures"; failed=1; }

# Functions that allocate for their callers: by call paths if there are samples, otherwise by the allocation's line.
"$heddle" upcc -O2 -g --inst "$here/programs/accessed_memory.upc" -o memory
for options in '' '--sample-hz 0'; do
	# shellcheck disable=SC2086
	"$heddle" run -n 3 --accesses $options -o "memory.out$options" -- ./memory 2>errors || { cat errors; failed=1; }
	rows variable "memory.out$options" | sort >"got.memory$options"
done
printf '%s\n' '15 second' '21 mine' '3 others' '9 first' | diff -u - got.memory || { echo "wrong callers"; failed=1; }
printf '%s\n' '21 upc_alloc@accessed_memory.upc:21' '24 upc_all_alloc@accessed_memory.upc:12' '3 others' |
	diff -u - 'got.memory--sample-hz 0' || { echo "wrong lines of allocation"; failed=1; }

# Several allocations on one line: each has its own name, or else a number. Allocations through functions have their
# callers' names if call paths are known.
lines_expected() {
	printf '%s\n' '2 rare' '4 hot' '6 here' '8 there' '14 either' '16 pair.left' '18 pair.right' '40 parts[]' \
		'10 upc_all_alloc@accessed_lines.upc:44#1' '12 upc_all_alloc@accessed_lines.upc:44#2' \
		'60 upc_all_alloc@accessed_lines.upc:27'
	if [ "$1" = sampled ]; then
		printf '%s\n' '22 first' '24 second' '26 third' '28 fourth'
	else
		printf '%s\n' '46 upc_all_alloc@accessed_lines.upc:16' '54 upc_all_alloc@accessed_lines.upc:21'
	fi
}
for optimized in -O0 -O2; do
	"$heddle" upcc $optimized -g --inst --inst-local "$here/programs/accessed_lines.upc" -o lines$optimized
	for how in sampled events; do
		hz=$([ $how = sampled ] && echo 1000 || echo 0)
		"$heddle" run -n 2 --accesses --sample-hz "$hz" -o lines.out$optimized$how -- ./lines$optimized 2>errors ||
			{ cat errors; failed=1; }
		rows variable lines.out$optimized$how | sort >got.lines
		lines_expected $how | sort | diff -u - got.lines || { echo "$optimized, $how: wrong allocations of a line"; failed=1; }
	done
done

# Without --accesses there are no variables, and a line says what to do.
"$heddle" run -n 2 --sample-hz 0 -o without -- ./accesses >output 2>errors
"$heddle" report --accesses without >hint
grep -q 'heddle run' hint || { echo "no hint"; failed=1; }

# Over the network.
if [ -e "$HEDDLE_BUILD/lib/libheddle-upc-ucx.so" ]; then
	export UPC_NODE_SIZE=1 UCX_TLS=tcp,self
	for launcher in $(launchers); do
		for threads in 2 3; do
			timeout "$seconds" bash -c "$(declare -f launch); launch \"\$@\"" - "$launcher" $threads \
				"$heddle" run --accesses -o "$launcher$threads" -- ./accesses >output 2>errors </dev/null ||
				{ echo "$launcher: ends with $?"; cat output errors; failed=1; continue; }
			check "$launcher$threads" $threads
		done
	done
else
	echo "left out: the network was not built (libucx-dev)"
fi
exit $failed
