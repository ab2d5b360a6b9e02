#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# No function of the compiler or the run-time system appears as a frame of the user's, whatever is accessed, at each
# level of optimization: only the program's functions, and library functions that it calls by name.
. "${BASH_SOURCE%/*}/../run/lib.sh"
[ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ] || skip "the UPC compiler was not built (clang-N, llvm-N-dev, libclang-N-dev)"
program=$HEDDLE_SOURCE/tests/upc/programs/helped.upc
run_options=(-n 2)
hz=2000
need nm

# strangers NAME METRIC: prints frames that are functions in the program's file, but neither its own nor the library's.
# A sample may also arrive while the C library starts or ends the program, in functions of crt1.o, crti.o and
# crtbegin.o.
strangers() {
	folded "$1" --metric "$2"
	nm "$work/$1" | awk '$2 ~ /^[tTwW]$/ { print $3 }' | sort -u >"$work/symbols"
	sed 's/ [0-9.]*$//' "$work/$1.folded" | tr ';' '\n' | sort -u | comm -12 - "$work/symbols" |
		grep -vxE 'main|work|use|use_pair|upc_(memget|memput|threadof)|_(start|init|fini)|__do_global_dtors_aux|(de)?register_tm_clones|frame_dummy' || true
}
for level in -O0 -O1 -O2 -O3; do
	name=helped$level
	"$heddle" upcc -g --inst $level "$program" -o "$work/$name" || { fail "$name: upcc"; finish; }
	measured "$name" "$work/$name"
	expect "$name: ends well" ended "$name" "exit 0"
	for metric in visits cpu-time; do
		found=$(strangers "$name" $metric)
		expect "$name, $metric: no frame but the user's: ${found//$'\n'/, }" test -z "$found"
	done
done
finish
