#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Calls that MPI refuses return the same errors when they are measured: wrappers read no argument that may be invalid.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
hz=0

invalid() {
	compile_mpi invalid invalid.c
	bare_ranks "$mpi.bare" 1 ./invalid
	ranks "$mpi" 1 ./invalid
	expect "$mpi: same outcome" ended "$mpi" "exit 0"
	expect "$mpi: same errors" same_output "$mpi.bare" "$mpi"
	run_options=(--trace)
	ranks "$mpi.traced" 1 ./invalid
	run_options=()
	expect "$mpi: same outcome with a trace" ended "$mpi.traced" "exit 0"
	expect "$mpi: same errors with a trace" same_output "$mpi.bare" "$mpi.traced"
}
for_each_mpi invalid
finish
