/* SPDX-License-Identifier: BSD-3-Clause */
/* upc_forall in upc_forall, in functions, macros and recursion; and what each thread evaluates, and how often. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#define N 12
shared int hits[N * THREADS][N];
shared [3] int triples[N * THREADS];
shared [N] int matrix[THREADS][N];
static int conditions, steps, affinities, bodies;

#define EVERY(i, n) upc_forall (int i = 0; i < (n); i++; i)
#define ROWS(i) upc_forall (i = 0; i < THREADS; ++i; &matrix[i][0])

static int affinity(int i)
{
	affinities++;
	return i;
}

static int inner_all(void)
{
	int ran = 0;
	upc_forall (int j = 0; j < N; j++; j)
		ran++;
	return ran;
}

static int recurse(int depth)
{
	int ran = 0;
	if (depth == 0)
		return inner_all();
	upc_forall (int k = 0; k < 2; k++; k + 1)
		ran += recurse(depth - 1);
	return ran;
}

static int leave_by_return(int at)
{
	upc_forall (int i = 0; i < N * THREADS; i++; i)
		upc_forall (int j = 0; j < N; j++; j)
			if (i == at)
				return 1;
	return 0;
}

/* Returns how many of n iterations this thread executes if the affinity is the index. */
static int share(int n)
{
	return n / THREADS + (n % THREADS > MYTHREAD);
}

int main(void)
{
	int i, j;
	/* All threads evaluate the control of the loop for all iterations, and execute only their own bodies. */
	upc_forall (i = 0; conditions++, i < N * THREADS; steps++, i++; affinity(i))
		bodies++;
	CHECK(conditions == N * THREADS + 1 && steps == N * THREADS && affinities == N * THREADS && bodies == N && i == N * THREADS);
	/* The inner loop does not distribute: the thread that executes the outer iteration executes all inner ones. */
	upc_forall (i = 0; i < N * THREADS; i++; &triples[i])
		upc_forall (j = 0; j < N; j++; j)
			hits[i][j] += MYTHREAD + 1;
	upc_barrier;
	for (i = 0; i < N * THREADS; i++)
		for (j = 0; j < N; j++)
			CHECK(hits[i][j] == (int)upc_threadof(&triples[i]) + 1);
	/* If the outer affinity is continue, the inner loop distributes. */
	bodies = 0;
	upc_forall (i = 0; i < 3; i++; continue)
		upc_forall (j = 0; j < N * THREADS; j++; j)
			bodies++;
	upc_forall (i = 0; i < 3; i++;)
		upc_forall (j = 0; j < N * THREADS; j++; j)
			bodies++;
	CHECK(bodies == 6 * N);
	/* continue inside a loop that distributes: all iterations. Three levels. */
	bodies = 0;
	upc_forall (i = 0; i < N * THREADS; i++; i)
		upc_forall (j = 0; j < 2; j++; continue)
			upc_forall (int k = 0; k < 5; k++; k)
				bodies++;
	CHECK(bodies == N * 10);
	/* Plain for loops and blocks between. */
	bodies = 0;
	for (i = 0; i < 2; i++) {
		upc_forall (j = 0; j < N * THREADS; j++; j) {
			for (int k = 0; k < 3; k++) {
				upc_forall (int l = 0; l < 4; l++; &triples[l]) {
					bodies++;
				}
			}
		}
	}
	CHECK(bodies == 2 * N * 12);
	/* Called functions. */
	CHECK(inner_all() == share(N));
	bodies = 0;
	EVERY(k, THREADS)
		bodies += inner_all();
	CHECK(bodies == N);
	int expected = 0;
	for (int k = 0; k < 2; k++)
		expected += (k + 1) % THREADS == MYTHREAD ? 2 * N : 0;
	CHECK(recurse(0) == share(N) && recurse(2) == expected);
	int (*by_pointer)(void) = inner_all;
	bodies = 0;
	ROWS(i) bodies += by_pointer();
	CHECK(bodies == N);
	/* continue in the body starts the next iteration; break leaves only the inner loop. */
	bodies = 0;
	upc_forall (i = 0; i < N * THREADS; i++; i) {
		if (i % 2)
			continue;
		upc_forall (j = 0;; j++; j) {
			if (j == 3)
				break;
			if (j == 1)
				continue;
			bodies++;
		}
	}
	expected = 0;
	for (i = 0; i < N * THREADS; i++)
		expected += i % THREADS == MYTHREAD && i % 2 == 0 ? 2 : 0;
	CHECK(bodies == expected);
	/* If a loop is left from inside, later loops distribute iterations normally. */
	CHECK(leave_by_return(MYTHREAD) == 1 && inner_all() == share(N));
	for (int pass = 0; pass < 2; pass++) {
		upc_forall (i = 0; i < N * THREADS; i++; i)
			upc_forall (j = 0; j < N; j++; j)
				if (j == 2)
					goto next;
	next:
		CHECK(inner_all() == share(N));
	}
	/* Several variables, an array's address, an expression with commas, an affinity that is not an int. */
	bodies = 0;
	upc_forall (int k = 0, l = N * THREADS; k < l; k++, l--; matrix[k % THREADS])
		bodies++;
	upc_forall (int k = 0; k < N * THREADS; k++; (j = k, j))
		bodies += k % THREADS == MYTHREAD ? 1 : 1000;
	upc_forall (int k = 0; k < N * THREADS; k++; k % 2 ? &triples[k] : triples + k)
		bodies += upc_threadof(triples + k) == MYTHREAD ? 0 : 1000;
	upc_forall (size_t k = 0; k < (size_t)N * THREADS; k++; k)
		bodies++;
	upc_forall (double d = 0; d < N * THREADS; d++; (int)d)
		bodies++;
	CHECK(bodies == N / 2 + 3 * N);
	upc_forall (char *c = "abc"; *c; c++; strlen(c))
		CHECK((int)strlen(c) % THREADS == MYTHREAD);
	upc_forall (i = 0; i < 4; i++; ({ int t = i; t + 1; }))
		CHECK((i + 1) % THREADS == MYTHREAD);
	if (N) {
		EVERY(k, N) if (k % THREADS != MYTHREAD) abort(); else bodies = 0;
	}
	CHECK(bodies == 0 || share(N) == 0);
	return failures != 0;
}
