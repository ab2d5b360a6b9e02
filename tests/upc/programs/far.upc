/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A known number of accesses to the next thread's memory, and to the thread's own, in functions that have two versions;
 * with an argument, also in functions that cannot have two.
 */
#include <stdarg.h>

#include "check.h"

struct big {
	long part[20];
};
struct packed {
	unsigned a : 20, b : 4;
	char after;
};
static relaxed shared int x[THREADS];
static strict shared int s[THREADS];
static shared struct big b[THREADS];
static shared struct packed p[THREADS];
static shared long double wide[THREADS];

/* 1 put, 1 get. */
static int one(int n)
{
	x[n] = 5;
	return x[n];
}

/* 1 strict put and 1 strict get. */
static int strictly(int n)
{
	s[n] = 6;
	return s[n];
}

/* 3 copies; both ends of the last one are far. */
static long copies(int n)
{
	struct big big = {{1, 2, 3}};
	b[n] = big;
	big = b[n];
	b[n] = b[n];
	return big.part[2];
}

/* By value and for a result in memory: 1 copy. */
static struct big by_value(struct big big, int n)
{
	big.part[1] += 1;
	b[n] = big;
	return big;
}

/* Neighbouring bits of a bit field are unchanged: 2 puts, 3 gets. */
static int fields(int n)
{
	p[n].after = 7;
	p[n].b = 3;
	return p[n].after * 10 + (int)p[n].b;
}

/* 2 puts, 2 gets. */
static long double widely(int n)
{
	wide[n] = 1.5L;
	wide[n] += 1;
	return wide[n];
}

/* 2 gets. */
static int variadic(int count, ...)
{
	int sum = 0;
	va_list list;
	va_start(list, count);
	for (int i = 0; i < count; i++)
		sum += x[va_arg(list, int)];
	va_end(list);
	return sum;
}

/* 1 get. */
static int labels(int i, int n)
{
	static void *const targets[] = {&&first, &&second};
	goto *targets[i];
first:
	return x[n];
second:
	return x[n] + 1;
}

int main(int argc, char **argv)
{
	(void)argv;
	int next = (MYTHREAD + 1) % THREADS;
	struct big big = {{4, 5, 6}};
	CHECK(one(next) == 5);
	CHECK(strictly(next) == 6);
	CHECK(copies(next) == 3);
	CHECK(by_value(big, next).part[1] == 6);
	CHECK(fields(next) == 73);
	CHECK(widely(next) == 2.5L);
	upc_barrier;
	CHECK(one(MYTHREAD) == 5 && strictly(MYTHREAD) == 6);
	CHECK(argc == 1 || (variadic(2, next, next) == 10 && labels(1, next) == 6));
	upc_barrier;
	return failures != 0;
}
