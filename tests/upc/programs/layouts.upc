/* SPDX-License-Identifier: BSD-3-Clause */
/* Where elements of each layout are, by index and by pointer. */
#include "check.h"

#define N 17
shared int scalar;
shared int cyclic[N * THREADS];
shared [1] int one[N * THREADS];
shared [3] int three[N * THREADS];
shared [8] short eight[N * THREADS];
shared [] long indefinite[N];
shared [0] char zero[N];
shared [*] double spread[N * THREADS];
shared [7] int matrix[THREADS][N];
shared [N] int rows[THREADS][N];
shared [2 + 3] char cube[2][THREADS][3];
int shared [4] after[8 * THREADS];
shared [4] int of_quotient[N / 4 * THREADS];
shared [4] int grid[N / 4 * THREADS][4];
shared [4] int between[2 * THREADS * 3];
shared [4] int of_sum[(4 + 1) * THREADS];
shared [4] int nested[N / (1 + 1) * (THREADS * 2)];
shared [*] int of_remainder[N % 10 * THREADS];

#define WALK(array, type, block, count)                                                                                \
	do {                                                                                                           \
		type *p = (array);                                                                                     \
		for (int i = 0; i < (count); i++) {                                                                    \
			int b = (block) ? (block) : (count);                                                           \
			CHECK(upc_threadof(&(array)[i]) == (size_t)(i / b % THREADS));                                  \
			CHECK((block) <= 1 || upc_phaseof(&(array)[i]) == (size_t)(i % b));                            \
			CHECK(upc_threadof(p) == (size_t)(i / b % THREADS));                                            \
			CHECK(p == &(array)[i] && p - (array) == i && !(p != (array) + i));                            \
			CHECK(&(array)[i] - p == 0 && &(array)[(count)-1] - p == (count)-1 - i);                       \
			CHECK(i == 0 || (p > (array) && (array) < p && p >= (array) + 1 && p - i == (array)));         \
			CHECK(p + ((count)-1 - i) == &(array)[(count)-1] && p <= &(array)[(count)-1]);                 \
			p++;                                                                                           \
		}                                                                                                      \
		for (int i = (count)-1; i >= 0; i--)                                                                   \
			CHECK(--p == &(array)[i]);                                                                     \
		p += (count) / 2;                                                                                      \
		p -= (count) / 2;                                                                                      \
		CHECK(p++ == (array) && p-- == (array) + 1 && p == (array));                                           \
	} while (0)

int main(void)
{
	CHECK(upc_threadof(&scalar) == 0 && upc_phaseof(&scalar) == 0);
	WALK(cyclic, shared int, 1, N * THREADS);
	WALK(one, shared [1] int, 1, N * THREADS);
	WALK(three, shared [3] int, 3, N * THREADS);
	WALK(eight, shared [8] short, 8, N * THREADS);
	WALK(indefinite, shared [] long, 0, N);
	WALK(zero, shared [0] char, 0, N);
	WALK(spread, shared [N] double, N, N * THREADS);
	WALK(after, shared [4] int, 4, 8 * THREADS);
	WALK(of_quotient, shared [4] int, 4, 4 * THREADS);
	WALK(between, shared [4] int, 4, 6 * THREADS);
	WALK(of_sum, shared [4] int, 4, 5 * THREADS);
	WALK(nested, shared [4] int, 4, 16 * THREADS);
	WALK(of_remainder, shared [7] int, 7, 7 * THREADS);
	CHECK(sizeof of_quotient == 4 * THREADS * sizeof(int) && sizeof grid == 4 * sizeof of_quotient);
	CHECK(sizeof nested == 16 * THREADS * sizeof(int) && upc_threadof(&grid[THREADS + 1][3]) == 1 % THREADS);
	for (int t = 0; t < THREADS; t++)
		for (int i = 0; i < N; i++) {
			int at = t * N + i;
			CHECK(upc_threadof(&matrix[t][i]) == at / 7 % THREADS && upc_phaseof(&matrix[t][i]) == at % 7);
			CHECK(upc_threadof(&rows[t][i]) == t && upc_phaseof(&rows[t][i]) == i);
			CHECK(&matrix[t][i] - &matrix[0][0] == at);
		}
	for (int i = 0; i < 2; i++)
		for (int t = 0; t < THREADS; t++)
			for (int k = 0; k < 3; k++)
				CHECK(upc_threadof(&cube[i][t][k]) == ((i * THREADS + t) * 3 + k) / 5 % THREADS);
	shared [7] int (*row)[N] = matrix;
	for (int t = 0; t < THREADS; t++, row++)
		CHECK(&(*row)[2] == &matrix[t][2] && row - matrix == t);
	/* Places are distinct: each element keeps its value. */
	upc_barrier;
	if (MYTHREAD == 0) {
		for (int i = 0; i < N * THREADS; i++) {
			cyclic[i] = i;
			three[i] = 2 * i;
			eight[i] = (short)(3 * i);
			spread[i] = i / 2.0;
			matrix[i / N][i % N] = 5 * i;
		}
		for (int i = 0; i < N; i++)
			indefinite[i] = i, zero[i] = (char)i;
		scalar = 42;
	}
	upc_barrier;
	for (int i = 0; i < N * THREADS; i++) {
		CHECK(cyclic[i] == i && three[i] == 2 * i && eight[i] == (short)(3 * i) && spread[i] == i / 2.0);
		CHECK(matrix[i / N][i % N] == 5 * i);
	}
	for (int i = 0; i < N; i++)
		CHECK(indefinite[i] == i && zero[i] == (char)i);
	CHECK(scalar == 42);
	CHECK(sizeof cyclic == N * THREADS * sizeof(int) && sizeof(matrix) == N * THREADS * sizeof(int));
	CHECK(sizeof cube == 6 * (size_t)THREADS && sizeof matrix[0] == N * sizeof(int) && sizeof(cube[0]) == 3 * (size_t)THREADS);
	return failures != 0;
}
