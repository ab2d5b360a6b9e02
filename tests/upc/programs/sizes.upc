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
typedef double vector[3];
typedef vector grid[2], other;
typedef int number;
/* For types, they are constants. */
enum {
	BLOCK = upc_blocksizeof(shared [7] int),
	NO_BLOCK = upc_blocksizeof(shared [] number),
	INCOMPLETE = upc_blocksizeof(shared [2] struct incomplete),
	ELEMENT = upc_elemsizeof(shared [3] number),
	INNERMOST = upc_elemsizeof(const shared [3] grid[2 * THREADS]),
	CHAINED = upc_elemsizeof(shared other),
	SHARE = upc_localsizeof(shared [4] number[10 * THREADS]),
	SHARE_OF_VECTORS = upc_localsizeof(shared [3] vector[3 * THREADS]),
	WHOLE = upc_localsizeof(shared [] grid[2]),
	NAMED = upc_localsizeof(line) + upc_elemsizeof(line),
};
char as_bound[upc_elemsizeof(shared [2] struct s)];
/* Block sizes computed from sizes, also of pointed-to types; without THREADS in the bounds, as if for one thread. */
typedef shared [4] int twelve[12];
shared [4] int(*to_array)[12];
shared [6] struct s(*to_rows)[2][3 * THREADS];
shared [3] double *to_one;
shared [] char(*to_plain)[33], *to_char;
shared [upc_localsizeof(twelve)] char as_twelve[THREADS];
shared [upc_localsizeof(shared [4] int[12])] char as_type[THREADS];
shared [upc_localsizeof(*to_array)] char as_array[THREADS];
shared [upc_localsizeof(*(to_rows))] char as_rows[THREADS];
shared [upc_localsizeof *to_one] char as_one[THREADS];
shared [upc_localsizeof(*to_plain) + upc_blocksizeof((*to_rows)) + upc_elemsizeof(*to_array)] char as_sum[THREADS];
shared [upc_localsizeof(*to_char)] char as_char[THREADS];

extern shared [3] short open[];

/* Layouts in casts, parameters and statements; several sizes as labels; sizes that depend on other sizes. */
static size_t in_statements(int n, shared [upc_blocksizeof(blocked)] double *p)
{
	shared [upc_blocksizeof(after)] int *q = NULL;
	char bound[upc_localsizeof(plain) - 10], other[sizeof bound + upc_elemsizeof(open)];
	if (n == 0)
		p = (shared [upc_blocksizeof(blocked)] double *)q;
	else if (n == 1)
		p = &blocked[1];
	else
		q = (shared [upc_blocksizeof(after)] int *)p;
	do
		n += (int)upc_blocksizeof(*q);
	while ((shared [upc_elemsizeof(*q)] int *)p == (shared [upc_blocksizeof(*q)] int *)q && n < 0);
	switch (n) {
	case upc_blocksizeof(*q):
	case upc_elemsizeof(*p):
		return sizeof other;
	case upc_localsizeof(plain):
		return 1;
	}
	return upc_blocksizeof(*p);
}

static void block_sizes(shared [2] int *other_target)
{
#ifdef __UPC_STATIC_THREADS__
	size_t blocks = (3 + THREADS - 1) / THREADS;
#else
	size_t blocks = 3;
#endif
	CHECK(upc_blocksizeof(as_twelve) == blocks * 16 && upc_localsizeof(twelve) == blocks * 16);
	CHECK(upc_blocksizeof(as_type) == blocks * 16 && upc_localsizeof(shared [4] int[12]) == blocks * 16);
	CHECK(upc_blocksizeof(as_array) == blocks * 16);
	CHECK(upc_blocksizeof(as_rows) == 6 * sizeof(struct s) && upc_localsizeof(*to_rows) == 6 * sizeof(struct s));
	CHECK(upc_blocksizeof(as_one) == 8 && upc_blocksizeof(as_sum) == 33 + 6 + 4 && upc_blocksizeof(as_char) == 1);
	CHECK(upc_blocksizeof(*other_target) == 2 && upc_localsizeof(*to_array) == blocks * 16);
}

#ifdef __UPC_STATIC_THREADS__
/* The number of elements is that of the initializer. */
shared [*] int counted[] = {1, 2, 3, 4};
shared [*] struct s rows[][2] = {{{{1}}, {{2}}}, {{{3}}}, {{{4}}}};
static shared [*] char text[] = "hello";
#endif

static void constants(int n)
{
	CHECK(BLOCK == 7 && NO_BLOCK == 0 && INCOMPLETE == 2 && ELEMENT == 4 && INNERMOST == 8 && CHAINED == 8);
	CHECK(SHARE == 12 * 4 && SHARE_OF_VECTORS == 9 * 8 && WHOLE == 12 * 8 && NAMED == 13);
	CHECK(sizeof as_bound == sizeof(struct s));
	switch (n) {
	case upc_blocksizeof(shared [7] int):
		break;
	default:
		CHECK(0);
	}
#ifdef __UPC_STATIC_THREADS__
	CHECK(upc_blocksizeof(counted) == (4 + THREADS - 1) / THREADS && sizeof counted == 16);
	CHECK(upc_blocksizeof(rows) == (6 + THREADS - 1) / THREADS && upc_blocksizeof(text) == (6 + THREADS - 1) / THREADS);
	for (int i = 0; i < 4; i++)
		CHECK(counted[i] == i + 1 && upc_threadof(&counted[i]) == (size_t)i / upc_blocksizeof(counted));
	CHECK(rows[2][0].a[0] == 4 && text[4] == 'o');
#endif
}

int main(void)
{
	shared [7] int *p = NULL;
	block_sizes(NULL);
	CHECK(in_statements(0, NULL) == 10 && in_statements(14, NULL) == 1 && in_statements(1, NULL) == 3);
	CHECK(upc_blocksizeof(scalar) == 1 && upc_blocksizeof cyclic == 1 && upc_blocksizeof(blocked) == 3);
	CHECK(upc_blocksizeof(plain) == 0 && upc_blocksizeof(structures) == 4 && upc_blocksizeof(matrix) == 5);
	CHECK(upc_blocksizeof(shared [9] int) == 9 && upc_blocksizeof(shared int) == 1 && upc_blocksizeof(shared [] int) == 0);
	CHECK(upc_blocksizeof(*p) == 7 && upc_blocksizeof(p[2]) == 7 && upc_blocksizeof(after) == 4 && upc_blocksizeof(line) == 6);
	CHECK(upc_elemsizeof(scalar) == 4 && upc_elemsizeof cyclic == 4 && upc_elemsizeof(blocked) == 8);
	CHECK(upc_elemsizeof(structures) == sizeof(struct s) && upc_elemsizeof(matrix) == 4);
	CHECK(upc_elemsizeof(shared [2] short) == 2 && upc_elemsizeof(*p) == 4 && upc_elemsizeof(lines) == 1);
	/* The largest part that a thread has, in whole blocks. */
	CHECK(upc_localsizeof(scalar) == 4 && upc_localsizeof(cyclic) == 40 && upc_localsizeof(plain) == 18);
	CHECK(upc_localsizeof(blocked) == 12 * 8 && upc_localsizeof structures == 8 * sizeof(struct s));
	CHECK(upc_localsizeof(matrix) == 10 * 4 && upc_localsizeof(lines) == 12);
	CHECK(upc_localsizeof(shared [3] int) == (size_t)3 * 4 || upc_localsizeof(shared [3] int) == 4);
	CHECK(sizeof(lines) == 12 * (size_t)THREADS && sizeof(line) == sizeof lines && sizeof blocked / sizeof blocked[0] == 10 * THREADS);
	CHECK(sizeof by_constants == 48 && upc_blocksizeof(share) == 18);
	constants(7);
	return failures != 0;
}
