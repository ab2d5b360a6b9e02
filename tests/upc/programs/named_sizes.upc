/* SPDX-License-Identifier: BSD-3-Clause */
/* Sizes of names that stand for something else in another block or structure. */
#include <upc.h>
#include "check.h"

shared [2] int a[2 * THREADS];
typedef shared [2] int type[2 * THREADS];

static size_t other(void)
{
	static shared [5] int a[5 * THREADS];
	typedef shared [7] double type[7 * THREADS];
	{
		static shared [] double a[3];
		if (upc_blocksizeof(a) != 0 || upc_localsizeof(a) != 24)
			return 0;
	}
	CHECK(upc_blocksizeof(type) == 7 && upc_elemsizeof(type) == 8);
	return upc_blocksizeof(a) + upc_localsizeof(a);
}

static size_t again(void)
{
	static shared [3] double a[3 * THREADS];
	return upc_blocksizeof(a) + upc_localsizeof(a);
}

struct values { int data[4]; int rows[2][3]; shared [6] int *list[4]; };
struct table {
	shared [5] double *data;
	shared [6] int (*rows)[3];
	shared [7] int *list;
	struct values values;
};
static struct table t;
shared [8] struct table tables[8 * THREADS];

struct table *table(int unused);
struct table *table(int unused)
{
	return unused >= 0 ? &t : NULL;
}

static void members(struct table *p)
{
	CHECK(upc_blocksizeof(t.data[0]) == 5 && upc_blocksizeof(*p->data) == 5);
	CHECK(upc_blocksizeof(*(&t)->data) == 5 && upc_blocksizeof((*((p->data)))) == 5);
	CHECK(upc_blocksizeof(table(1)->data[1]) == 5 && upc_blocksizeof(*table(1)->data) == 5);
	CHECK(upc_elemsizeof(t.data[0]) == 8 && upc_localsizeof(t.data[0]) == sizeof(double));
	CHECK(upc_blocksizeof(p->rows[0]) == 6 && upc_blocksizeof(p->rows[0][1]) == 6 &&
		upc_blocksizeof(**p->rows) == 6);
	CHECK(upc_elemsizeof(p->rows[0][1]) == 4 && upc_blocksizeof(p->list[0]) == 7);
	CHECK(upc_blocksizeof(p->values.list[1][0]) == 6 && upc_blocksizeof(*p->values.list[1]) == 6);
}

static void members_of_shared(shared [8] struct table *p)
{
	CHECK(upc_blocksizeof(p->data[0]) == 5 && upc_blocksizeof(p->values.data[0]) == 0);
	CHECK(upc_blocksizeof(p->values.rows[1]) == 0 && upc_blocksizeof(p->values.rows[1][2]) == 0);
	CHECK(upc_blocksizeof(*tables[0].values.rows) == 0 && upc_blocksizeof(**tables[0].values.rows) == 0);
	CHECK(upc_localsizeof(p->values.rows[1]) == 12 && upc_elemsizeof(p->values.rows[1]) == 4);
	CHECK(upc_blocksizeof(p->values.list[1]) == 0 && upc_blocksizeof(p->values.list[1][0]) == 6);
	CHECK(upc_blocksizeof(p[upc_blocksizeof(a)].values.data[upc_localsizeof(a) * 0]) == 0);
	CHECK(upc_blocksizeof(*p) == 8 && upc_blocksizeof(p->values) == 0);
}

int main(void)
{
	CHECK(other() == 5 + 20 && again() == 3 + 24);
	CHECK(upc_blocksizeof(a) == 2 && upc_localsizeof(a) == 8 && upc_elemsizeof(a) == 4);
	CHECK(upc_blocksizeof(type) == 2 && upc_elemsizeof(type) == 4);
	CHECK(sizeof upc_localsizeof(a) == sizeof(size_t) && sizeof upc_blocksizeof(*tables) + sizeof(a) == 8 + sizeof(type));
	members(&t);
	members_of_shared(tables);
	return failures != 0;
}
