/* SPDX-License-Identifier: BSD-3-Clause */
/* Const pointers to a known address: clang uses the address itself where the pointer is named. */
#include "check.h"

typedef struct {
	int a, b;
	char c[3];
} triple;

shared [2] int blocked[4 * THREADS];
shared int cyclic[4 * THREADS];
shared [2] triple triples[4 * THREADS];
shared [] double one[10];
shared [3] char letters[6 * THREADS];
shared [4] int rows[4 * THREADS][4];
shared int wide[5][THREADS];

static shared [2] int *const fixed = &blocked[3];
shared [2] int *const visible = blocked + 1;
static shared [3] int *const cast = (shared [3] int *)&blocked[3];
static shared void *const any = &blocked[3];
static shared [] int *const member = &triples[1].b;
static const struct {
	shared int *const p;
	int n;
} kept = {&cyclic[1], 3};

static void fill(void)
{
	for (int i = MYTHREAD; i < 4 * THREADS; i += THREADS) {
		cyclic[i] = blocked[i] = rows[i][2] = i;
		triples[i].a = i;
		triples[i].b = -i;
		triples[i].c[1] = (char)i;
	}
	for (int i = 0; i < 6; i++)
		letters[6 * MYTHREAD + i] = (char)(6 * MYTHREAD + i);
	for (int i = 0; i < 5; i++)
		wide[i][MYTHREAD] = 10 * i;
	for (int i = 0; MYTHREAD == 0 && i < 10; i++)
		one[i] = i;
	upc_barrier;
}

static int sum(shared [2] int *p, int n)
{
	int all = 0;
	for (int i = 0; i < n; i++)
		all += p[i];
	return all;
}

static void check_elements(void)
{
	shared [2] int *const p = &blocked[1], *const last = blocked + 3;
	const shared [2] int *const also = p;
	static shared [2] int *const inside = &blocked[2];
	CHECK(p == &blocked[1] && upc_phaseof(p) == 1 && *p == 1 && p[2] == 3 && *(p + 1) == 2 && sum(p, 3) == 6);
	CHECK(p - blocked == 1 && blocked - p == -1 && last - p == 2 && p - last == -2 && p < last && last >= p);
	CHECK(also == p && *also == 1 && inside - blocked == 2 && *inside == 2 && upc_phaseof(inside) == 0);
	shared int *const q = &cyclic[1], *const end = &cyclic[3];
	CHECK(q == cyclic + 1 && *q == 1 && q[2] == 3 && *(q + 2) == 3 && upc_threadof(q) == 1 % THREADS);
	CHECK(q - cyclic == 1 && cyclic - q == -1 && end - q == 2 && q < end && end > cyclic && &q[2] == end);
	shared int *next = q;
	next++;
	CHECK(next == &cyclic[2]);
	shared [] double *const d = &one[2];
	shared [3] char *const letter = &letters[4];
	CHECK(d - one == 2 && *d == 2 && d[1] == 3);
	CHECK(letter - letters == 4 && (letter - letters) / 4 == 1 && *letter == 4 && letter[1] == 5);
	CHECK(upc_phaseof(letter) == 1);
}

static void check_rows(void)
{
	shared [4] int(*const row)[4] = &rows[1], (*const third)[4] = &rows[3];
	CHECK(row - rows == 1 && third - row == 2 && (*row)[2] == 1 && row[1][2] == 2);
	CHECK(upc_threadof(row) == 1 % THREADS);
	shared int *const start = &wide[2][0];
	shared int(*const line)[THREADS] = &wide[3], (*const first)[THREADS] = &wide[1];
	CHECK(*start == 20 && start - &wide[0][0] == 2 * THREADS);
	CHECK(line - wide == 3 && line - first == 2 && (*line)[THREADS - 1] == 30 && line[1][0] == 40);
}

static void check_structures(void)
{
	shared [2] triple *const r = &triples[1];
	CHECK(r == triples + 1 && r - triples == 1 && upc_phaseof(r) == 1 && &r[1] == triples + 2);
	CHECK(r->a == 1 && r->b == -1 && r[1].b == -2 && (*r).c[1] == 1 && (r + 1)->a == 2);
	triple copy = *r;
	CHECK(copy.a == 1 && copy.b == -1);
	shared [] int *const b = &triples[1].b;
	shared [] char *const c = &triples[1].c[1];
	CHECK(*b == -1 && b == (shared [] int *)&triples[1].b && *c == 1 && c[0] == 1);
	shared void *const v = &blocked[1];
	CHECK(v == &blocked[1] && upc_phaseof(v) == 1 && (shared [2] int *)v == blocked + 1);
}

static void check_static(void)
{
	CHECK(fixed == &blocked[3] && *fixed == 3 && fixed - blocked == 3 && fixed - visible == 2);
	CHECK(visible == blocked + 1 && *visible == 1 && any == fixed && upc_phaseof(any) == 1);
	CHECK(cast == (shared [3] int *)&blocked[3] && upc_phaseof(cast) == 0 && *cast == 3 && *member == -1);
	/* Two of three elements in a block, from blocked[3] on, which is the last one in its thread's block of two. */
	CHECK(upc_threadof(cast + 1) == upc_threadof(cast) && upc_phaseof(&cast[2]) == 2);
	CHECK(upc_addrfield(cast + 1) == upc_addrfield(cast) + sizeof(int) && cast + 1 - cast == 1);
	CHECK(upc_threadof(&cast[3]) == (upc_threadof(cast) + 1) % THREADS && &cast[3] > cast);
	shared int *const list[] = {&cyclic[1], kept.p + 1};
	CHECK(*list[0] == 1 && *list[1] == 2 && list[1] - list[0] == 1);
	CHECK(kept.p == &cyclic[1] && *kept.p == 1 && kept.p - cyclic == 1);
}

static void check_writes(void)
{
	shared [2] int *const p = &blocked[1];
	shared int *const q = &cyclic[1];
	shared [2] triple *const r = &triples[1];
	upc_barrier;
	if (MYTHREAD == 0) {
		*p = 50;
		++*q;
		q[1] = 60;
		r->b = 70;
		r[1] = (triple){7, 8, {9}};
	}
	upc_barrier;
	CHECK(blocked[1] == 50 && cyclic[1] == 2 && cyclic[2] == 60 && triples[1].b == 70 && triples[2].b == 8);
}

int main(void)
{
	fill();
	check_elements();
	check_rows();
	check_structures();
	check_static();
	check_writes();
	return failures != 0;
}
