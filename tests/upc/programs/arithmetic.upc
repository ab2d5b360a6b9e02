/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointer arithmetic by the rules of 6.4.2: phase, thread and address of p + i, for i of both signs and every block. */
#include "check.h"

#define N 60
struct three {
	char c[3];
};
shared int cyclic[N * THREADS];
shared [2] char two[N * THREADS];
shared [3] struct three three[N * THREADS];
shared [5] double five[N * THREADS];
shared [8] short eight[N * THREADS];
shared [N] int whole[N * THREADS];
shared [7 * 2] long fourteen[N * THREADS];
shared [] int flat[N];

/* Checks the place of element i of an array with that block: thread, phase, and bytes from the begin in that thread. */
static void check_place(shared void *p, size_t begin, int i, int block, int size, int line)
{
	size_t thread = (size_t)(i / block % THREADS), phase = block == 1 ? 0 : (size_t)(i % block);
	size_t offset = (size_t)((i / (block * THREADS) * block + i % block) * size);
	if (upc_threadof(p) != thread || upc_phaseof(p) != phase || upc_addrfield(p) - begin != offset) {
		printf("line %d: element %d\n", line, i);
		failures++;
	}
}

#define TRY(array, type, block)                                                                                        \
	do {                                                                                                           \
		int count = N * THREADS, step = count > 200 ? 7 : 1;                                                   \
		size_t begin = upc_addrfield(array);                                                                   \
		for (int i = 0; i < count; i += step) {                                                                \
			type *p = &(array)[i];                                                                         \
			check_place(p, begin, i, block, sizeof(array)[0], __LINE__);                                   \
			for (int j = 0; j < count; j += 11) {                                                          \
				type *q = p + (j - i);                                                                 \
				check_place(q, begin, j, block, sizeof(array)[0], __LINE__);                           \
				CHECK(q - p == j - i && p - q == i - j && q - (j - i) == p && &q[i - j] == p);         \
				CHECK((q < p) == (j < i) && (q <= p) == (j <= i) && (q > p) == (j > i));               \
				CHECK((q >= p) == (j >= i) && (q == p) == (j == i) && (q != p) == (j != i));           \
			}                                                                                              \
		}                                                                                                      \
	} while (0)

int main(void)
{
	if (MYTHREAD == THREADS - 1) {
		TRY(cyclic, shared int, 1);
		TRY(two, shared [2] char, 2);
		TRY(three, shared [3] struct three, 3);
		TRY(five, shared [5] double, 5);
		TRY(eight, shared [8] short, 8);
		TRY(whole, shared [N] int, N);
		TRY(fourteen, shared [14] long, 14);
	}
	/* Indefinite block size: as in C, thread and phase do not change. */
	shared [] int *f = flat + 20;
	CHECK(f - flat == 20 && upc_addrfield(f) - upc_addrfield(flat) == 20 * sizeof(int));
	CHECK(upc_threadof(f) == upc_threadof(flat) && upc_phaseof(f) == 0 && f - 25 + 5 == flat && f > flat);
	/* One past the last element, and back to before the first. */
	shared [5] double *end = five + N * THREADS;
	CHECK(end - five == N * THREADS && end > five && &end[-1] == &five[N * THREADS - 1] && end - N * THREADS == five);
	shared int *last = cyclic;
	last += N * THREADS;
	CHECK(last - cyclic == N * THREADS && --last == &cyclic[N * THREADS - 1]);
	/* Consecutive elements of a thread are adjacent in its memory: p + THREADS is (int *)p + 1. */
	int *mine = (int *)&cyclic[MYTHREAD], *next = (int *)&cyclic[MYTHREAD + THREADS];
	CHECK(next - mine == 1 && (int *)(cyclic + MYTHREAD + 5 * THREADS) == mine + 5);
	double *own = (double *)&five[5 * MYTHREAD];
	for (int i = 0; i < 5; i++)
		CHECK((double *)&five[5 * MYTHREAD + i] == own + i && (double *)&five[5 * (MYTHREAD + THREADS) + i] == own + 5 + i);
	/* Indices of every integer type, and large steps that cancel. */
	unsigned char uc = 200;
	signed char sc = -3;
	short s = -2;
	unsigned u = 7;
	long long ll = 9;
	shared [2] char *p = two + 10;
	CHECK(p + sc == &two[7] && p + s == &two[8] && p + u == &two[17] && ll + p == &two[19] && &sc[p] == p - 3);
	CHECK(p + uc - uc == p && p - -3 == &two[13]);
	p += sc;
	p -= s;
	CHECK(p++ == &two[9] && ++p == &two[11] && p-- == &two[11] && --p == &two[9]);
	return failures != 0;
}
