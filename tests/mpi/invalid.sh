#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Calls that MPI refuses return the same errors when they are measured: wrappers read no argument that may be invalid.
# The errors are in files: Open MPI 5 may mix what a rank and its `heddle run` print.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
hz=0

invalid() {
	compile_mpi invalid invalid.c
	bare_ranks "$mpi.bare" 1 ./invalid "$mpi.bare.classes"
	ranks "$mpi" 1 ./invalid "$mpi.classes"
	expect "$mpi: same outcome" ended "$mpi" "exit 0"
	expect "$mpi: same errors" diff "$mpi.bare.classes" "$mpi.classes"
	run_options=(--trace)
	ranks "$mpi.traced" 1 ./invalid "$mpi.traced.classes"
	run_options=()
	expect "$mpi: same outcome with a trace" ended "$mpi.traced" "exit 0"
	expect "$mpi: same errors with a trace" diff "$mpi.bare.classes" "$mpi.traced.classes"
}
for_each_mpi invalid
finish
