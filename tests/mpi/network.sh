#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Transfer and serialization of communication, of programs that sleep: within bounds that hold on a busy machine, too,
# as no sleep is shorter than requested.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
need python3
hz=0
run_options=(--trace)

# is_split NAME CONDITION: checks a condition of split.py
is_split() {
	"$heddle" export --format json -o "$1.json" "$1.heddle.d" &&
		python3 "$HEDDLE_SOURCE/tests/mpi/split.py" "$1.json" "$2"
}

split() {
	compile_mpi network network.c
	ranks "$mpi-chain" 2 ./network chain 20 10
	expect "$mpi: ends well" ended "$mpi-chain" "exit 0"
	# 0.4 s one after the other, on any network.
	expect "$mpi: in turn, the network takes nothing" is_split "$mpi-chain" '0.399 <= I <= E and M >= 0.199'
	ranks "$mpi-even" 2 ./network even 20 10
	expect "$mpi: ends well" ended "$mpi-even" "exit 0"
	expect "$mpi: time of reductions is transfer" is_split "$mpi-even" '0.199 <= M <= I <= E - 0.199'
	"$heddle" report --efficiency "$mpi-even.heddle.d" > report.txt
	expect "$mpi: in the report" grep -qE '^ +[0-9.]+ +[0-9.]+      transfer$' report.txt
	expect "$mpi: in the report, too" grep -qE '^ +[0-9.]+ +[0-9.]+      serialization between ranks$' report.txt
}
for_each_mpi split
finish
