#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The examples build and verify their results, with little work and with wrong arguments.
set -eu
for compiler in "$HEDDLE_CLANG" "$HEDDLE_CLANGXX" gfortran; do
	command -v "$compiler" >/dev/null || { echo "skipped: no $compiler"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
make -s -C "$HEDDLE_SOURCE/examples" OUT="$work" HEDDLE="$HEDDLE_BUILD/bin/heddle"

# verified PROGRAM ARGUMENTS: its only line ends so.
verified() {
	"$@" >"$work/output"
	grep -q ': verified$' "$work/output"
	[ "$(wc -l <"$work/output")" -eq 1 ]
}
verified "$work/heat" 120 200
verified "$work/tasks" 10
verified "$work/jacobi" 60 1000
verified "$work/nbody" 60 5
verified "$work/phases" 3 5000
verified "$work/lock_blame" 3 100
verified "$work/idle_blame" 3 100
verified "$work/front" 4
verified "$work/front" cyclic 4
verified "$work/lock_blame" 3 100 outside
for program in "$work/heat 0" "$work/tasks 99" "$work/jacobi 1" "$work/nbody 1" "$work/phases 0" \
	"$work/lock_blame 0" "$work/idle_blame 0" "$work/front 0"; do
	if $program >/dev/null 2>&1; then
		echo "accepted: $program"
		exit 1
	fi
done

# The phases of phases.c are in its profile, exactly, with their values.
"$HEDDLE_BUILD/bin/heddle" run --sample-hz 0 -o "$work/measured" -- "$work/phases" 3 5000 >/dev/null 2>&1
"$HEDDLE_BUILD/bin/heddle" export "$work/measured" --format folded --metric visits >"$work/visits"
for phase in 'make points 3' 'sort 3' 'sweep 3' 'sweep;.*close pairs 3'; do
	grep -Eq "(^|;| )$phase$" "$work/visits" || { echo "not in the profile: $phase"; cat "$work/visits"; exit 1; }
done

# Builds as a user of the tree does: with the heddle in its build folder, which is not on PATH, with its wrappers as the
# compilers, and without a Fortran compiler.
mkdir -p "$work/tree/build"
cp -r "$HEDDLE_SOURCE/examples" "$work/tree/"
ln -s "$HEDDLE_BUILD" "$work/tree/build/release"
make -s -C "$work/tree/examples" OUT="$work/second" FC=no-such-compiler >"$work/output"
grep -q '^without jacobi: no no-such-compiler' "$work/output" || { cat "$work/output"; exit 1; }
verified "$work/second/phases" 3 5000
rm -r "$work/tree/build"
PATH=$HEDDLE_BUILD/bin:$PATH make -s -C "$work/tree/examples" OUT="$work/third" CC="heddle cc" CXX="heddle c++"
verified "$work/third/phases" 3 5000
verified "$work/third/heat" 120 200
