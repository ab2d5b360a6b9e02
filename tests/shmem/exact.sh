#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Calls, bytes and partners of a program with known numbers, on 1, 2 and 4 PEs, must be exact.
. "$HEDDLE_SOURCE/tests/shmem/lib.sh"
hz=0

# measured_as FILE: compares with lines FUNCTION METRIC VALUE of one PE.
measured_as() {
	local metric
	for metric in visits bytes-got bytes-put local-accesses same-node-accesses same-node-bytes remote-accesses shared-bytes; do
		"$heddle" export "$1" --format folded --metric "$metric" 2> /dev/null |
			awk -v metric="$metric" '{ path = $0; sub(/ [0-9]+$/, "", path); sub(/.*;/, "", path); sub(/ @.*/, "", path)
				sum[path] += $NF } END { for (name in sum) print name, metric, sum[name] }'
	done | grep -Ev '^(shmem_(init|finalize|my_pe|n_pes)|MPI_.*) '
}

# Prints accesses by pair: lines PE A -> PE B NUMBER.
pairs_of() {
	"$heddle" report "$1" --accesses --by pair --min 0 | sed -nE 's/^ *([0-9,]+) .* (PE [0-9]+ -> PE [0-9]+)$/\2 \1/p' | tr -d ,
}

compile_shmem exact exact.c
for count in 1 2 4; do
	rm -f expected.* pairs.*
	pes "exact$count" "$count" ./exact
	expect "$count PEs: ends well" ended "exact$count" "exit 0"
	expect "$count PEs: nothing wrong" test ! -s "exact$count.out"
	for ((pe = 0; pe < count; pe++)); do
		awk '$3' "expected.$pe" | sort > wanted
		measured_as "exact$count.heddle.d/exact.rank$pe".*.heddle | sort > got
		expect "$count PEs: PE $pe: numbers" diff wanted got
	done
	"$heddle" export "exact$count.heddle.d" --format folded --metric flight-time > flights
	for name in put_nbi ctx_int_put_nbi ctx_long_put_nbi; do
		expect "$count PEs: completion of $name" grep -Eq "shmem_([a-z]*_)?$name( @|\$| )" flights
	done
	cat pairs.* | sort > wanted
	pairs_of "exact$count.heddle.d" | sort > got
	expect "$count PEs: pairs" diff wanted got
	expect "$count PEs: no call of MPI is the program's" sh -c "! '$heddle' report 'exact$count.heddle.d' --metric visits --min 0 | grep MPI_"
done
finish
