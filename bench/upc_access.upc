/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cost of each form of access, in nanoseconds per element, compared with plain C: all variants in turn, the minimum
 * of many short runs. Only thread 0 works. Where a form cycles through the threads, it does so; all their memory is on
 * this machine. A upc_forall is counted by the iterations of this thread. First argument: number of runs.
 *
 * One line for each: the form, its time, plain C's time, and Berkeley UPC's ratio to plain C where it is known, halved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <upc.h>

#include "upc_access.h"

#define ROW 32

shared [] long *indefinite;
shared [SIZE] long large[SIZE * THREADS];
shared [64] long medium[SIZE * THREADS];
shared [60] long odd[SIZE * THREADS];
shared long cyclic[SIZE * THREADS];
shared [ROW] long grid[SIZE / ROW * THREADS][ROW];
shared [SIZE] struct pair pairs[SIZE * THREADS];
shared struct pair cyclic_pairs[SIZE * THREADS];
strict shared [] long *ordered;
static volatile int size = SIZE;

/* Defines a function that reads and one that writes: LOOP is the head of all loops, ELEMENT the access. */
#define FORM(name, declaration, loop, element)  \
	static APART long name##_read(void)     \
	{                                       \
		long sum = 0;                   \
		int n = size, first = MYTHREAD; \
		declaration;                    \
		(void)first;                    \
		loop sum += element;            \
		return sum;                     \
	}                                       \
	static APART long name##_write(void)    \
	{                                       \
		long value = 0;                 \
		int n = size, first = MYTHREAD; \
		declaration;                    \
		(void)first;                    \
		loop element = value++;         \
		return value;                   \
	}
#define EACH SCALAR for (int i = 0; i < n; i++)
#define OWN_BLOCK SCALAR for (int i = first * n; i < (first + 1) * n; i++)

FORM(indefinite, shared[] long *p = indefinite, EACH, p[i])
FORM(indefinite_next, shared[] long *p = indefinite, EACH, *p++)
FORM(indefinite_vector, shared[] long *p = indefinite, for (int i = 0; i < n; i++), p[i])
FORM(large, , OWN_BLOCK, large[i])
FORM(large_next, shared[SIZE] long *p = &large[first * n], EACH, *p++)
FORM(large_pointer, shared[SIZE] long *p = &large[first * n], EACH, p[i])
FORM(medium, , EACH, medium[i])
FORM(medium_next, shared[64] long *p = medium, EACH, *p++)
FORM(odd, , EACH, odd[i])
FORM(odd_next, shared[60] long *p = odd, EACH, *p++)
FORM(cyclic, , EACH, cyclic[i])
FORM(cyclic_own, , EACH, cyclic[i * THREADS + MYTHREAD])
FORM(cyclic_step, , SCALAR for (int i = MYTHREAD; i < n * THREADS; i += THREADS), cyclic[i])
FORM(cyclic_next, shared long *p = cyclic, EACH, *p++)
FORM(cyclic_pointer, shared long *p = cyclic, EACH, p[i])
FORM(grid, , for (int r = 0; r < n / ROW; r++) SCALAR for (int c = 0; c < ROW; c++), grid[r][c])
FORM(member, , OWN_BLOCK, pairs[i].y)
FORM(cyclic_member, , EACH, cyclic_pairs[i].y)
FORM(strict, strict shared[] long *p = ordered, EACH, p[i])
FORM(forall_cyclic, , upc_forall(int i = 0; i < n * THREADS; i++; &cyclic[i]), cyclic[i])
FORM(forall_number, , upc_forall(int i = 0; i < n * THREADS; i++; i), cyclic[i])
FORM(forall_pointer, shared long *p = cyclic, upc_forall(int i = 0; i < n * THREADS; i++; &p[i]), p[i])
FORM(forall_medium, , upc_forall(int i = 0; i < n * THREADS; i++; &medium[i]), medium[i])
FORM(forall_large, , upc_forall(int i = 0; i < n * THREADS; i++; &large[i]), large[i])

/*
 * The aim is half the time of Berkeley UPC 2020.4, in units of plain C's time (0.84 ns where that was measured); 0:
 * unknown.
 */
#define AIM(nanoseconds) ((nanoseconds) / 2 / .84)

struct variant {
	const char *name;
	long (*upc)(void), (*plain)(void);
	double aim;
};
#define BOTH(title, name, peer, aim)                                    \
	{title " read", name##_read, plain_read##peer, aim},            \
	{                                                               \
		title " write", name##_write, plain_write##peer, aim    \
	}
static const struct variant variants[] = {
	BOTH("shared [] p[i]", indefinite, , 1),
	BOTH("shared [] *p++", indefinite_next, , 1),
	BOTH("shared [] p[i], vectors", indefinite_vector, _vector, 0),
	BOTH("[N] b[i]", large, , AIM(4.7)),
	BOTH("[N] *p++", large_next, , AIM(6.1)),
	BOTH("[N] p[i]", large_pointer, , AIM(4.7)),
	BOTH("[64] b[i]", medium, , AIM(5.4)),
	BOTH("[64] *p++", medium_next, , AIM(6.1)),
	BOTH("[60] b[i]", odd, , AIM(5.4)),
	BOTH("[60] *p++", odd_next, , AIM(6.1)),
	BOTH("cyclic a[i]", cyclic, , AIM(5.6)),
	BOTH("cyclic a[i*THREADS+MYTHREAD]", cyclic_own, , AIM(5.6)),
	BOTH("cyclic a[i], i += THREADS", cyclic_step, , AIM(5.6)),
	BOTH("cyclic *p++", cyclic_next, , AIM(5.6)),
	BOTH("cyclic p[i]", cyclic_pointer, , AIM(5.6)),
	BOTH("[32] g[r][c]", grid, , AIM(5.4)),
	BOTH("[N] s[i].y", member, _pair, AIM(4.7)),
	BOTH("cyclic s[i].y", cyclic_member, _pair, AIM(5.6)),
	BOTH("strict p[i], C: atomic", strict, _atomic, 0),
	BOTH("forall &a[i] cyclic", forall_cyclic, , AIM(6.1)),
	BOTH("forall i cyclic", forall_number, , AIM(6.1)),
	BOTH("forall &p[i] cyclic", forall_pointer, , AIM(6.1)),
	BOTH("forall &b[i] [64]", forall_medium, , AIM(6.1)),
	BOTH("forall &b[i] [N]", forall_large, , AIM(6.1)),
};
#define COUNT ((int)(sizeof variants / sizeof *variants))

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void measure(long (*what)(void), double *least)
{
	static volatile long result;
	double start = now();
	result = what();
	double took = (now() - start) / SIZE;
	if (*least == 0 || took < *least)
		*least = took;
}

int main(int argc, char **argv)
{
	int repeats = argc > 1 ? atoi(argv[1]) : 300;
	double upc[COUNT] = {0}, plain[COUNT] = {0};
	indefinite = upc_all_alloc(1, SIZE * sizeof(long));
	ordered = upc_all_alloc(1, SIZE * sizeof(long));
	upc_barrier;
	if (MYTHREAD == 0)
		for (int r = 0; r < repeats; r++)
			for (int v = 0; v < COUNT; v++) {
				measure(variants[v].upc, &upc[v]);
				measure(variants[v].plain, &plain[v]);
			}
	upc_barrier;
	for (int v = 0; MYTHREAD == 0 && v < COUNT; v++)
		printf("%s\t%.3f\t%.3f\t%.2f\n", variants[v].name, upc[v], plain[v], variants[v].aim);
	return 0;
}
