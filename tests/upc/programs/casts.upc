/* SPDX-License-Identifier: BSD-3-Clause */
/* Casts to pointers-to-shared in all possible places, and parenthesized types that are not casts. */
#include "check.h"
typedef int num;
shared int a[10 * THREADS];
shared [3] int b[9 * THREADS];
int f1(shared int *), (*f2)(shared int *) = f1;
int f1(shared int *p)
{
	return p != NULL;
}
int f3(int (*f)(shared int *), shared int *p)
{
	return (f)(p);
}
#define CAST(x) ((shared int *)(x))
static int vs(int n, ...)
{
	__builtin_va_list v;
	__builtin_va_start(v, n);
	shared int *p = __builtin_va_arg(v, shared int *);
	__builtin_va_end(v);
	return p == a;
}
struct q {
	shared int *p;
	int n;
};
int main(void)
{
	volatile int i = 1;
	num n = 2;
	CHECK(f2(CAST(b)) && f3(f1, (shared int *)&b[i]) && vs(1, (shared int *)a));
	CHECK(*(shared int *)&b[0] + n == n && *CAST(&b[0]) * n == 0 && -*(shared int *)b == 0);
	CHECK(((shared int *)b)[0] == 0 && (CAST(b) + 1) != CAST(b) && CAST(b) - CAST(b) == 0 &&
		&CAST(b)[2] - CAST(b) == 2);
	CHECK((shared int *)(shared [3] int *)(shared void *)b == (shared int *)b);
	CHECK((i ? (shared int *)b : (shared int *)NULL) == (shared int *)b && !((shared int *)0) &&
		sizeof((shared int *)b) == 8);
	struct q z = {(shared int *)b, sizeof(shared int *)}, y = {.p = (shared int *)&b[1], .n = 1};
	CHECK((z.p != y.p && (struct q){(shared int *)b, 1}.p == z.p));
	shared int *w[] = {[1] = (shared int *)b, [0] = (shared int *)(b + 1)};
	CHECK(w[1] == z.p);
	switch (i)
	case 1:
		(void)(shared int *)a;
	for (z.p = (shared int *)b; z.p != (shared int *)b; z.p++)
		;
	shared int *x;
	x = (shared int *)b, y.n++;
	x += (long)(n), x -= n;
	CHECK(x == (shared int *)b);
	int t = (shared int *)b == x ? n : (int)sizeof(shared int *[3]);
	CHECK(t == 2);
	upc_forall(int k = 0; k < 10; k++; (shared int *)&b[k]) CHECK(upc_threadof(&b[k]) == (size_t)MYTHREAD);
	if ((shared int *)b == x)
		x = (shared int *)upc_resetphase((shared [3] int *)&b[1]);
	else
		x = (shared int *)b;
	long num_ = (long)(shared int *)a & 7;
	CHECK(num_ == 0);
	CHECK(_Generic((shared int *)b, shared int * : 1, default : 0));
	__typeof__((shared int *)b) g = x;
	CHECK(g == x);
	/* Types without `shared` in their text. */
	shared [3] char *bytes;
	CHECK(upc_phaseof(&b[1]) == 1 && upc_phaseof((__typeof__(bytes))&b[1]) == 0 && upc_phaseof((__typeof__(&b[0]))&b[1]) == 1);
	CHECK((__typeof__(g))&b[1] == (shared int *)&b[1] && upc_phaseof((__typeof__(bytes))(void *)0) == 0);
	return failures != 0;
}
