#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Calls of a Python program, which loads MPI while it runs, are counted once each.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
python=/usr/bin/python3 # the one that Debian's mpi4py is for
hz=100
n=3
mpi=openmpi
command -v mpirun.$mpi > /dev/null || skip "no mpirun.$mpi on this machine"
$python -c 'import mpi4py' 2> /dev/null || skip "no mpi4py for $python (python3-mpi4py)"

ranks python $n $python "$HEDDLE_SOURCE/tests/mpi/binding.py"
expect "ends well" ended python "exit 0"
expect "bytes received" test "$(sum_of python bytes-received .)" = $((7 * n * 440 + 4 * n))
expect "bytes sent" test "$(sum_of python bytes-sent .)" = $((7 * n * 440 + 4 * n))
folded python --metric visits
for function in MPI_Irecv MPI_Isend MPI_Waitall MPI_Sendrecv; do
	expect "$function" test "$(path_sum python "(^|;)$function( @|$)")" = $((7 * n))
done
for function in MPI_Init_thread MPI_Allreduce MPI_Barrier MPI_Finalize; do
	expect "$function" test "$(path_sum python "(^|;)$function( @|$)")" = $n
done
finish
