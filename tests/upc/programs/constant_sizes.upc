/* SPDX-License-Identifier: BSD-3-Clause */
/* A size without THREADS is a constant, whatever its names mean elsewhere. */
#include <upc.h>
#include "check.h"

struct pair { int x, y; };
typedef struct pair pair;
typedef shared int row[THREADS];
shared int a[THREADS];
shared double wide[3][THREADS];
row r;
char elements[2 * sizeof a[0] + sizeof(pair)];
char double_element[sizeof wide[1][0]];
enum { PAIR = sizeof(pair) };
_Static_assert(sizeof(pair) == 8, "a type that has nothing to do with THREADS");
enum { POINTER = sizeof(shared int *), CONSTANT = sizeof(shared [] const pair *const), WORD = sizeof(shared [2] int) };
struct with_pointers { char bytes[sizeof(shared void *)], more[sizeof(shared pair **)]; };
shared [sizeof(pair)] char blocked[sizeof(pair) * THREADS];

static int private_array(void)
{
	int a[10] = {0};
	static int count = sizeof a / sizeof a[0];
	return count + a[0];
}

static int is_size_of(size_t size, pair p)
{
	switch (size) {
	case sizeof(p):
		return 1;
	case sizeof p.x:
		return 2;
	default:
		return 0;
	}
}

static size_t variable_length(int n)
{
	int a[n], b[n][3];
	return sizeof a + sizeof(a) + sizeof b + sizeof b[0];
}

/* Sizes whose products exceed the range of int, although their bounds do not. */
static void large(void)
{
	typedef shared int rows[1024][1024][1024 * THREADS];
	typedef shared [8] int blocks[65536][32768 * THREADS];
	blocks *p = NULL;
	const size_t one = 1, kilo = 1024;

	CHECK(upc_localsizeof(shared int[1024][1024][1024 * THREADS]) == kilo * kilo * kilo * sizeof(int));
	CHECK(upc_localsizeof(rows) == kilo * kilo * kilo * sizeof(int));
	CHECK(sizeof(rows) == kilo * kilo * kilo * sizeof(int) * THREADS);
	CHECK(upc_localsizeof(shared [1000] pair[1024][3000 * THREADS]) == 3072000 * sizeof(pair));
	CHECK(upc_localsizeof(shared [524287] pair[1024][524287 * THREADS]) == one * 524287 * 1024 * sizeof(pair));
	CHECK(upc_localsizeof(shared [] double[65536][65536]) == (one << 35));
	CHECK(upc_localsizeof(blocks) == (one << 33) && upc_localsizeof(*p) == (one << 33));
	CHECK(sizeof(blocks) == (one << 33) * THREADS && sizeof *p == (one << 33) * THREADS);
}

int main(void)
{
	large();
	CHECK(sizeof elements == 16 && sizeof double_element == 8 && PAIR == 8);
	CHECK(POINTER == 8 && CONSTANT == 8 && WORD == 4 && sizeof(struct with_pointers) == 16);
	CHECK(private_array() == 10);
	CHECK(is_size_of(8, (pair){0, 0}) == 1 && is_size_of(4, (pair){0, 0}) == 2);
	CHECK(variable_length(5) == 5 * 4 + 5 * 4 + 5 * 12 + 12);
	CHECK(sizeof a == sizeof(int) * THREADS && sizeof(a) == sizeof(row) && sizeof r == sizeof a);
	CHECK(sizeof wide == 24u * THREADS && sizeof wide[0] == 8u * THREADS && sizeof(wide[0][0]) == 8);
	CHECK(sizeof(char[sizeof a[0] + 1]) == 5 && sizeof(char[sizeof a + 1]) == 4u * THREADS + 1);
	CHECK(upc_blocksizeof(blocked) == 8);
	return failures != 0;
}
