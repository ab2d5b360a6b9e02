#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Transfer and serialization of communication, of programs that sleep: within bounds that hold on a busy machine, too, as
# nobody sleeps shorter than asked for, and the program says how long it was outside of MPI.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
need python3
hz=0
run_options=(--trace)

# is_split NAME CONDITION: as split.py
is_split() {
	"$heddle" export --format json -o "$1.json" "$1.heddle.d" &&
		python3 "$HEDDLE_SOURCE/tests/mpi/split.py" "$1.json" "$1.out" "$2"
}

split() {
	"$heddle" export --format json -o "$1.json" "$1.heddle.d" || return 1
	python3 - "$1.json" "$1.out" "$2" <<- 'END'
		import json, sys
		of = json.load(open(sys.argv[1]))["efficiency"]
		said = dict(line.split() for line in open(sys.argv[2]) if len(line.split()) == 2)
		network = of["network"]
		product = network["transfer"] * network["serialization"]
		assert abs(product - of["factors"]["communication"]) < 1e-5, (product, of["factors"])
		E, I = of["elapsed_ns"] / 1e9, network["ideal_ns"] / 1e9
		M = I * network["serialization"]
		assert abs(I / E - network["transfer"]) < 1e-4, (I, E, network)
		own, main = int(said["own"]) / 1e6, int(said["main"]) / 1e6
		print("E", E, "I", I, "M", M, "own", own, "main", main)
		assert eval(sys.argv[3]), sys.argv[3]
	END
}

split() {
	compile_mpi network network.c
	ranks "$mpi-chain" 2 ./network chain 20 10
	expect "$mpi: ends well" ended "$mpi-chain" "exit 0"
	# 0.4 s one after the other, on any network; what is before and after main is the ranks' own.
	expect "$mpi: in turn, the network takes nothing" is_split "$mpi-chain" '0.399 <= I <= own + outside + 0.15 and M >= 0.199'
	ranks "$mpi-even" 2 ./network even 20 10
	expect "$mpi: ends well" ended "$mpi-even" "exit 0"
	expect "$mpi: what sums take is transfer" is_split "$mpi-even" '0.199 <= M <= I <= E - 0.199'
	"$heddle" report --efficiency "$mpi-even.heddle.d" > report.txt
	expect "$mpi: in the report" grep -qE '^ +[0-9.]+ +[0-9.]+      transfer$' report.txt
	expect "$mpi: in the report, too" grep -qE '^ +[0-9.]+ +[0-9.]+      serialization between ranks$' report.txt
}
for_each_mpi split
finish
