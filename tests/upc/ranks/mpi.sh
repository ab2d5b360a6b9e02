#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Programs that use UPC and MPI: both communicate with the launcher.
# shellcheck disable=SC2317 # functions are called by expect
. "$HEDDLE_SOURCE/tests/run/lib.sh"
. "$HEDDLE_SOURCE/tests/upc/ranks/lib.sh"
cd "$work" || exit 1

# Prints the options with which the MPI compiler links libraries.
libraries_of() { "$1" -show x.o | tr ' ' '\n' | grep -E '^-(L|lmpi)'; }

launcher_test() {
	local compiler=mpicc.$launcher libraries
	command -v "$compiler" > /dev/null || { echo "left out: no $compiler on this machine"; return; }
	mapfile -t libraries < <(libraries_of "$compiler")
	expect "$launcher: compiles C" "$compiler" -c "$HEDDLE_SOURCE/tests/upc/ranks/mpi.c" -o mpi.o
	expect "$launcher: compiles UPC" "$heddle" upcc -O1 "$HEDDLE_SOURCE/tests/upc/ranks/mpi.upc" mpi.o -o mpi "${libraries[@]}"
	for n in 2 4; do
		launch mpi "$n" ./mpi
		expect "$launcher: $n ranks: status 0" status_is mpi 0
		expect "$launcher: $n ranks: their sum" test "$(cat mpi.out)" = "sum $((n * (n + 1) / 2))"
	done
	launch later 3 ./mpi later
	expect "$launcher: continues after MPI_Finalize" status_is later 0
	expect "$launcher: all output after MPI_Finalize" test "$(cat later.out)" = "sum 6"
	launch end 3 ./mpi global
	expect "$launcher: upc_global_exit before MPI_Finalize" status_is end 37
	expect "$launcher: ends by itself" ends_by_itself end
	expect "$launcher: nothing is left" none_left mpi
}
for_each_launcher launcher_test
[ $checks -gt 0 ] || skip "no mpicc.mpich or mpicc.openmpi on this machine"
finish
