/* SPDX-License-Identifier: BSD-3-Clause */
/* Target constructs on LLVM 14's host device: 20 leagues of 2 teams, 10 parallel kernels, and a serial one. */
#include <stdio.h>

#define N 100000

int main(void)
{
	static double a[N];
	for (int r = 0; r < 20; r++) {
#pragma omp target teams distribute parallel for map(tofrom : a) num_teams(2) /* line: teams */
		for (int i = 0; i < N; i++)
			a[i] += i * 0.5 + r;
	}
	for (int r = 0; r < 10; r++) {
#pragma omp target parallel for map(tofrom : a) num_threads(2) /* line: parallel */
		for (int i = 0; i < N; i++)
			a[i] += i * 0.5 + r;
	}
#pragma omp target map(tofrom : a)
	for (int r = 0; r < 1000; r++) {
		for (int i = 0; i < N; i++)
			a[i] = a[i] * 0.5 + r;
	}
	printf("%g\n", a[7]);
	return 0;
}
