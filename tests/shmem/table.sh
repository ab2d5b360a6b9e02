#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The table's functions have the results and parameters that the installed header declares, and no function is missing.
. "$HEDDLE_SOURCE/tests/shmem/lib.sh"
need python3
need gcc
cat > table.c <<'END_C'
#include <stdio.h>
#include "models/shmem/wrappers/shmem_shapes.h"
#include "models/shmem/wrappers/shmem_table.h"
#define TEXT(...) #__VA_ARGS__
#define EXPANDED(...) TEXT(__VA_ARGS__)
int main(void)
{
#define M(name, shape, type, ...) \
	puts(#name "|" EXPANDED(HEDDLE_SHMEM_RESULT_##shape) "|" #type "|" EXPANDED(HEDDLE_SHMEM_PARAMETERS_##shape(type)));
	HEDDLE_SHMEM_FUNCTIONS
	return 0;
}
END_C
expect "the table compiles" gcc -I "$HEDDLE_SOURCE" table.c -o table
./table > table.txt
printf '#include <shmem.h>\n#include <shmemx.h>\n' > header.c
oshcc -E header.c > header.i 2> header.log
expect "the header" python3 "$HEDDLE_SOURCE/tests/shmem/table.py" table.txt header.i
finish
