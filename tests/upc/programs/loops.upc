/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops over one thread's memory find it wherever it is, even if the pointer changes, in any way, to another thread's
 * memory during the loop.
 */
#include "check.h"

#define N 40
#define MOST 64 /* threads */
#define APART __attribute__((__noinline__))

struct part {
	char head;
	double value;
};
shared [] int *shared directory[THREADS];
shared [] struct part *shared parts[THREADS];
shared [] int fixed[N];
shared [] int *outside;
static shared [] int *own[MOST];
static union {
	shared [] int *pointer;
	long number;
} both;

/* Returns the sum of the elements of THREAD from FIRST to END - 1. */
static int expected(int thread, int first, int end)
{
	int sum = 0;
	for (int i = first; i < end; i++)
		sum += 1000 * thread + i;
	return sum;
}

static APART int indexed(shared [] int *p, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += p[i];
	return sum;
}

static APART int moving(shared [] int *p, int n)
{
	shared [] int *end = p + n;
	int sum = 0;
	while (p < end) {
		sum += *p++;
		if (p == end)
			break;
		sum += *p;
		p += 1;
	}
	do
		sum -= *--end;
	while (--n > 0);
	return sum;
}

static APART int changed(shared [] int *p, shared [] int *q, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++) {
		if (i == n / 2)
			p = q;
		sum += p[i];
	}
	return sum;
}

static APART int swapped(shared [] int *p, shared [] int *q, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++) {
		shared [] int *between = p;
		sum += p[i];
		p = q;
		q = between;
	}
	return sum;
}

static APART void set(shared [] int **pointer, shared [] int *value)
{
	*pointer = value;
}

static APART int set_inside(shared [] int *p, shared [] int *q, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++) {
		if (i == 3)
			set(&p, q);
		sum += p[i];
	}
	return sum;
}

static APART int through_address(shared [] int *p, shared [] int *q, int n)
{
	shared [] int **address = &p;
	int sum = 0;
	for (int i = 0; i < n; i++) {
		sum += p[i];
		*address = q;
	}
	return sum;
}

static APART int outside_kept(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += outside[i];
	return sum;
}

static APART int outside_changed(shared [] int *q, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++) {
		sum += outside[i];
		outside = q;
	}
	return sum;
}

static APART int outside_set(shared [] int **address, shared [] int *q, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++) {
		sum += outside[i];
		*address = q;
	}
	return sum;
}

static APART void set_outside(shared [] int *q)
{
	outside = q;
}

static APART int outside_called(shared [] int *q, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++) {
		sum += outside[i];
		set_outside(q);
	}
	return sum;
}

static APART int outside_bytes(shared [] int *q, int n)
{
	char *to = (char *)&outside, *from = (char *)&q;
	int sum = 0;
	for (int i = 0; i < n; i++) {
		sum += outside[i];
		for (size_t k = 0; k < sizeof q; k++)
			to[k] = from[k];
	}
	return sum;
}

static APART int outside_any(shared [] int *q, int n)
{
	typedef long __attribute__((__may_alias__)) any;
	any *to = (any *)&outside, bits = *(any *)&q;
	int sum = 0;
	for (int i = 0; i < n; i++) {
		sum += outside[i];
		*to = bits;
	}
	return sum;
}

static APART int in_union(shared [] int *q, int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++) {
		sum += both.pointer[i];
		both.pointer = q;
	}
	return sum;
}

static APART int chosen_inside(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++) {
		shared [] int *p = own[i % THREADS];
		sum += p[i];
	}
	return sum;
}

static APART int nested(int n)
{
	int sum = 0;
	for (int t = 0; t < THREADS; t++)
		for (int i = 0; i < n; i++)
			sum += own[t][i] + directory[t][i];
	return sum;
}

static APART int of_variable(int n)
{
	int sum = 0;
	for (int i = 0; i < n; i++)
		sum += fixed[i];
	return sum;
}

static APART double of_members(shared [] struct part *p, int n)
{
	double sum = 0;
	for (int i = 0; i < n; i++)
		if (p[i].head == 'a' && p[i].value > 0)
			sum += p[i].value;
	return sum;
}

static APART int sorted(shared [] int *p, int n)
{
	int kinds[4] = {0}, first = -1;
	for (int i = 0; i < n; i++) {
		switch (p[i] % 4) {
		case 0:
			kinds[0]++;
			continue;
		case 1:
			kinds[1]++;
			break;
		default:
			if (p[i] % 4 == 3 || i > n)
				goto next;
			kinds[2] += i > 0 && p[i - 1] % 4 == 1 ? 1 : 100;
		}
		first = first < 0 ? i : first;
	next:;
	}
	return 100 * kinds[0] + 10 * kinds[1] + kinds[2] + first;
}

static APART int find(shared [] int *p, int value)
{
	for (int i = 0;; i++)
		if (p[i] == value)
			return i;
}

static APART int never(int n)
{
	shared [] int *p;
	int sum = 5;
	if (n > 0)
		p = own[0];
	for (int i = 0; i < n; i++)
		sum += p[i];
	return sum;
}

static APART void copy(shared [] int *to, shared [] int *from, int n)
{
	for (int i = 0; i < n; i++)
		to[i] = from[i] + 7;
	upc_fence;
	for (int i = 0; i < n; i++)
		to[i] -= 7;
}

static void one_pointer(int t)
{
	shared [] int *p = directory[t];
	CHECK(indexed(p, N) == expected(t, 0, N));
	CHECK(indexed(p, 0) == 0);
	CHECK(moving(p, N) == 0 && moving(p, N - 1) == 0);
	CHECK(sorted(p, 8) == 100 * 2 + 10 * 2 + 2 + 1);
	CHECK(find(p, 1000 * t + 33) == 33);
	CHECK(of_members(parts[t], N) == 2 * expected(t, 0, N));
	outside = p;
	CHECK(outside_kept(N) == expected(t, 0, N));
}

static void two_pointers(int t)
{
	int u = (t + 1) % THREADS;
	shared [] int *p = directory[t], *q = directory[u];
	int rest = expected(t, 0, 1) + expected(u, 1, N), every = 0;
	for (int i = 0; i < N; i++)
		every += 1000 * (i % 2 ? u : t) + i;
	CHECK(changed(p, q, N) == expected(t, 0, N / 2) + expected(u, N / 2, N));
	CHECK(swapped(p, q, N) == every);
	CHECK(set_inside(p, q, N) == expected(t, 0, 3) + expected(u, 3, N));
	CHECK(through_address(p, q, N) == rest);
	outside = p;
	CHECK(outside_changed(q, N) == rest && outside == q);
	outside = p;
	CHECK(outside_set(&outside, q, N) == rest);
	outside = p;
	CHECK(outside_called(q, N) == rest);
	outside = p;
	CHECK(outside_bytes(q, N) == rest);
	outside = p;
	CHECK(outside_any(q, N) == rest);
	both.pointer = p;
	CHECK(in_union(q, N) == rest);
}

int main(void)
{
	int all = 0, dealt = 0;
	shared [] int *mine = upc_alloc(2 * N * sizeof(int));
	directory[MYTHREAD] = mine;
	parts[MYTHREAD] = upc_alloc(N * sizeof(struct part));
	for (int i = 0; i < N; i++) {
		mine[i] = 1000 * MYTHREAD + i;
		parts[MYTHREAD][i].head = 'a';
		parts[MYTHREAD][i].value = 2 * mine[i];
		if (MYTHREAD == THREADS - 1)
			fixed[i] = i;
	}
	upc_barrier;
	for (int t = 0; t < THREADS; t++) {
		own[t] = directory[t];
		all += 2 * expected(t, 0, N);
	}
	for (int i = 0; i < N; i++)
		dealt += 1000 * (i % THREADS) + i;
	for (int t = 0; t < THREADS; t++) {
		one_pointer(t);
		two_pointers(t);
	}
	CHECK(chosen_inside(N) == dealt);
	CHECK(nested(N) == all);
	CHECK(of_variable(N) == expected(0, 0, N));
	CHECK(never(0) == 5 && never(2) == 6);
	int next = (MYTHREAD + 1) % THREADS;
	copy(directory[next] + N, directory[MYTHREAD], N);
	upc_barrier;
	CHECK(indexed(directory[MYTHREAD] + N, N) == expected((MYTHREAD + THREADS - 1) % THREADS, 0, N));
	return failures != 0;
}
