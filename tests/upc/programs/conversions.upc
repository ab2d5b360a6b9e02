/* SPDX-License-Identifier: BSD-3-Clause */
/* Casts between pointers-to-shared, to private pointers, and through shared void *. */
#include "check.h"

#include <stdint.h>

shared [5] int blocked[10 * THREADS];
shared int cyclic[10 * THREADS];
shared [] int plain[10];
shared void *kept; /* private: each thread has its own */
typedef shared void *generic;

static shared void *pass(shared void *pointer)
{
	return pointer;
}

static generic other(generic p, shared const void *q)
{
	return p ? p : (generic)q;
}

int main(void)
{
	shared [5] int *p = &blocked[3];
	shared void *v = p;
	CHECK(upc_phaseof(p) == 3 && upc_phaseof(v) == 3 && v == p && p == v && !(v != p));
	shared [5] int *back = v;
	CHECK(back == p && upc_phaseof(back) == 3);
	/* Another block size or element size: the phase becomes 0, the place is unchanged. */
	shared [2] int *two = (shared [2] int *)p;
	CHECK(upc_phaseof(two) == 0 && upc_threadof(two) == upc_threadof(p) && upc_addrfield(two) == upc_addrfield(p));
	shared int *one = (shared int *)p;
	CHECK(upc_phaseof(one) == 0 && upc_addrfield(one) == upc_addrfield(p));
	shared [] int *flat = (shared [] int *)p;
	CHECK(upc_phaseof(flat) == 0 && upc_addrfield(flat) == upc_addrfield(p));
	shared [5] char *bytes = (shared [5] char *)p;
	CHECK(upc_phaseof(bytes) == 0 && upc_addrfield(bytes) == upc_addrfield(p));
	shared [5] unsigned *same = (shared [5] unsigned *)p;
	CHECK(upc_phaseof(same) == 3);
	shared [] int *from_void = v;
	CHECK(upc_phaseof(from_void) == 0 && from_void == flat);
	/* Equality ignores the phase. */
	shared void *reset = upc_resetphase(p);
	CHECK(upc_phaseof(reset) == 0 && reset == v && reset == p && (shared [5] int *)reset == p);
	CHECK(pass(p) == p && pass(one) == v && other(0, p) == p && other(v, NULL) == v);
	/* Null pointers. */
	shared int *null = NULL;
	shared void *nothing = 0;
	CHECK(null == NULL && nothing == NULL && !null && !nothing && null == nothing && p != NULL && p && v && v != NULL);
	CHECK((int *)null == NULL && (shared [5] int *)NULL == NULL && pass(NULL) == NULL);
	nothing = null;
	CHECK(nothing == 0 && !(nothing != 0) && (nothing ? 0 : 1));
	/* A pointer to local memory converts to a private one. */
	cyclic[MYTHREAD] = 7 + MYTHREAD;
	int *here = (int *)&cyclic[MYTHREAD];
	CHECK(*here == 7 + MYTHREAD);
	here[1] = 99;
	CHECK(cyclic[MYTHREAD + THREADS] == 99);
	*(int *)(shared void *)&cyclic[MYTHREAD] = 5;
	CHECK(cyclic[MYTHREAD] == 5);
	upc_barrier;
	if (MYTHREAD == THREADS - 1)
		kept = &blocked[9], plain[4] = 44;
	shared void *stored;
	upc_barrier;
	/* kept is private: only the last thread has set it */
	stored = kept;
	CHECK((MYTHREAD == THREADS - 1) == (stored == &blocked[9]));
	shared [] int *q = plain;
	CHECK(q[4] == 44 && *(q + 4) == 44 && (shared [] char *)(q + 4) == (shared [] char *)&plain[4]);
	CHECK((uint64_t)&cyclic[THREADS] - (uint64_t)&cyclic[0] == sizeof(int));
	CHECK((uint64_t)v == (uint64_t)(shared void *)p && (uint64_t)(shared int *)NULL == 0);
	p = MYTHREAD ? &blocked[1] : NULL;
	CHECK(p == (MYTHREAD ? blocked + 1 : NULL));
	const shared int *constant = cyclic;
	CHECK(constant == cyclic && sizeof(shared void *) == 8 && sizeof p == 8);
	return failures != 0;
}
