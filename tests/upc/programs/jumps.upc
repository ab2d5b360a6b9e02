/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses in a program that uses setjmp; and accesses with indices that are all known to the optimizer. */
#include <setjmp.h>

#include "check.h"

#define N (50 * THREADS)

shared [7] int sevens[N];
shared [4] int cube[4][THREADS][3];
shared int cyclic[5 * THREADS];

/* After a jump back, a register may have an older value than memory. */
static int jumps(int until)
{
	static jmp_buf back;
	volatile int turn = 0, at = 0;
	int i, wrong = 0;
	for (i = 0; i < N; i++) {
		if (setjmp(back) != 0) {
			turn++;
			i = at;
		}
		wrong += sevens[i] != i;
		for (int k = i; k < N; k++)
			wrong += sevens[k] != k;
		at = i;
		if (i == 11 && turn < until)
			longjmp(back, 1);
	}
	return wrong;
}

static void known_indices(void)
{
	int r, c, d;
	if (MYTHREAD == THREADS - 1) {
		for (r = 0; r < 4; r++)
			for (c = 0; c < THREADS; c++)
				for (d = 0; d < 3; d++)
					cube[r][c][d] = 100 * r + 10 * c + d;
		cyclic[0] = 10;
		cyclic[THREADS + 1] = 11;
		cyclic[2 * THREADS] = 12;
		cyclic[3 * THREADS + 1] = 13;
		cyclic[1] = 14;
		cyclic[THREADS] = 15;
	}
	upc_barrier;
	for (d = 0; d < 3; d++)
		for (r = 0; r < 4; r++)
			for (c = 0; c < THREADS; c++)
				CHECK(cube[r][c][d] == 100 * r + 10 * c + d);
	if (THREADS > 1)
		CHECK(cyclic[0] == 10 && cyclic[THREADS + 1] == 11 && cyclic[2 * THREADS] == 12 &&
			cyclic[3 * THREADS + 1] == 13 && cyclic[1] == 14 && cyclic[THREADS] == 15);
}

int main(void)
{
	for (int i = 0; i < N; i++)
		if (upc_threadof(&sevens[i]) == MYTHREAD)
			sevens[i] = i;
	upc_barrier;
	CHECK(jumps(3) == 0);
	known_indices();
	return failures != 0;
}
