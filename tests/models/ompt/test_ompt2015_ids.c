/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of numbers, while threads add, find and remove numbers at the same time; also for ThreadSanitizer. */
#include "tests/support/unit.h"

#include <pthread.h>

#include "core/base/memory.h"
#include "models/ompt2015/ompt2015_ids.h"

#define THREADS 4
#define ROUNDS 20000u
#define ALIVE 64u

static uint64_t id_of(uint64_t thread, uint64_t i)
{
	return thread << 32 | (i + 1);
}

static bool holds(uint64_t id)
{
	const struct heddle_ompt_named *named = heddle__ompt_name_find(HEDDLE_OMPT_TASK_IDS, id);
	return named && named->data.value == id;
}

static void *take_find_drop(void *argument)
{
	uint64_t self = (uintptr_t)argument;
	for (uint64_t i = 0; i < ROUNDS; i++) {
		struct heddle_ompt_named *named = heddle__ompt_name_take(HEDDLE_OMPT_TASK_IDS, id_of(self, i));
		if (!named || named->data.value)
			return "a record is not empty";
		named->data.value = id_of(self, i);
		if (i < ALIVE)
			continue;
		if (!holds(id_of(self, i - ALIVE)))
			return "a record is not there, or another's";
		heddle__ompt_name_drop(heddle__ompt_name_find(HEDDLE_OMPT_TASK_IDS, id_of(self, i - ALIVE)));
		if (heddle__ompt_name_find(HEDDLE_OMPT_TASK_IDS, id_of(self, i - ALIVE)))
			return "a dropped record is there";
	}
	for (uint64_t i = ROUNDS - ALIVE; i < ROUNDS; i++)
		heddle__ompt_name_drop(heddle__ompt_name_find(HEDDLE_OMPT_TASK_IDS, id_of(self, i)));
	return NULL;
}

static void run_threads(void)
{
	pthread_t threads[THREADS];
	void *said;
	for (uintptr_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, take_find_drop, (void *)(i + 1)), 0);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &said);
		if (said)
			fail_msg("%s", (char *)said);
	}
}

static void threads_do_not_meet_each_other_s_records(void **state)
{
	(void)state;
	run_threads();
}

static void records_are_used_again(void **state)
{
	(void)state;
	uint64_t mapped = heddle__memory_mapped();
	for (int i = 0; i < 5; i++)
		run_threads();
	/* 400,000 numbers; the number of those that are alive in one list at the same time varies a little. */
	assert_true(heddle__memory_mapped() - mapped <= 2 << 20);
}

static void kinds_of_names_do_not_mix(void **state)
{
	(void)state;
	struct heddle_ompt_named *task = heddle__ompt_name_take(HEDDLE_OMPT_TASK_IDS, 7);
	struct heddle_ompt_named *region = heddle__ompt_name_take(HEDDLE_OMPT_PARALLEL_IDS, 7);
	assert_ptr_not_equal(task, region);
	assert_ptr_equal(heddle__ompt_name_take(HEDDLE_OMPT_TASK_IDS, 7), task);
	heddle__ompt_name_drop(task);
	assert_null(heddle__ompt_name_find(HEDDLE_OMPT_TASK_IDS, 7));
	assert_ptr_equal(heddle__ompt_name_find(HEDDLE_OMPT_PARALLEL_IDS, 7), region);
	heddle__ompt_names_forget();
	assert_null(heddle__ompt_name_find(HEDDLE_OMPT_PARALLEL_IDS, 7));
}

static void invalid_numbers_have_no_record(void **state)
{
	(void)state;
	assert_null(heddle__ompt_name_take(HEDDLE_OMPT_TASK_IDS, 0));
	assert_null(heddle__ompt_name_find(HEDDLE_OMPT_TASK_IDS, 0));
	assert_null(heddle__ompt_name_take(HEDDLE_OMPT_TASK_IDS, UINT64_MAX));
	heddle__ompt_name_drop(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_do_not_meet_each_other_s_records),
		cmocka_unit_test(records_are_used_again),
		cmocka_unit_test(kinds_of_names_do_not_mix),
		cmocka_unit_test(invalid_numbers_have_no_record),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
