/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiled with --inst and run without a tool: functions have two versions, but one name, address and set of variables. */
#include <stdarg.h>

#include "check.h"

struct big {
	long part[10];
};
/* Two types that look equal. */
static struct {
	int number[4];
} own;
static shared [] struct {
	int number[4];
} other;
static shared int x[10 * THREADS];
static int calls;
static const char *const names[] = {"one", "two"};

static struct big by_value(struct big big, int i)
{
	static int times;
	big.part[0] += x[i] + ++times;
	return big;
}

static int factorial(int n)
{
	calls++;
	return n <= 1 ? x[0] + 1 : n * factorial(n - 1);
}

static int sum(int count, ...)
{
	va_list list;
	va_start(list, count);
	int result = 0;
	while (count--)
		result += va_arg(list, int) + x[0];
	va_end(list);
	return result;
}

static int labels(int i)
{
	static void *const targets[] = {&&first, &&second};
	goto *targets[i];
first:
	return x[1];
second:
	return x[2] + 5;
}

static int (*const pointer)(int) = factorial;

inline int inlined(int i)
{
	return x[i] + 1;
}
extern int inlined(int i);

static __attribute__((__constructor__)) void before_main(void)
{
	calls = 100;
}

static double local_variables(int n)
{
	double array[n];
	for (int i = 0; i < n; i++)
		array[i] = x[i] + i;
	struct big big = {{n}};
	big = by_value(big, 0);
	return array[n - 1] + (double)big.part[0];
}

int main(void)
{
	struct big big = {{1}};
	upc_forall (int i = 0; i < 10 * THREADS; i++; &x[i])
		x[i] = 0;
	if (MYTHREAD == 0)
		other.number[3] = 7;
	upc_barrier;
	big = by_value(by_value(big, 1), 2);
	CHECK(big.part[0] == 4);
	CHECK(factorial(5) == 120 && pointer(4) == 24 && pointer == factorial && calls == 109);
	CHECK(sum(3, 1, 2, 3) == 6 && labels(0) == 0 && labels(1) == 5);
	CHECK(inlined(3) == 1 && local_variables(9) == 20 && names[1][1] == 'w');
	own.number[3] = other.number[3];
	CHECK(own.number[3] == 7);
	return failures != 0;
}
