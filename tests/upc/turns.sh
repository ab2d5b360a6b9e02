#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Transfer and serialization of communication, of UPC threads that sleep in turn: within bounds that hold on a busy
# machine, too, as no sleep is shorter than requested.
. "$HEDDLE_SOURCE/tests/run/lib.sh"
[ -x "$HEDDLE_BUILD/libexec/heddle/heddle-upcc1" ] || skip "the UPC compiler was not built (clang-N, llvm-N-dev, libclang-N-dev)"
need python3
cd "$work" || exit 1
"$heddle" upcc -O1 -g --inst "$HEDDLE_SOURCE/tests/upc/programs/turns.upc" -o turns || { fail "turns.upc does not compile"; finish; }
hz=0
run_options=(--trace -n 2)

# try HOW CONDITION: runs 20 rounds of 10 ms
try() {
	measured "$1" ./turns "$1" 20 10
	expect "$1: ends well" ended "$1" "exit 0"
	"$heddle" export --format json -o "$1.json" "$1.heddle.d" || fail "$1: no JSON"
	expect "$1: $2" python3 "$HEDDLE_SOURCE/tests/mpi/split.py" "$1.json" "$2"
	expect "$1: the trace and the profile agree" "$heddle" info --check-trace "$1.heddle.d"
}
try barrier '0.199 <= I <= E and M >= 0.099'
try collective '0.199 <= I <= E and M >= 0.099'
try lock '0.399 <= I <= E and M >= 0.199'
finish
