#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# One measurement of all ranks: by `heddle run` in each of them, or by the program itself.
# shellcheck disable=SC2317 # functions are called by expect
. "$HEDDLE_SOURCE/tests/run/lib.sh"
. "$HEDDLE_SOURCE/tests/upc/ranks/lib.sh"
cd "$work" || exit 1
"$heddle" upcc -O1 -g --inst "$HEDDLE_SOURCE/tests/upc/ranks/ranks.upc" -o ranks || { fail "does not compile"; finish; }

files() { find "$1" -name '*.heddle' 2> /dev/null | wc -l; }
marks() { find "$1" -name '.[a-z]*' | wc -l; }
has_one_line() { [ "$(messages "$1" | wc -l)" = 1 ] || { messages "$1"; false; }; }
# whole NAME DIRECTORY RANKS: checks what the runs of all examples write
whole() {
	expect "$launcher: $1: a profile for each rank" test "$(files "$2")" = "$3"
	expect "$launcher: $1: no other files" test "$(marks "$2")" = 0
	expect "$launcher: $1: one line" test "$(grep -c '^heddle: measured' "$1.err")" = 1
	expect "$launcher: $1: no other line" has_one_line "$1.err"
	"$heddle" report --threads "$2" > threads.txt
	for thread in $(seq 0 $(($3 - 1))); do
		expect "$launcher: $1: thread $thread" grep -q "^UPC thread $thread " threads.txt
	done
}

launcher_test() {
	rm -rf heddle-* out*
	launch given 4 "$heddle" run --sample-hz 1000 -o out -- ./ranks
	whole given out 4
	expect "$launcher: merges" "$heddle" merge out -o all.heddle
	expect "$launcher: a merged report" "$heddle" report all.heddle
	rm -f all.heddle
	launch again 3 "$heddle" run -o out -- ./ranks
	expect "$launcher: never overwritten" status_is_not_0 again
	expect "$launcher: the refusal is reported once" test "$(grep -c 'already holds a measurement' again.err)" = 1
	expect "$launcher: the program is not run" test ! -s again.out

	launch default 3 "$heddle" run -- ./ranks
	whole default "$(echo heddle-ranks-*)" 3
	rm -rf heddle-*
	OMP_TOOL=enabled launch self 3 ./ranks
	whole self "$(echo heddle-ranks-*)" 3
	# Open MPI's launcher kills the others a second after SIGTERM, in which they may have no processor.
	OMPI_MCA_odls_base_sigkill_timeout=$((seconds / 24)) PRTE_MCA_odls_base_sigkill_timeout=$((seconds / 24)) \
		launch global 4 "$heddle" run -o out-global -- ./ranks global 37
	expect "$launcher: upc_global_exit" status_is global 37
	whole global out-global 4
}
for_each_launcher launcher_test
finish
