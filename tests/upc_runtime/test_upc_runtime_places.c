/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the ranks of a job learn from the launcher: the nodes of all ranks, in whatever order ranks are placed, from few
 * values; and what happens without these values, or with those of another program. Each rank in turn is simulated in
 * this process, with a launcher that stores the values.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "upc/runtime/base/nodes.h"
#include "upc/runtime/start/places.h"

#define RANKS 1000
#define PARTS 100

int hupc__mythread, hupc__threads;

/* The launcher. */
static char published[PARTS][256]; /* nodes-0 and so on, published by rank 0 */
static int parts, reads;
static int node_of[RANKS];
static bool nothing_published;

static int other_machine = -1; /* a rank that is on another machine */

static int machine_of(int rank)
{
	return 0x77 + (rank == other_machine);
}

static bool put(const char *key, const char *value)
{
	assert_true(strlen(key) <= 40 && strlen(value) <= 200 && !strpbrk(value, " =;"));
	if (strncmp(key, "nodes-", 6) != 0)
		return true;
	assert_int_equal(atoi(key + 6), parts);
	assert_in_range(parts, 0, PARTS - 1);
	strcpy(published[parts++], value);
	return true;
}

static bool fence(void)
{
	return true;
}

static bool get(int rank, const char *key, char *value, size_t size)
{
	int part = atoi(key + strcspn(key, "0123456789"));
	reads++;
	if (nothing_published || (*key == 'n' && part >= parts))
		return false;
	if (*key == 'n')
		snprintf(value, size, "%s", published[part]);
	else
		snprintf(value, size, "%x:%x:%d:%d:%x", 0xabc0 + node_of[rank], 0x100000 + (rank * 7919 + 5) % 1013,
			rank, 5, machine_of(rank));
	return true;
}

static struct hupc__job job = {.version = HUPC__JOB_VERSION, .name = "PMI-0", .put = put, .fence = fence, .get = get};

static const char *join(int rank, int size, struct hupc__common *common)
{
	struct hupc__place mine = {.node = (uint64_t)(0xabc0 + node_of[rank]),
		.machine = (uint64_t)machine_of(rank),
		.segment_size = 0x100000 + (uint64_t)(rank * 7919 + 5) % 1013};
	hupc__mythread = job.rank = rank;
	hupc__threads = job.size = size;
	return hupc__places_exchange(&job, &mine, common);
}

static uint64_t smallest(int size)
{
	uint64_t least = UINT64_MAX;
	for (int rank = 0; rank < size; rank++) {
		uint64_t its = 0x100000 + (uint64_t)(rank * 7919 + 5) % 1013;
		least = its < least ? its : least;
	}
	return least;
}

/* Nodes are numbered in the order of their first ranks, whatever their names are. */
static void number(int size, int *expected)
{
	for (int rank = 0, count = 0; rank < size; rank++) {
		int first = 0;
		while (node_of[first] != node_of[rank])
			first++;
		expected[rank] = first < rank ? expected[first] : count++;
	}
}

/* Checks all ranks, or some of many; returns the number of values that rank 0 has published. */
static int check(int size)
{
	static const unsigned char nothing[HUPC__SECRET_SIZE];
	unsigned char secret[HUPC__SECRET_SIZE];
	int expected[RANKS];
	parts = 0;
	number(size, expected);
	for (int rank = 0; rank < size; rank += rank && size > 50 ? 97 : 1) {
		struct hupc__common common;
		reads = 0;
		assert_null(join(rank, size, &common));
		assert_int_equal(reads, rank ? parts : size - 1);
		assert_int_equal(common.segment_size, smallest(size));
		assert_int_equal(common.one_machine, other_machine < 0 || other_machine >= size);
		if (rank == 0)
			memcpy(secret, common.secret, sizeof(secret));
		assert_memory_equal(common.secret, secret, sizeof(secret));
		assert_memory_not_equal(common.secret, nothing, sizeof(secret));
		for (int other = 0; other < size; other++) {
			assert_int_equal(hupc__node_of(other), expected[other]);
			assert_int_equal(hupc__is_mapped_thread(other), expected[other] == expected[rank]);
		}
	}
	return parts;
}

static void usual_orders_take_one_value(void **state)
{
	static const int sizes[] = {1, 2, 7, 64, RANKS};
	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		for (int node_size = 1; node_size <= sizes[i]; node_size = 2 * node_size + 1) {
			for (int rank = 0; rank < sizes[i]; rank++)
				node_of[rank] = rank / node_size;
			assert_int_equal(check(sizes[i]), 1);
		}
	}
}

static void nodes_in_turn_take_a_value_for_a_dozen_of_turns(void **state)
{
	(void)state;
	for (int nodes = 2; nodes < 200; nodes = 3 * nodes + 1) {
		for (int rank = 0; rank < RANKS; rank++)
			node_of[rank] = 7 * (rank % nodes);
		assert_true(check(RANKS) <= 1 + RANKS / nodes / 12);
	}
}

static void any_order_is_told(void **state)
{
	(void)state;
	srand(7);
	for (int round = 0; round < 200; round++) {
		int size = 1 + rand() % (round % 10 ? 40 : RANKS), nodes = 1 + rand() % 20, stay = 1 + rand() % 5;
		for (int rank = 0; rank < size; rank++)
			node_of[rank] = rank && rand() % stay ? node_of[rank - 1] : rand() % nodes;
		check(size);
	}
}

static void one_machine_is_told_from_several(void **state)
{
	(void)state;
	memset(node_of, 0, sizeof(node_of));
	for (other_machine = 1; other_machine < 4; other_machine++)
		check(4);
	other_machine = -1;
	check(4);
}

static void jobs_have_different_secrets(void **state)
{
	struct hupc__common one, other;
	(void)state;
	parts = 0;
	assert_null(join(0, 2, &one));
	parts = 0;
	assert_null(join(0, 2, &other));
	assert_memory_not_equal(one.secret, other.secret, sizeof(one.secret));
}

#define SECRET "00112233445566778899aabbccddeeff"

static void what_is_missing_or_foreign_is_a_problem(void **state)
{
	static const char *const foreign[] = {"", "x", "100:1:" SECRET, "100:1:" SECRET "/", "100:1:" SECRET "/1,1",
		"100:1:" SECRET "/0,1,0", "100:1:" SECRET "/1,-1,0", "100:1:" SECRET "/3,1,0", "100:1:" SECRET "/1,3,0",
		"100:1:" SECRET "/2000000000,2000000000,0", "/2,1,0", "100:1:" SECRET "/1,2,-1",
		"100:1:" SECRET "/2,1,1", "100/1,2,0", "100:1/1,2,0", "100:1:/1,2,0", "100:1:0011/1,2,0",
		"100:1:" SECRET "0/1,2,0", "100:1:-" SECRET "/1,2,0"};
	struct hupc__common common;
	(void)state;
	node_of[1] = node_of[0] = 0;
	nothing_published = true;
	assert_non_null(join(0, 2, &common));
	assert_non_null(join(1, 2, &common));
	nothing_published = false;
	parts = 1;
	for (size_t i = 0; i < sizeof(foreign) / sizeof(*foreign); i++) {
		strcpy(published[0], foreign[i]);
		assert_non_null(join(1, 2, &common));
	}
	strcpy(published[0], "100:1:" SECRET "/1,2,0");
	assert_null(join(1, 2, &common));
	assert_int_equal(common.secret[1], 0x11);
	assert_int_equal(common.secret[15], 0xff);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(usual_orders_take_one_value),
		cmocka_unit_test(nodes_in_turn_take_a_value_for_a_dozen_of_turns),
		cmocka_unit_test(any_order_is_told),
		cmocka_unit_test(one_machine_is_told_from_several),
		cmocka_unit_test(jobs_have_different_secrets),
		cmocka_unit_test(what_is_missing_or_foreign_is_a_problem),
	};
	return cmocka_run_group_tests_name("places", tests, NULL, NULL);
}
