#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# UPC threads started by mpirun: they share memory, and have the standard streams and statuses that its users expect.
# shellcheck disable=SC2317 # functions are called by expect
. "$HEDDLE_SOURCE/tests/run/lib.sh"
. "$HEDDLE_SOURCE/tests/upc/ranks/lib.sh"
cd "$work" || exit 1
"$heddle" upcc -O1 -g "$HEDDLE_SOURCE/tests/upc/ranks/ranks.upc" -o ranks || { fail "does not compile"; finish; }
"$heddle" upcc -O2 "$HEDDLE_SOURCE/examples/cg.upc" -fopenmp -o cg || { fail "cg does not compile"; finish; }
printf 'one\ntwo\n' > lines

silent() { [ ! -s "$1.err" ] || { cat "$1.err"; false; }; }

launcher_test() {
	for n in 1 2 3 4 7; do
		launch plain "$n" ./ranks
		expect "$launcher: $n ranks: status 0" status_is plain 0
		expect "$launcher: $n ranks are $n threads" all_right plain "$n"
		expect "$launcher: $n ranks: nothing is said" silent plain
	done
	launch cg 4 ./cg
	expect "$launcher: cg" grep -q '4 UPC threads.*verified' cg.out

	input=lines launch input 3 ./ranks input
	expect "$launcher: standard input is thread 0's, once" test "$(grep -cE '^(one|two)$' input.out)" = 2
	launch child 2 ./ranks child
	expect "$launcher: a program that a rank starts is not a rank" status_is child 0
	expect "$launcher: a program that a rank starts has its own threads" all_right nested 2

	for i in $(seq 20); do
		launch quick 4 ./ranks
		expect "$launcher: quick start $i" all_right quick 4
	done
	expect "$launcher: nothing is left" none_left ranks
}
for_each_launcher launcher_test

finish
