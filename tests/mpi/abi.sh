#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Constants of MPI 5's standard ABI, on a library of the test's own that has it: no package does yet.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
need gcc
hz=100
source=$HEDDLE_SOURCE/tests/mpi/abi.c
expect "the library" gcc -DLIBRARY -shared -fPIC -Wl,-soname,libmpi_abi.so.0 -o libmpi_abi.so.0 "$source"
expect "the program" gcc -O1 -g -o abi "$source" ./libmpi_abi.so.0 "-Wl,-rpath,$work"

measured abi ./abi
expect "ends as it does unmeasured" ended abi "exit 0"
expect "prints the same" grep -qx "done" abi.out
expect "no message to MPI_PROC_NULL" test "$(sum_of abi messages-sent .)" = 1
expect "bytes sent" test "$(sum_of abi bytes-sent .)" = $((40 + 8 + 8))
expect "neighbours of a grid and of a graph" test "$(sum_of abi bytes-received Neighbor)" = $((6 * 8 + 5 * 8))
expect "no cancelled message" test "$(sum_of abi messages-received .)" = 1
expect "a large message" test "$(sum_of abi bytes-received MPI_Recv)" = $((2**32 + 5 * 2**28))
finish
