/* SPDX-License-Identifier: BSD-3-Clause */
/* What a C programmer would write instead: private memory, compiled by clang. */
#include "upc_access.h"

static long memory[SIZE];
static struct pair pairs[SIZE];
static _Atomic long atomics[SIZE];
static volatile int size = SIZE;

APART long plain_read(void)
{
	long sum = 0;
	int n = size;
	SCALAR for (int i = 0; i < n; i++) sum += memory[i];
	return sum;
}

APART long plain_write(void)
{
	int n = size;
	SCALAR for (int i = 0; i < n; i++) memory[i] = i;
	return n;
}

APART long plain_read_pair(void)
{
	long sum = 0;
	int n = size;
	SCALAR for (int i = 0; i < n; i++) sum += pairs[i].y;
	return sum;
}

APART long plain_write_pair(void)
{
	int n = size;
	SCALAR for (int i = 0; i < n; i++) pairs[i].y = i;
	return n;
}

APART long plain_read_atomic(void)
{
	long sum = 0;
	int n = size;
	SCALAR for (int i = 0; i < n; i++) sum += atomics[i];
	return sum;
}

APART long plain_write_atomic(void)
{
	int n = size;
	SCALAR for (int i = 0; i < n; i++) atomics[i] = i;
	return n;
}

APART long plain_read_vector(void)
{
	long sum = 0;
	int n = size;
	for (int i = 0; i < n; i++)
		sum += memory[i];
	return sum;
}

APART long plain_write_vector(void)
{
	int n = size;
	for (int i = 0; i < n; i++)
		memory[i] = i;
	return n;
}
