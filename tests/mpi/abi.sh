#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Constants of MPI 5's standard ABI, with a stand-in library, as no package has that ABI yet.
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
expect "no cancelled message" test "$(sum_of abi messages-received .)" = 2
expect "large messages" test "$(sum_of abi bytes-received MPI_Recv)" = $((2 * (2**32 + 5 * 2**28)))
expect "counts that the program asks for" grep -qx "counts 3 6 -32766" abi.out
expect "calls of MPI_Get_count" test "$(sum_of abi visits MPI_Get_count)" = 3
expect "bytes read" test "$(sum_of abi bytes-received MPI_File_read)" = 24
expect "bytes read when a request completes" test "$(sum_of abi bytes-received MPI_Wait)" = 48
"$heddle" export --format json -o abi.json abi.heddle.d 2> /dev/null
expect "the file" python3 -c "
import json
files = json.load(open('abi.json'))['files']
assert [(file['name'], file['reads'], file['bytes_read']) for file in files] == [('/abi.data', 4, 72)], files"
finish
