#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# language.sh NAME STATIC [OPTION]: the program checks itself, with dynamic and static THREADS, optimized and not; also
# with some threads' memory far: with the run-time system, and with the stand-in, which does not map far memory.
# Compilers take most of the time: an object is linked with both (only the library differs), each number of threads runs
# at one level, and static THREADS are STATIC. With BRIEF=O0 or BRIEF=O2 in the environment, one build runs with both.
set -eu
. "$HEDDLE_SOURCE/tests/upc/common.sh"
program=$here/programs/$1.upc
static=$2
options=${3:-}

# build OBJECT OPTION...
build() {
	object=$1
	shift
	# shellcheck disable=SC2086
	"$upcc" -Wall -Wno-unused-function -Wno-deprecated-non-prototype -Werror $options "$@" -c "$program" -o "$work/$object.o"
}

# link OBJECT OPTION...: links with the run-time system or the stand-in
link() {
	object=$1
	shift
	# shellcheck disable=SC2086
	"$upcc" $options "$@" "$work/$object.o" -o "$work/program"
}

# run THREADS WHAT
run() {
	UPC_THREADS=$1 timeout "$seconds" "$work/program" || { echo "failed: $1 threads, $2"; exit 1; }
	[ "$1" -gt 2 ] || return 0
	run_far "$1" 1 "$2"
	run_far "$1" 2 "$2"
}

# run_far THREADS NODE_SIZE WHAT
run_far() {
	UPC_NODE_SIZE=$2 UPC_THREADS=$1 timeout "$seconds" "$work/program" ||
		{ echo "failed: $1 threads, $2 on a node, $3"; exit 1; }
}
if [ "${BRIEF:-}" ]; then
	build "$BRIEF" "-$BRIEF"
	link "$BRIEF" "-$BRIEF"
	run 3 "dynamic, -$BRIEF"
else
	build O0 -O0
	link O0 -O0
	for threads in 2 7; do
		run $threads "dynamic, -O0"
	done
	build O2 -O2
	link O2 -O2
	for threads in 1 3 4; do
		run $threads "dynamic, -O2"
	done
	build static -O2 -fupc-threads="$static"
	link static -O2 -fupc-threads="$static"
	run "$static" static
fi

# These use atomics of C11 or OpenMP, which only reach near memory.
case $1 in gnu | openmp | types) exit 0 ;; esac
with_standin
far() {
	link "$@"
	for size in 1 2; do
		run_far 3 $size "stand-in, $*"
	done
}
far "${BRIEF:-O0}" "-${BRIEF:-O0}"
[ -z "${BRIEF:-}" ] || exit 0
build events -O2 --inst
far events -O2 --inst
[ "$static" != 3 ] || far static -O2 -fupc-threads=3
