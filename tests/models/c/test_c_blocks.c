/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of blocks in use: each entry is found exactly once, from any thread, even after many changes. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "models/c/c_blocks.h"

enum { ADDRESSES = 20000, THREADS = 4, ROUNDS = 20000 };

static uintptr_t address(uint32_t number)
{
	return 0x7f0000000000u + (uintptr_t)number * 16;
}

static bool put(uint32_t number, uint64_t size, struct heddle_c_block *before)
{
	struct heddle_c_block block = {.address = address(number), .size = size, .node = number};
	return heddle__c_block_put(&block, before);
}

static int clear(void **state)
{
	(void)state;
	heddle__c_blocks_clear();
	return 0;
}

static void an_unknown_block_is_not_found(void **state)
{
	struct heddle_c_block block;
	(void)state;
	assert_false(heddle__c_block_take(address(1), &block));
	assert_true(put(1, 10, &block));
	assert_false(heddle__c_block_take(address(2), &block));
}

static void a_block_is_found_once(void **state)
{
	struct heddle_c_block block;
	(void)state;
	assert_true(put(7, 70, &block));
	assert_int_equal(block.address, 0);
	assert_true(heddle__c_block_take(address(7), &block));
	assert_int_equal(block.size, 70);
	assert_int_equal(block.node, 7);
	assert_false(heddle__c_block_take(address(7), &block));
}

static void a_block_whose_end_escaped_us_is_handed_back(void **state)
{
	struct heddle_c_block before;
	(void)state;
	assert_true(put(3, 30, &before));
	assert_true(put(3, 33, &before));
	assert_int_equal(before.size, 30);
	assert_true(heddle__c_block_take(address(3), &before));
	assert_int_equal(before.size, 33);
	assert_false(heddle__c_block_take(address(3), &before));
}

static void much_coming_and_going_loses_nothing(void **state)
{
	static uint64_t sizes[ADDRESSES]; /* 0: not in the table */
	uint32_t random = 1;
	(void)state;
	for (uint32_t i = 0; i < 400000; i++) {
		struct heddle_c_block block;
		random = random * 1664525u + 1013904223u;
		uint32_t number = (random >> 8) % ADDRESSES;
		if (random & 64) {
			assert_true(put(number, i + 1, &block));
			assert_int_equal(block.address ? block.size : 0, sizes[number]);
			sizes[number] = i + 1;
		} else {
			bool found = heddle__c_block_take(address(number), &block);
			assert_int_equal(found ? block.size : 0, sizes[number]);
			sizes[number] = 0;
		}
	}
	for (uint32_t number = 0; number < ADDRESSES; number++) {
		struct heddle_c_block block;
		assert_int_equal(heddle__c_block_take(address(number), &block), sizes[number] != 0);
	}
}

static void *come_and_go(void *first)
{
	uint32_t base = (uint32_t)(uintptr_t)first;
	uintptr_t wrong = 0;
	for (uint32_t i = 0; i < ROUNDS; i++) {
		struct heddle_c_block block;
		uint32_t number = base + (i % 100) * THREADS;
		wrong += !put(number, i, &block) || block.address;
		wrong += !heddle__c_block_take(address(number), &block) || block.size != i;
	}
	return (void *)wrong;
}

static void threads_do_not_disturb_each_other(void **state)
{
	pthread_t threads[THREADS];
	(void)state;
	for (uintptr_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, (void *)i), 0);
	for (int i = 0; i < THREADS; i++) {
		void *wrong;
		pthread_join(threads[i], &wrong);
		assert_null(wrong);
	}
}

static void a_child_has_an_empty_table_of_its_own(void **state)
{
	struct heddle_c_block block;
	int status = -1;
	(void)state;
	assert_true(put(5, 50, &block));
	heddle__c_blocks_lock();
	pid_t child = fork();
	if (child == 0) {
		heddle__c_blocks_clear();
		bool right = !heddle__c_block_take(address(5), &block) && put(5, 1, &block) &&
			     heddle__c_block_take(address(5), &block);
		_exit(right ? 0 : 1);
	}
	heddle__c_blocks_unlock();
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_true(heddle__c_block_take(address(5), &block));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup(name, clear)
		TEST(an_unknown_block_is_not_found),
		TEST(a_block_is_found_once),
		TEST(a_block_whose_end_escaped_us_is_handed_back),
		TEST(much_coming_and_going_loses_nothing),
		TEST(threads_do_not_disturb_each_other),
		TEST(a_child_has_an_empty_table_of_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
