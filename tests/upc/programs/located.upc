/* SPDX-License-Identifier: BSD-3-Clause */
/* For debugged.sh: functions, one of them inlined, at lines that it knows. */
#include <stdio.h>
#include <upc.h>
shared [4] double vector[4 * THREADS];
extern int other(int);

static inline double twice(int i)
{
	double x = vector[i]; /* line 10 */
	return x + x;
}

__attribute__((noinline)) double sum(void)
{
	double all = 0;
	for (int i = 0; i < 4 * THREADS; i++)
		all += twice(i); /* line 18 */
	return all;
}

int main(void)
{
	upc_forall (int i = 0; i < 4 * THREADS; i++; &vector[i])
		vector[i] = i; /* line 25 */
	upc_barrier;
	return sum() < 0;
}
