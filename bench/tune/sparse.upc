/* SPDX-License-Identifier: BSD-3-Clause */
/* Products of a sparse matrix and a vector, the columns scattered. */
#include "seconds.h"

#define WIDTH 8

static shared [WIDTH] int *column;
static shared [WIDTH] double *value;

static void multiply(int n, shared double *y, shared double *x)
{
	upc_forall (int i = 0; i < n; i++; &y[i]) { /* by hand: --variable x */
		double sum = 0;

		for (int k = 0; k < WIDTH; k++)
			sum += value[i * WIDTH + k] * x[column[i * WIDTH + k]];
		y[i] = sum;
	}
	upc_barrier;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 2000;
	shared double *x = upc_all_alloc(n, sizeof(double)), *y = upc_all_alloc(n, sizeof(double));

	column = upc_all_alloc(n, WIDTH * sizeof(int));
	value = upc_all_alloc(n, WIDTH * sizeof(double));
	upc_forall (int i = 0; i < n; i++; &x[i]) {
		x[i] = i % 7;
		for (int k = 0; k < WIDTH; k++) {
			column[i * WIDTH + k] = MIXED(i * WIDTH + k) % n;
			value[i * WIDTH + k] = (i + k) % 5 / 8.0;
		}
	}
	upc_barrier;
	double begin = seconds();
	for (int round = 0; round < 3; round++) {
		multiply(n, y, x);
		multiply(n, x, y);
	}
	print_seconds(begin);
	if (MYTHREAD == 0) {
		double sum = 0;

		for (int i = 0; i < n; i++)
			sum += x[i] * (i % 13);
		printf("%.10g\n", sum);
	}
	upc_barrier;
	return 0;
}
