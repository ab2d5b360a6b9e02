/* SPDX-License-Identifier: BSD-3-Clause */
/* A sample inside Heddle is counted at once, charged to [heddle] when the thread leaves, and never lost or doubled. */
#include "tests/support/unit.h"

#include <signal.h>
#include <sys/time.h>

#include "core/threads/control.h"
#include "core/threads/region.h"
#include "core/threads/task.h"
#include "core/tree/event.h"

#define PERIOD_NS 1000u

static struct heddle_event event = {"test", "test_region", "region", HEDDLE_CATEGORY_OTHER, 0, true, false, 0, 0};
static struct heddle_thread *self;

static int set_up(void **state)
{
	(void)state;
	self = be_measured();
	self->sampled.period_ns = self->sampled.period_cpu_ns = PERIOD_NS;
	return heddle__events_register(&event, 1);
}

/* Does what the sampler's handler does inside Heddle. */
static void sample_inside(uint64_t periods)
{
	self->sampled.samples += periods;
	atomic_fetch_add(&self->pending, periods);
}

static uint32_t heddle_below(uint32_t node)
{
	return heddle__tree_child(node, HEDDLE_NODE_META(HEDDLE_NODE_STATE, HEDDLE_STATE_HEDDLE), 0);
}

static uint64_t samples_at(uint32_t node)
{
	return value_of(self, node, HEDDLE_METRIC_SAMPLES);
}

static void a_sample_inside_changes_nothing_until_leaving(void **state)
{
	(void)state;
	uint64_t charged = self->sampled.charged_ns;
	heddle__enter(self);
	uint32_t slots = heddle__slot_count(self);
	sample_inside(3);
	assert_int_equal(heddle__slot_count(self), slots);
	heddle__leave(self);
	assert_int_equal(atomic_load(&self->inside), 0);
	assert_int_equal(atomic_load(&self->pending), 0);
	assert_int_equal(samples_at(heddle_below(HEDDLE_TREE_ROOT)), 3);
	assert_int_equal(value_of(self, heddle_below(HEDDLE_TREE_ROOT), HEDDLE_METRIC_CPU_TIME), 3 * PERIOD_NS);
	assert_int_equal(self->sampled.charged_ns, charged + 3 * PERIOD_NS);
}

static void it_is_charged_by_the_outermost_leave(void **state)
{
	(void)state;
	uint64_t before = samples_at(heddle_below(HEDDLE_TREE_ROOT));
	heddle__enter(self);
	heddle__enter(self);
	sample_inside(1);
	heddle__leave(self);
	assert_int_equal(atomic_load(&self->pending), 1);
	heddle__leave(self);
	assert_int_equal(samples_at(heddle_below(HEDDLE_TREE_ROOT)), before + 1);
}

static void it_is_charged_below_what_is_open_at_leaving(void **state)
{
	(void)state;
	heddle__enter(self);
	sample_inside(1);
	heddle__region_begin(self, &event, 5);
	heddle__leave(self);
	uint32_t region = heddle__current_node(self);
	assert_int_equal(samples_at(heddle_below(region)), 1);
	heddle__enter(self);
	heddle__task_switch(
		self, 0x1000, heddle__tree_child(region, HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0), 6), NULL, 0);
	sample_inside(2);
	heddle__leave(self);
	assert_int_equal(samples_at(heddle_below(heddle__current_node(self))), 2);
	heddle__enter(self);
	heddle__task_end(self, 0x1000, 0);
	heddle__region_end(self, &event);
	heddle__leave(self);
}

/* A wall clock advances while the thread waits; only the CPU clock shows what the thread has used. */
static void waiting_is_no_cpu_time(void **state)
{
	(void)state;
	uint32_t node = heddle_below(HEDDLE_TREE_ROOT);
	uint64_t samples = samples_at(node), cpu = value_of(self, node, HEDDLE_METRIC_CPU_TIME);
	uint64_t charged = self->sampled.charged_ns;
	self->sampled.period_cpu_ns = 0;
	heddle__enter(self);
	sample_inside(1000000000);
	heddle__leave(self);
	self->sampled.period_cpu_ns = PERIOD_NS;
	assert_int_equal(samples_at(node), samples + 1000000000);
	assert_int_equal(value_of(self, node, HEDDLE_METRIC_CPU_TIME) - cpu, self->sampled.charged_ns - charged);
	assert_true(self->sampled.charged_ns > charged);
	assert_true(self->sampled.charged_ns <= heddle__clock_ns(CLOCK_THREAD_CPUTIME_ID));
}

/* What a thread charges during the writer's last reading would be in the profile or the trace, but not in both. */
static void at_the_end_it_stays_for_the_writer(void **state)
{
	(void)state;
	uint64_t before = samples_at(heddle_below(HEDDLE_TREE_ROOT));
	heddle__enter(self);
	sample_inside(2);
	heddle__freeze_at_end();
	heddle__leave(self);
	assert_int_equal(atomic_load(&self->inside), 0);
	assert_int_equal(atomic_load(&self->pending), 2);
	assert_int_equal(samples_at(heddle_below(HEDDLE_TREE_ROOT)), before);
	heddle__control_after_fork(); /* measurement and the clock continue */
	heddle__enter(self);
	heddle__leave(self);
	assert_int_equal(samples_at(heddle_below(HEDDLE_TREE_ROOT)), before + 2);
}

static _Atomic bool between; /* the handler may run anywhere; outside, it charges the sample itself */
static uint64_t outside;

static void on_alarm(int number)
{
	(void)number;
	if (atomic_load_explicit(&self->inside, memory_order_relaxed))
		sample_inside(1);
	else {
		self->sampled.samples++;
		outside++;
	}
	atomic_store(&between, true);
}

static void samples_taken_are_samples_charged_under_a_storm(void **state)
{
	(void)state;
	struct sigaction action = {.sa_handler = on_alarm}, before;
	struct itimerval often = {{0, 50}, {0, 50}}, never = {{0, 0}, {0, 0}};
	uint64_t taken = self->sampled.samples, charged = sum_of(self, HEDDLE_METRIC_SAMPLES), place = 100;
	uint64_t end = heddle__clock_ns(CLOCK_MONOTONIC) + 300000000;
	sigaction(SIGALRM, &action, &before);
	setitimer(ITIMER_REAL, &often, NULL);
	while (heddle__clock_ns(CLOCK_MONOTONIC) < end) {
		heddle__enter(self);
		heddle__region_begin(self, &event, place++ & 4095);
		heddle__leave(self);
		heddle__enter(self);
		heddle__region_end(self, &event);
		heddle__leave(self);
	}
	setitimer(ITIMER_REAL, &never, NULL);
	sigaction(SIGALRM, &before, NULL);
	assert_true(atomic_load(&between));
	assert_int_equal(atomic_load(&self->pending), 0);
	assert_int_equal(sum_of(self, HEDDLE_METRIC_SAMPLES) - charged + outside, self->sampled.samples - taken);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sample_inside_changes_nothing_until_leaving),
		cmocka_unit_test(it_is_charged_by_the_outermost_leave),
		cmocka_unit_test(it_is_charged_below_what_is_open_at_leaving),
		cmocka_unit_test(waiting_is_no_cpu_time),
		cmocka_unit_test(at_the_end_it_stays_for_the_writer),
		cmocka_unit_test(samples_taken_are_samples_charged_under_a_storm),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
