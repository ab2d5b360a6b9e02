#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# real.sh NAME [ARGUMENT]...: examples/NAME.upc verifies its result, with dynamic and static THREADS. The arguments make
# its work small.
set -eu
upcc=$HEDDLE_BUILD/libexec/heddle/heddle-upcc1
name=$1
shift
[ -x "$upcc" ] || { echo "skipped: the UPC compiler was not built (clang-N, llvm-N-dev, libclang-N-dev)"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
OMP_NUM_THREADS=2
export OMP_NUM_THREADS

# build OPTION...
build() {
	"$upcc" -O2 -Wall -Wextra -Wshadow -Werror -fopenmp -I"$HEDDLE_SOURCE/include/heddle" "$@" "$HEDDLE_SOURCE/examples/$name.upc" -lm -o "$work/$name"
}

# run THREADS WHAT ARGUMENT...
run() {
	threads=$1
	what=$2
	shift 2
	if ! timeout "${HEDDLE_TEST_SECONDS:-240}" "$work/$name" -n "$threads" "$@" >"$work/output" 2>&1; then
		cat "$work/output"
		echo "failed: $threads threads, $what"
		exit 1
	fi
	grep -q "^$name: $threads UPC threads, .*: verified\$" "$work/output" || {
		cat "$work/output"
		echo "does not say that it is right: $threads threads, $what"
		exit 1
	}
}

build
for threads in 1 2 3 7; do
	run "$threads" "dynamic" "$@"
done
for threads in 3 4; do # an odd number, and a power of two
	build -fupc-threads="$threads"
	run "$threads" static "$@"
done
