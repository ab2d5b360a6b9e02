/* SPDX-License-Identifier: BSD-3-Clause */
/* Each thread counts once, even one with events after its end, when another thread has its context. */
#include "core/process/thread_life.h"
#include "tests/support/unit.h"

static uint32_t threads_counted(void)
{
	uint32_t count = 0;
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next)
		count += atomic_load(&thread->uses);
	return count;
}

/* Ends, and then has one more event. *taken: whether another thread takes the context in between. */
static void *end_and_resume(void *taken)
{
	struct heddle_thread *own = heddle__thread_make(HEDDLE_THREAD_OTHER);
	heddle__thread_end(own);
	*(bool *)taken = *(bool *)taken && heddle__thread_retake(own);
	struct heddle_thread *resumed = heddle__thread_resume();
	assert_non_null(resumed);
	assert_int_equal(resumed == own, !*(bool *)taken);
	return NULL;
}

static void run(bool *taken)
{
	pthread_join(start_plain(end_and_resume, taken), NULL);
}

static void a_thread_that_goes_on_after_its_end_counts_once(void **state)
{
	bool taken = false;
	(void)state;
	be_measured();
	uint32_t before = threads_counted();
	run(&taken);
	assert_int_equal(threads_counted(), before + 1);
	/* The first context is free again. There is no other one, so the thread gets a new one. */
	taken = true;
	run(&taken);
	assert_true(taken);
	assert_int_equal(threads_counted(), before + 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_that_goes_on_after_its_end_counts_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
