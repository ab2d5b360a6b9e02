/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses to blocks by counted indices find the values stored by other means. */
#include "check.h"

#define N (50 * THREADS)

struct part {
	char head;
	short middle[3];
	long tail;
};
shared [7] int sevens[N];
shared [8] int eights[N];
shared [2] char twos[N];
shared [5] struct part parts[N];
shared [6] int grid[10 * THREADS][5];
shared [4] int cube[4][THREADS][3];
shared [*] long even[N];

static shared [7] int *seven(long i)
{
	return &sevens[i];
}

static shared [8] int *eight(long i)
{
	return &eights[i];
}

static void fill(void)
{
	for (long i = 0; i < N; i++)
		if (upc_threadof(seven(i)) == MYTHREAD)
			*seven(i) = (int)i;
	for (long i = 0; i < N; i++)
		if (upc_threadof(eight(i)) == MYTHREAD)
			*eight(i) = (int)-i;
	upc_barrier;
}

static void variables(void)
{
	int i;
	long l;
	unsigned u;
	for (i = 0; i < N; i++)
		CHECK(sevens[i] == i && eights[i] == -i);
	for (i = N - 1; i >= 0; i--)
		CHECK(sevens[i] == i && eights[i] == -i);
	for (l = 3; l < N; l++)
		CHECK(sevens[l] == l && sevens[l - 3] == l - 3 && sevens[N - 1 - l + 3] == N - 1 - l + 3);
	for (u = 0; u < (unsigned)N - 9; u++)
		CHECK(eights[u + 9] == -(int)(u + 9));
	for (i = 0; i < N; i++) {
		CHECK(sevens[i] == i);
		if (i % 11 == 5)
			i += 13;
	}
	for (i = 0; i < 10; i++)
		for (int k = i; k < N; k++)
			CHECK(sevens[(k + 17 * i) % N] == (k + 17 * i) % N && eights[k] == -k);
}

static long sum(shared [7] int *p, int first, int end)
{
	long result = 0;
	for (int i = first; i < end; i++)
		result += p[i];
	return result;
}

static void pointers(void)
{
	for (int k = 0; k < N; k++) {
		long expected = 0;
		for (int i = -k; i < N - k; i++)
			expected += k + i;
		CHECK(sum(seven(k), -k, N - k) == expected);
	}
	/* Another pointer in each iteration, or in some. */
	shared [7] int *p = sevens;
	for (int i = 0; i < 20; i++, p = seven(3 * i % 10))
		CHECK(p[i] == i + 3 * i % 10);
	shared [8] int *list[4] = {eight(0), eight(5), eight(8), eight(19)};
	for (int i = 0; i < 30; i++)
		for (int k = 0; k < 4; k++)
			CHECK(list[k][i] == -(i + (int)upc_phaseof(list[k]) + (k == 2 ? 8 : k == 3 ? 16 : 0)));
	for (int k = 0; k < 4; k++)
		for (int i = 0; i < 30; i++)
			CHECK(list[k][i] == list[k][i + 1] + 1);
}

static void members(void)
{
	int i, k;
	for (i = 0; i < N; i++)
		if (upc_threadof(&parts[i]) == MYTHREAD) {
			parts[i].head = (char)i;
			parts[i].tail = i;
			for (k = 0; k < 3; k++)
				parts[i].middle[k] = (short)(i + k);
		}
	upc_barrier;
	for (i = 0; i < N; i++) {
		shared [5] struct part *part = &parts[N - 1 - i];
		CHECK(parts[i].head == (char)i && parts[i].tail == i && part->tail == N - 1 - i);
		for (k = 0; k < 3; k++)
			CHECK(parts[i].middle[k] == i + k && part->middle[k] == N - 1 - i + k);
	}
}

static void dimensions(void)
{
	int r, c, d;
	if (MYTHREAD == THREADS - 1) {
		for (r = 0; r < 10 * THREADS; r++)
			for (c = 0; c < 5; c++)
				grid[r][c] = 5 * r + c;
		for (r = 0; r < 4; r++)
			for (c = 0; c < THREADS; c++)
				for (d = 0; d < 3; d++)
					cube[r][c][d] = 100 * r + 10 * c + d;
		for (r = 0; r < N; r++)
			even[r] = 3 * r;
		for (r = 0; r < N; r++)
			twos[r] = (char)r;
	}
	upc_barrier;
	shared [6] int *flat = &grid[0][0];
	for (c = 0; c < 5; c++)
		for (r = 0; r < 10 * THREADS; r++)
			CHECK(grid[r][c] == 5 * r + c && flat[5 * r + c] == 5 * r + c);
	for (d = 0; d < 3; d++)
		for (r = 0; r < 4; r++)
			for (c = 0; c < THREADS; c++)
				CHECK(cube[r][c][d] == 100 * r + 10 * c + d);
	for (r = 0; r < N; r++)
		CHECK(even[r] == 3 * r && twos[r] == (char)r);
}

/* Memory far beyond an array's end is never accessed, and computing its address is harmless. */
static void far_away(void)
{
	shared [7] int *p = &sevens[3];
	for (long i = 0; i < 20; i++) {
		shared [7] int *q = p + (i << 25);
		CHECK(q - p == i << 25 && q - (i << 25) == p && *(q - (i << 25)) == 3);
		CHECK((p + i) - (i << 20) + (i << 20) - i == p);
	}
}

int main(void)
{
	fill();
	variables();
	pointers();
	members();
	dimensions();
	far_away();
	return failures != 0;
}
