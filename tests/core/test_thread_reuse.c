/* SPDX-License-Identifier: BSD-3-Clause */
/* Contexts of ended threads are recycled for threads of the same kind, so starting threads costs no memory. */
#include "tests/support/unit.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "core/base/memory.h"
#include "core/process/process.h"
#include "core/threads/region.h"

static char directory[] = "/tmp/heddle-reuse-XXXXXX";
static struct heddle_event event = {"test", "test_wait", "wait", HEDDLE_CATEGORY_BARRIER, 0, true, false, 0, 0};

/* Links Heddle's wrappers of thread creation, even if a sanitizer has a pthread_create of its own. */
__attribute__((used)) static int (*const with_wrappers)(thrd_t *, thrd_start_t, void *) = thrd_create;

static int set_up(void **state)
{
	(void)state;
	setenv("HEDDLE_OUTPUT", mkdtemp(directory), 1);
	bool started = heddle__start();
	rmdir(directory); /* no profile is written */
	return started ? heddle__events_register(&event, 1) : -1;
}

static int contexts(void)
{
	int count = 0;
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next)
		count++;
	return count;
}

static void *tell_context(void *unused)
{
	(void)unused;
	struct heddle_thread *self = heddle__thread_self();
	heddle__enter(self);
	heddle__slot(self, HEDDLE_TREE_ROOT)->value[HEDDLE_METRIC_VISITS]++;
	heddle__leave(self);
	return self;
}

static void *tell_context_too(void *unused)
{
	return tell_context(unused);
}

static struct heddle_thread *context_of(void *(*routine)(void *))
{
	pthread_t thread;
	void *context;
	assert_int_equal(pthread_create(&thread, NULL, routine, NULL), 0);
	pthread_join(thread, &context);
	assert_non_null(context);
	return context;
}

static void threads_of_one_routine_share_a_context(void **state)
{
	(void)state;
	struct heddle_thread *first = context_of(tell_context);
	assert_int_equal(first->uses, 1);
	assert_true(first->times.end_ns > first->times.start_ns);
	assert_ptr_equal(context_of(tell_context), first);
	assert_int_equal(first->uses, 2);
	assert_int_equal(value_of(first, HEDDLE_TREE_ROOT, HEDDLE_METRIC_VISITS), 2);
}

static void threads_of_another_routine_have_another(void **state)
{
	(void)state;
	assert_ptr_not_equal(context_of(tell_context_too), context_of(tell_context));
}

static void *stay(void *gate)
{
	pthread_barrier_wait(gate);
	pthread_barrier_wait(gate);
	return heddle__thread_self();
}

static void threads_at_the_same_time_have_their_own(void **state)
{
	(void)state;
	pthread_barrier_t gate;
	pthread_t threads[3];
	void *of[3];
	pthread_barrier_init(&gate, NULL, 4);
	for (int i = 0; i < 3; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, stay, &gate), 0);
	pthread_barrier_wait(&gate);
	assert_false(heddle__threads_all_ended());
	pthread_barrier_wait(&gate);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], &of[i]);
	assert_true(of[0] != of[1] && of[0] != of[2] && of[1] != of[2]);
	pthread_barrier_destroy(&gate);
}

static void threads_made_while_nothing_is_measured_have_one_for_later(void **state)
{
	(void)state;
	heddle__pause();
	context_of(tell_context);
	heddle__freeze();
	context_of(tell_context);
	heddle__thaw();
	heddle__continue();
	heddle__freeze(); /* as while another thread flushes */
	context_of(tell_context);
	heddle__thaw();
}

static void two_thousand_threads_cost_no_memory(void **state)
{
	(void)state;
	context_of(tell_context);
	uint64_t mapped = heddle__memory_mapped();
	int before = contexts();
	for (int i = 0; i < 2000; i++)
		context_of(tell_context);
	assert_int_equal(heddle__memory_mapped(), mapped);
	assert_int_equal(contexts(), before);
}

static void a_thread_that_cannot_be_made_gives_its_context_back(void **state)
{
	(void)state;
	pthread_attr_t huge;
	pthread_t thread;
	int before = contexts();
	pthread_attr_init(&huge);
	pthread_attr_setstacksize(&huge, (size_t)1 << 50);
	for (int i = 0; i < 5; i++)
		assert_int_equal(pthread_create(&thread, &huge, tell_context, NULL), EAGAIN);
	assert_int_equal(contexts(), before);
	context_of(tell_context);
	assert_int_equal(contexts(), before);
	pthread_attr_destroy(&huge);
}

static uint64_t wait_began;

static void *end_while_waiting(void *unused)
{
	(void)unused;
	struct heddle_thread *self = heddle__thread_self();
	heddle__enter(self);
	heddle__region_begin(self, &event, 1);
	wait_began = self->last_ticks;
	heddle__leave(self);
	usleep(5000);
	return self;
}

static void a_region_open_at_the_end_has_its_time(void **state)
{
	(void)state;
	struct heddle_thread *context = context_of(end_while_waiting);
	uint64_t waited = sum_of(context, HEDDLE_METRIC_WALL_TIME);
	assert_true(waited >= heddle__ns_to_ticks(4900000));
	assert_true(waited <= heddle__measured_ticks() - wait_began);
	assert_ptr_equal(context_of(end_while_waiting), context);
	assert_int_equal(context->stack.depth, 0); /* the next owner starts with an empty stack */
}

/* ---- fork ---- */

static int in_child(int (*check)(struct heddle_thread *former), struct heddle_thread *former)
{
	int status;
	pid_t child = fork();
	if (child == 0)
		HEDDLE_REAL(_exit)(check(former));
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int child_has_nothing_of_its_parent(struct heddle_thread *former)
{
	struct heddle_thread *self = heddle__thread_self();
	if (!self || self->tid != gettid() || self->uses != 1 || atomic_load(&self->inside))
		return 1;
	for (enum heddle_metric metric = 0; metric < HEDDLE_METRIC_COMMON; metric++) {
		if (sum_of(self, metric) || sum_of(former, metric))
			return 2;
	}
	if (self->sampled.samples || atomic_load(&self->pending) || former->uses)
		return 3;
	return heddle__running() ? 0 : 4;
}

static int child_measures(struct heddle_thread *former)
{
	struct heddle_thread *self = heddle__thread_self();
	heddle__region_end(self, &event);
	if (sum_of(self, HEDDLE_METRIC_WALL_TIME) == 0 || self->stack.depth)
		return 1;
	struct heddle_thread *context = context_of(tell_context);
	return context == former || context->uses != 1;
}

static void a_child_starts_with_nothing_and_measures_on(void **state)
{
	(void)state;
	struct heddle_thread *self = heddle__thread_self(), *former = context_of(tell_context);
	heddle__enter(self);
	heddle__region_begin(self, &event, 2);
	heddle__leave(self);
	self->sampled.samples = 5;
	uint64_t sum = sum_of(self, HEDDLE_METRIC_VISITS);
	assert_true(sum > 0);
	assert_int_equal(in_child(child_has_nothing_of_its_parent, former), 0);
	assert_int_equal(in_child(child_measures, former), 0);
	assert_int_equal(sum_of(self, HEDDLE_METRIC_VISITS), sum);
	assert_int_equal(self->sampled.samples, 5);
	heddle__enter(self);
	heddle__region_end(self, &event);
	heddle__leave(self);
}

static int child_runs(struct heddle_thread *former)
{
	(void)former;
	return heddle__running() ? 0 : 1;
}

/* Another thread writes a profile at the moment of the fork; the child has no part in that. */
static void a_child_of_a_frozen_process_is_not_frozen(void **state)
{
	(void)state;
	heddle__freeze();
	int result = in_child(child_runs, NULL);
	heddle__thaw();
	assert_int_equal(result, 0);
}

int main(void)
{
	if (UNDER_TSAN) {
		puts("skipped: contexts end in the last round of destructors, when ThreadSanitizer has left the "
		     "thread");
		return 77;
	}
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_of_one_routine_share_a_context),
		cmocka_unit_test(threads_of_another_routine_have_another),
		cmocka_unit_test(threads_at_the_same_time_have_their_own),
		cmocka_unit_test(threads_made_while_nothing_is_measured_have_one_for_later),
		cmocka_unit_test(two_thousand_threads_cost_no_memory),
		cmocka_unit_test(a_thread_that_cannot_be_made_gives_its_context_back),
		cmocka_unit_test(a_region_open_at_the_end_has_its_time),
		cmocka_unit_test(a_child_starts_with_nothing_and_measures_on),
		cmocka_unit_test(a_child_of_a_frozen_process_is_not_frozen),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
