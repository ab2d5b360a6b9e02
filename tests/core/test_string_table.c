/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of user phases: each has one number, the same for every thread. */
#include "tests/support/effort.h"
#include "tests/support/unit.h"

#include "core/base/string_table.h"

#define THREADS 4
#define NAMES 500

static void a_name_has_one_number(void **state)
{
	(void)state;
	char copy[] = "assembly";
	uint32_t assembly = heddle__string_number("assembly"), solve = heddle__string_number("solve");
	assert_int_not_equal(assembly, solve);
	assert_int_equal(heddle__string_number(copy), assembly);
	copy[0] = 'A'; /* the program may change its own copy */
	assert_string_equal(heddle__string(assembly), "assembly");
	assert_int_not_equal(heddle__string_number("assembl"), assembly);
	assert_int_not_equal(heddle__string_number("assembly2"), assembly);
	assert_int_equal(heddle__string_count(), 4);
	assert_string_equal(heddle__string(4), "");
	assert_string_equal(heddle__string(UINT32_MAX), "");
}

static void a_very_long_name_is_cut(void **state)
{
	(void)state;
	char name[2000];
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	uint32_t number = heddle__string_number(name);
	assert_int_equal(strlen(heddle__string(number)), 1000);
	assert_int_equal(heddle__string_number(name), number);
	name[1000] = 'y'; /* the first byte that is not significant (heddle.h) */
	assert_int_equal(heddle__string_number(name), number);
	name[999] = 'y';
	assert_int_not_equal(heddle__string_number(name), number);
}

static uint32_t numbers[THREADS][NAMES];

static void *name_all(void *row)
{
	for (int i = 0; i < NAMES; i++) {
		char name[32];
		snprintf(name, sizeof(name), "phase %d", i);
		((uint32_t *)row)[i] = heddle__string_number(name);
	}
	return NULL;
}

static void threads_get_the_same_numbers(void **state)
{
	(void)state;
	pthread_t threads[THREADS];
	uint32_t before = heddle__string_count();
	for (int i = 0; i < THREADS; i++)
		threads[i] = start_plain(name_all, numbers[i]);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 1; i < THREADS; i++)
		assert_memory_equal(numbers[i], numbers[0], sizeof(numbers[0]));
	assert_in_range(heddle__string_count(), before + NAMES, before + THREADS * NAMES);
	assert_string_equal(heddle__string(numbers[0][17]), "phase 17");
}

static void a_full_table_says_so_and_keeps_what_it_has(void **state)
{
	(void)state;
	char name[32];
	uint32_t kept = heddle__string_number("solve"), number = 0;
	if (EXHAUSTIVE_STEP > 1)
		skip();
	for (int i = 0; number != UINT32_MAX; i++) {
		assert_true(i < 2000000);
		snprintf(name, sizeof(name), "another %d", i);
		number = heddle__string_number(name);
	}
	assert_int_equal(heddle__string_number("solve"), kept);
	assert_string_equal(heddle__string(kept), "solve");
	assert_string_equal(heddle__string(heddle__string_count()), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_has_one_number),
		cmocka_unit_test(a_very_long_name_is_cut),
		cmocka_unit_test(threads_get_the_same_numbers),
		cmocka_unit_test(a_full_table_says_so_and_keeps_what_it_has),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
