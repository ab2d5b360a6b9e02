#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The calls of every binding are counted once each, below the program's own lines.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
hz=100
n=4

# counts NAME FUNCTION VISITS: the sum over all ranks.
counts() { expect "$1: $2" test "$(path_sum "$1" "(^|;)$2( @|$)")" = "$3"; }

counted() {
	local name=$1 source=$2 exchange=$3
	ranks "$name" "$n" "./$name"
	expect "$name: ends well" ended "$name" "exit 0"
	expect "$name: bytes" test "$(sum_of "$name" bytes-received .)" = $((7 * n * 440 + 4 * n))
	folded "$name" --metric visits
	counts "$name" MPI_Init "$n"
	counts "$name" MPI_Comm_rank "$n"
	counts "$name" MPI_Irecv $((7 * n))
	counts "$name" MPI_Isend $((7 * n))
	counts "$name" MPI_Waitall $((7 * n))
	counts "$name" MPI_Sendrecv $((7 * n))
	counts "$name" MPI_Allreduce "$n"
	counts "$name" MPI_Barrier "$n"
	counts "$name" MPI_Finalize "$n"
	expect "$name: no other calls" test "$(path_sum "$name" '(^|;)P?MPI_')" = $((4 * 7 * n + 6 * n))
	expect "$name: at the program's lines" has_path "$name" ";$exchange;MPI_Isend @$source:[0-9]+$"
	expect "$name: no frame of the library" no_path "$name" '(libmpi|pmpi_|mpi_isend|[^P]MPI_Isend;)'
}

bindings() {
	local binding
	compile_mpi "c.$mpi" binding.c
	counted "c.$mpi" binding.c exchange
	if command -v "mpicxx.$mpi" > /dev/null; then
		cp "$HEDDLE_SOURCE/tests/mpi/binding.c" binding.cpp
		expect "$mpi: C++" "mpicxx.$mpi" -g -O1 -fno-optimize-sibling-calls binding.cpp -o "cxx.$mpi"
		counted "cxx.$mpi" binding.cpp exchange
	else
		echo "left out: no mpicxx.$mpi on this machine"
	fi
	command -v "mpifort.$mpi" > /dev/null || { echo "left out: no mpifort.$mpi on this machine"; return; }
	for binding in mpif module f08; do
		compile_mpi "$binding.$mpi" "binding_$binding.f90"
		counted "$binding.$mpi" "binding_$binding.f90" exchange
	done
}
for_each_mpi bindings
finish
