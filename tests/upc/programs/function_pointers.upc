/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers to functions and to arrays, stored in shared memory: `shared` is inside the declarator's parentheses. */
#include "check.h"
static int add(int a, int b)
{
	return a + b;
}
static int multiply(int a, int b)
{
	return a * b;
}
typedef int operation(int, int);
int (*shared functions[THREADS])(int, int), (*shared one)(int, int);
operation *shared named[2 * THREADS];
int (*shared[2] blocked[2 * THREADS])(int, int);
void (*shared nothing)(void);
shared int data[3 * THREADS];
static int own[3];
int (*shared rows[THREADS])[3];
shared int *(*shared [] getters[2])(int);

static shared int *get(int i)
{
	return &data[i];
}
static int apply(int (*shared *f)(int, int), int (*shared g[])(int, int), int a, int b)
{
	return (*f)(a, b) + g[THREADS - 1](a, b);
}

int main(void)
{
	static int (*shared local[THREADS])(int, int);
	functions[MYTHREAD] = local[MYTHREAD] = MYTHREAD % 2 ? multiply : add;
	named[MYTHREAD] = named[MYTHREAD + THREADS] = &multiply;
	blocked[2 * MYTHREAD] = add;
	blocked[2 * MYTHREAD + 1] = multiply;
	rows[MYTHREAD] = &own;
	own[2] = MYTHREAD;
	if (MYTHREAD == 0) {
		one = add;
		nothing = NULL;
		getters[1] = get;
	}
	upc_barrier;
	for (int i = 0; i < THREADS; i++) {
		CHECK(functions[i](3, 4) == (i % 2 ? 12 : 7) && (*local[i])(3, 4) == functions[i](3, 4));
		CHECK(named[i + THREADS](3, 4) == 12);
		CHECK(blocked[2 * i](3, 4) + blocked[2 * i + 1](3, 4) == 19);
		CHECK(upc_threadof(&functions[i]) == i && upc_threadof(&blocked[2 * i + 1]) == i);
		CHECK(getters[1](i) == &data[i]);
	}
	CHECK((*rows[MYTHREAD])[2] == MYTHREAD);
	CHECK(one(3, 4) == 7 && nothing == NULL);
	CHECK(apply(&one, functions, 3, 4) == 7 + ((THREADS - 1) % 2 ? 12 : 7));
	CHECK(((int (*shared *)(int, int))functions)[0] == add);
	return failures;
}
