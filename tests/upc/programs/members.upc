/* SPDX-License-Identifier: BSD-3-Clause */
/* Many addresses of members in a line, as macros produce, and in a call: each is an indefinitely blocked pointer. */
#include "check.h"
struct point {
	int x, y, z;
	int more[3];
};
shared struct point points[2 * THREADS];
typedef double vector[3];
typedef vector matrix[2], other;
struct typed {
	vector v;
	int n;
	other w;
	matrix m;
	shared [5] int *far[2];
};
shared struct typed typed[2 * THREADS];
shared [5] int elsewhere[5 * THREADS];

static double second(shared [] double *x)
{
	return x[1];
}

/* Members whose type is a typedef with bounds. */
static void arrays(shared struct typed *p)
{
	p->v[1] = 1;
	p->w[1] = 2;
	p->m[1][1] = 3;
	CHECK(second(p->v) == 1 && second(p->w) == 2 && second(p->m[1]) == 3 && second(&p->v[0]) == 1);
	shared [] double *x = p->w + 1, *y = 1 + p->w, *z = (&p->w[0]) + 1;
	CHECK(*x == 2 && *y == 2 && *z == 2 && (p->w) + 1 == x);
	CHECK(upc_blocksizeof(p->v) == 0 && upc_blocksizeof(p->v[1]) == 0 && upc_blocksizeof(*p->v) == 0);
	p->far[1] = elsewhere;
	CHECK(upc_blocksizeof(p->far[1]) == 0 && upc_blocksizeof(p->far[1][2]) == 5 && upc_blocksizeof(*p->far[1]) == 5);
}

static int sum(shared [] int *a, shared [] int *b, shared [] int *c, shared [] int *d, shared [] int *e,
	shared [] int *f, shared [] int *g, shared [] int *h, shared [] int *i, shared [] int *j)
{
	return *a + *b + *c + *d + *e + *f + *g + *h + *i + *j;
}

/* clang-format off */
#define BOTH(p) \
	do { \
		shared [] int *q; \
		q = &(p)->x; *q = 1; \
		q = &(p)->y; *q = 2; \
		q = &(p)->z; *q = 3; \
		q = (p)->more; q[1] = 4; \
		q = &(p)->more[2]; *q = 5; \
		q = (p)->more + 1; CHECK(*q == 4); \
		CHECK(q == (p)->more + 1 && (p)->more == q - 1); \
		CHECK(q == &(p)->more[1] && &(p)->more[1] == q); \
		CHECK(q + 1 == &(p)->more[2] && q > &(p)->z); \
	} while (0)
/* clang-format on */

/* After commas, and in nested conditional expressions. */
static void behind(shared struct point *p, int n)
{
	shared [] int *q = (n++, &p->more[2]);
	CHECK(n == 2 && q == &p->more[2]);
	q = (n++, n++, (n++, p->more + 1));
	CHECK(n == 5 && q == &p->more[1]);
	q = n > 5 ? &p->x : n > 4 ? (n++, &p->y) : &p->z;
	CHECK(n == 6 && q == &p->y);
	q = n > 5 ? n > 6 ? NULL : &p->z : &p->y;
	CHECK(q == &p->z);
	CHECK(sum(q, (n++, &p->x), q, q, q, q, q, q, q, ((void)0, p->more)) == 8 * *q + p->x + p->more[0] && n == 7);
}

/* Members that are pointers-to-shared themselves: their addresses are indefinitely blocked pointers to them. */
typedef shared [5] int *to_blocked;
struct pointers {
	int n;
	shared [5] int *one, *more[3];
	struct {
		int *private;
		shared [2] char *shared *twice;
	} inner;
};
shared struct pointers pointers[2 * THREADS];

static shared [5] int *read_pointer(shared [5] int *shared [] *p)
{
	return *p;
}

static shared [5] int *shared [] *find(shared struct pointers *p, int i)
{
	return i < 0 ? &p->one : &p->more[i];
}

static void pointers_to_pointers(shared struct pointers *p)
{
	shared [5] int *shared [] *one = &p->one;
	to_blocked shared [] *more = p->more + 1;
	shared [5] int *shared [] (*all)[3] = &(p->more);
	int *shared [] *private = &p->inner.private;
	shared [2] char *shared *shared [] *twice = &p->inner.twice;

	*one = elsewhere;
	*more = &elsewhere[4];
	(*all)[2] = &elsewhere[3];
	*private = &failures;
	*twice = NULL;
	CHECK(p->one == elsewhere && p->more[1] == elsewhere + 4 && p->more[2] == elsewhere + 3);
	CHECK(read_pointer(&p->more[1]) == p->more[1] && *find(p, -1) == elsewhere && find(p, 2) == more + 1);
	CHECK(p->inner.private == &failures && !p->inner.twice && one == &p->one && &p->more[1] > one);
	one = &p->more[0];
	CHECK(one + 1 == more && upc_blocksizeof(*one) == 0 && upc_blocksizeof(**one) == 5);
}

/* The type that a member's address points to has no block size, in whatever form; elsewhere it has one. */
static void block_sizes(shared [3] struct pointers *p, shared [3] struct typed *t)
{
	CHECK(upc_blocksizeof(*(&(p->n))) == 0 && upc_blocksizeof(*&p->n) == 0 && upc_blocksizeof((&p->n)[0]) == 0);
	CHECK(upc_blocksizeof(*(&t->n + 1)) == 0 && upc_blocksizeof(*(t->v + 1)) == 0 && upc_blocksizeof(t->m[1][2]) == 0);
	CHECK(upc_blocksizeof(*(&(p->inner).twice)) == 0 && upc_blocksizeof((*(&p->more[1]))) == 0);
	CHECK(upc_blocksizeof(*p->one) == 5 && upc_blocksizeof(*(p->more[1] + 1)) == 5 && upc_blocksizeof(**&p->one) == 5);
	CHECK(upc_blocksizeof((*&p->one)[1]) == 5 && upc_blocksizeof(*(&p->one)[0]) == 5);
	CHECK(upc_blocksizeof(*(&(*p))) == 3 && upc_blocksizeof(p[2]) == 3 && upc_blocksizeof(*(p + 1)) == 3);
	CHECK(upc_localsizeof(*(&t->v)) == sizeof(vector) && upc_localsizeof(*(&t->v[1])) == sizeof(double));
}

struct inner {
	int a;
	char bytes[4];
};
union several {
	int i;
	struct inner inner;
	long l[2];
};
static shared [3] union several unions[9 * THREADS];
static shared [3] struct nested {
	struct inner first;
	int second;
} nests[9 * THREADS];
static shared union several alone;

/* The address of a first member looks like that of the whole structure or union, especially if it is constant. */
static void starts(int four)
{
	CHECK(upc_phaseof(&unions[4]) == 1 && upc_phaseof(&unions[4].i) == 0 && upc_phaseof(&unions[four].i) == 0);
	CHECK(upc_phaseof(&nests[4].first) == 0 && upc_phaseof(&nests[four].first.a) == 0);
	CHECK(upc_phaseof(&unions[4].inner.bytes[2]) == 0 && upc_phaseof(&unions[4].l[0]) == 0);
	shared [] char *bytes = &unions[4].inner.bytes[0], *same = unions[four].inner.bytes;
	CHECK(bytes == same && bytes + 3 == &unions[4].inner.bytes[3]);
	CHECK(upc_threadof(bytes + 3) == upc_threadof(&unions[4]));
	shared [] long *l = unions[4].l;
	CHECK(l + 1 == &unions[4].l[1] && l == &unions[four].l[0] && &unions[4].l[1] - l == 1);
	CHECK(upc_addrfield(&l[1]) == upc_addrfield(&unions[four]) + sizeof(long));
	CHECK(upc_blocksizeof(unions[4].l) == 0 && upc_elemsizeof(unions[4].l) == sizeof(long));
	shared [] int *only = &alone.inner.a;
	CHECK(only == &alone.i && &only[1] == (shared [] int *)&alone.inner.bytes[0]);
	CHECK((shared [] long *)&alone.l[1] == &alone.l[0] + 1);
}

static int first_of(shared [3] int *numbers)
{
	return *numbers;
}
struct operations {
	int (*of)(shared [3] int *);
	int rows[2][3];
	volatile int changing;
};
static shared [2] struct operations operations[4 * THREADS];

/* Members of any type: the cast has their qualifiers, and the target's type is the member's. */
static void types(int n)
{
	int (*shared [] *of)(shared [3] int *) = &operations[n].of;
	shared [] int(*row)[3] = operations[n].rows, *rows[2] = {operations[n].rows[0], &operations[n].rows[1][0]};
	shared [] volatile int *changing = &operations[n].changing;
	shared [2] int *of_block = (shared [2] int *)&operations[n].rows[0][0];
	operations[n].of = first_of;
	operations[n].rows[1][2] = n;
	*changing = n + 1;
	CHECK(*of == first_of && row[1][2] == n && rows[1][2] == n && rows[0] + 5 == &rows[1][2]);
	CHECK(operations[n].changing == n + 1 && upc_threadof(of_block) == upc_threadof(of));
}

int main(void)
{
	starts(4);
	types(2 * MYTHREAD);
	block_sizes(NULL, NULL);
	pointers_to_pointers(&pointers[MYTHREAD + THREADS]);
	shared struct point *p = &points[MYTHREAD + THREADS];
	BOTH(p);
	BOTH(&points[MYTHREAD]);
	behind(p, 1);
	arrays(&typed[MYTHREAD + THREADS]);
	CHECK(sum(&p->x, &p->y, &p->z, &p->more[0], &p->more[1], &p->more[2], p->more, p->more + 1, &p->x, &p->z) == 23);
	return failures;
}
