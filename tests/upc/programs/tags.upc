/* SPDX-License-Identifier: BSD-3-Clause */
/* `shared` behind the definition of a structure, union or enumeration is of what is declared, not of the tag. */
#include "check.h"

struct cell {
	int value;
} shared one;

struct {
	struct inner {
		int depth;
	} in;
	int more;
} shared unnamed;

union {
	int whole;
	char part[4];
} shared both;

enum color { RED, GREEN = 5 } shared color;

struct __attribute__((aligned(8))) wide {
	int value;
} shared[] row[4], *to_row;

typedef struct typed {
	int value;
} shared typed;
typed of_type;

static struct blocked {
	int value;
} shared[2] blocks[2 * THREADS];

/* Not shared: what the tag declares next. */
static struct cell own;

struct list {
	struct pair {
		int a, b;
	} shared *first;
	int count;
};

int main(void)
{
	struct list list = {.count = 1};
	list.first = upc_all_alloc(THREADS, sizeof(struct pair));
	list.first[MYTHREAD].b = MYTHREAD;
	blocks[2 * MYTHREAD + 1].value = MYTHREAD;
	own.value = MYTHREAD;
	if (MYTHREAD == 0) {
		one.value = 1;
		unnamed.in.depth = 2;
		both.part[0] = 3;
		color = GREEN;
		row[3].value = 4;
		of_type.value = 6;
	}
	to_row = &row[3];
	upc_barrier;
	CHECK(one.value == 1);
	CHECK(unnamed.in.depth == 2 && unnamed.more == 0);
	CHECK((both.whole & 255) == 3);
	CHECK(color == GREEN);
	CHECK(row[3].value == 4 && to_row->value == 4);
	CHECK(of_type.value == 6);
	for (int i = 0; i < THREADS; i++) {
		CHECK(blocks[2 * i + 1].value == i);
		CHECK(upc_threadof(&blocks[2 * i + 1]) == (size_t)i);
		CHECK(list.first[i].b == i);
	}
	CHECK(own.value == MYTHREAD);
	return failures != 0;
}
