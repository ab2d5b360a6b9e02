#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The table of functions has the same numbers of arguments as the headers of the installed MPI libraries.
. "$HEDDLE_SOURCE/tests/mpi/lib.sh"
need python3
need gcc
cat > table.c <<'END_C'
#include <stdbool.h>
#include <stdio.h>
#include "models/mpi/wrappers/mpi_table.h"
int main(void)
{
#define M(name, count, ...) printf("MPI_" #name " %d\n", count);
	HEDDLE_MPI_FUNCTIONS
	return 0;
}
END_C
expect "the table compiles" gcc -I "$HEDDLE_SOURCE" table.c -o table
./table > table.txt

table() {
	local header
	echo '#include <mpi.h>' > header.c
	"mpicc.$mpi" -E header.c > header.i 2> /dev/null
	header=header.i
	expect "$mpi: numbers of arguments" python3 "$HEDDLE_SOURCE/tests/mpi/table.py" table.txt "$header"
}
for_each_mpi table
finish
