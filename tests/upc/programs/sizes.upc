/* SPDX-License-Identifier: BSD-3-Clause */
/* upc_localsizeof, upc_blocksizeof, upc_elemsizeof: of types and objects. */
#include "check.h"

struct s {
	int a[3];
};
shared int scalar;
shared int cyclic[10 * THREADS];
shared [3] double blocked[10 * THREADS];
shared [] short plain[9];
shared [4] struct s structures[5 * THREADS];
shared [5] int matrix[THREADS][7];
shared [upc_blocksizeof(blocked) + 1] int after[4 * THREADS];
char by_constants[upc_elemsizeof(blocked) + upc_localsizeof cyclic];
shared [upc_localsizeof(plain)] char share[18 * THREADS];
typedef shared [6] char line[12 * THREADS];
line lines;

int main(void)
{
	shared [7] int *p = NULL;
	CHECK(upc_blocksizeof(scalar) == 1 && upc_blocksizeof cyclic == 1 && upc_blocksizeof(blocked) == 3);
	CHECK(upc_blocksizeof(plain) == 0 && upc_blocksizeof(structures) == 4 && upc_blocksizeof(matrix) == 5);
	CHECK(upc_blocksizeof(shared [9] int) == 9 && upc_blocksizeof(shared int) == 1 && upc_blocksizeof(shared [] int) == 0);
	CHECK(upc_blocksizeof(*p) == 7 && upc_blocksizeof(p[2]) == 7 && upc_blocksizeof(after) == 4 && upc_blocksizeof(line) == 6);
	CHECK(upc_elemsizeof(scalar) == 4 && upc_elemsizeof cyclic == 4 && upc_elemsizeof(blocked) == 8);
	CHECK(upc_elemsizeof(structures) == sizeof(struct s) && upc_elemsizeof(matrix) == 4);
	CHECK(upc_elemsizeof(shared [2] short) == 2 && upc_elemsizeof(*p) == 4 && upc_elemsizeof(lines) == 1);
	/* The largest share of a thread, whole blocks. */
	CHECK(upc_localsizeof(scalar) == 4 && upc_localsizeof(cyclic) == 40 && upc_localsizeof(plain) == 18);
	CHECK(upc_localsizeof(blocked) == 12 * 8 && upc_localsizeof structures == 8 * sizeof(struct s));
	CHECK(upc_localsizeof(matrix) == 10 * 4 && upc_localsizeof(lines) == 12);
	CHECK(upc_localsizeof(shared [3] int) == (size_t)3 * 4 || upc_localsizeof(shared [3] int) == 4);
	CHECK(sizeof(lines) == 12 * (size_t)THREADS && sizeof(line) == sizeof lines && sizeof blocked / sizeof blocked[0] == 10 * THREADS);
	CHECK(sizeof by_constants == 48 && upc_blocksizeof(share) == 18);
	return failures != 0;
}
