/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elapsed time that events have charged is subtracted from the thread's next samples. What is left is dropped with the
 * time since the last sample that it would be subtracted from: when the thread ends, in a forked child, in a pause.
 */
#include "tests/support/unit.h"

#include <sys/wait.h>

#include "core/process/process.h"
#include "sampling/sampler.h"

#define OWED 12345

static char directory[] = "/tmp/heddle-owed-XXXXXX";

/* Links Heddle's wrappers of thread creation, even if a sanitizer has a pthread_create of its own. */
__attribute__((used)) static int (*const with_wrappers)(thrd_t *, thrd_start_t, void *) = thrd_create;

static int set_up(void **state)
{
	(void)state;
	setenv("HEDDLE_OUTPUT", mkdtemp(directory), 1);
	bool started = heddle__start();
	rmdir(directory); /* no profile is written */
	return started ? 0 : -1;
}

struct owner {
	struct heddle_thread *context;
	uint64_t owed;
};

static void *own(void *to)
{
	struct owner *owner = to;
	owner->context = heddle__thread_self();
	owner->owed = owner->context->sampled.owed_ticks;
	owner->context->sampled.owed_ticks = OWED;
	return NULL;
}

static struct owner next_owner(void)
{
	pthread_t thread;
	struct owner owner = {0};
	assert_int_equal(pthread_create(&thread, NULL, own, &owner), 0);
	pthread_join(thread, NULL);
	return owner;
}

static void the_next_owner_of_a_context_owes_nothing(void **state)
{
	struct owner first = next_owner(), second = next_owner();
	assert_ptr_equal(first.context, second.context);
	assert_int_equal(second.owed, 0);
	(void)state;
}

static void a_forked_child_owes_nothing(void **state)
{
	struct heddle_thread *self = heddle__thread_self();
	int status;
	self->sampled.owed_ticks = OWED;
	pid_t child = fork();
	if (child == 0)
		HEDDLE_REAL(_exit)(self->sampled.owed_ticks != 0);
	waitpid(child, &status, 0);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(self->sampled.owed_ticks, OWED);
	(void)state;
}

static void a_paused_thread_owes_nothing(void **state)
{
	struct heddle_thread *self = heddle__thread_self();
	self->sampled.owed_ticks = OWED;
	heddle__skip_paused(self);
	assert_int_equal(self->sampled.owed_ticks, 0);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_forked_child_owes_nothing), /* TSan does not see that threads have ended before fork */
		cmocka_unit_test(the_next_owner_of_a_context_owes_nothing),
		cmocka_unit_test(a_paused_thread_owes_nothing),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
