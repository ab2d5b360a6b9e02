/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurement control: off, running, paused, frozen; and the clock, which stands still while measurement is paused. */
#include "core/process/thread_life.h"
#include "tests/support/unit.h"

static void wait_a_little(void)
{
	struct timespec nap = {0, 2000000};
	nanosleep(&nap, NULL);
}

static bool clock_goes(void)
{
	uint64_t before = heddle__measured_ticks();
	wait_a_little();
	return heddle__measured_ticks() != before;
}

static int start_running(void **state)
{
	(void)state;
	be_measured();
	heddle__continue();
	assert_true(heddle__running());
	return 0;
}

static int run_again(void **state)
{
	(void)state;
	heddle__continue();
	atomic_store(&heddle__run_state, HEDDLE_RUNNING);
	return 0;
}

static void measured_time_stands_still_while_paused(void **state)
{
	(void)state;
	assert_true(clock_goes());
	uint64_t before = heddle__measured_ticks();
	heddle__pause();
	uint64_t paused = heddle__measured_ticks();
	assert_false(heddle__running());
	assert_true(paused >= before);
	assert_false(clock_goes());
	heddle__pause(); /* a second call has no effect */
	assert_false(clock_goes());
	assert_int_equal(heddle__measured_ticks(), paused);
}

static void measured_time_goes_on_where_it_stood(void **state)
{
	(void)state;
	heddle__pause();
	uint64_t paused = heddle__measured_ticks();
	struct timespec nap = {0, 50000000};
	nanosleep(&nap, NULL);
	uint64_t before = heddle__ticks();
	heddle__continue();
	uint64_t measured = heddle__measured_ticks() - paused;
	uint64_t passed = heddle__ticks() - before;
	assert_true(heddle__running());
	assert_true(measured <= passed);
	heddle__continue(); /* a second call has no effect */
	assert_true(heddle__measured_ticks() - paused <= heddle__ticks() - before);
	assert_true(clock_goes());
}

static void measuring_that_is_off_is_not_switched_on(void **state)
{
	(void)state;
	atomic_store(&heddle__run_state, HEDDLE_OFF);
	heddle__pause();
	assert_int_equal(atomic_load(&heddle__run_state), HEDDLE_OFF);
	heddle__continue();
	assert_int_equal(atomic_load(&heddle__run_state), HEDDLE_OFF);
	assert_true(clock_goes());
}

static void frozen_is_not_running_and_thaws_as_it_was(void **state)
{
	(void)state;
	heddle__freeze();
	assert_int_equal(atomic_load(&heddle__run_state), HEDDLE_FROZEN);
	assert_false(heddle__running());
	assert_true(clock_goes());
	heddle__thaw();
	assert_true(heddle__running());
	heddle__pause();
	heddle__freeze();
	heddle__thaw();
	assert_int_equal(atomic_load(&heddle__run_state), HEDDLE_PAUSED);
}

static void the_clock_of_a_pause_stands_still_through_a_freeze(void **state)
{
	(void)state;
	heddle__pause();
	uint64_t paused = heddle__measured_ticks();
	heddle__freeze();
	assert_int_equal(heddle__measured_ticks(), paused);
	assert_false(clock_goes());
	heddle__thaw();
	assert_int_equal(heddle__measured_ticks(), paused);
	heddle__continue();
	assert_true(heddle__measured_ticks() >= paused);
}

/* The program stops or starts measurement while the writer is working. */
static void a_pause_while_frozen_holds_afterwards(void **state)
{
	(void)state;
	heddle__freeze();
	heddle__pause();
	assert_int_equal(atomic_load(&heddle__run_state), HEDDLE_FROZEN);
	assert_false(clock_goes());
	heddle__thaw();
	assert_int_equal(atomic_load(&heddle__run_state), HEDDLE_PAUSED);
	heddle__freeze();
	heddle__continue();
	assert_int_equal(atomic_load(&heddle__run_state), HEDDLE_FROZEN);
	assert_true(clock_goes());
	heddle__thaw();
	assert_true(heddle__running());
}

/* Final totals are computed at one tick; a child forked meanwhile is measured. */
static void at_the_end_the_clock_stands_still(void **state)
{
	(void)state;
	heddle__freeze_at_end();
	assert_int_equal(atomic_load(&heddle__run_state), HEDDLE_FROZEN);
	assert_false(clock_goes());
	assert_false(heddle__events_are_counted());
	heddle__control_after_fork();
	assert_true(heddle__running());
	assert_true(clock_goes());
	heddle__pause();
	heddle__freeze_at_end();
	heddle__control_after_fork();
	assert_int_equal(atomic_load(&heddle__run_state), HEDDLE_PAUSED);
}

/* A process ends while another of its threads flushes. */
static void two_who_freeze_thaw_when_both_are_done(void **state)
{
	(void)state;
	heddle__freeze();
	heddle__freeze();
	heddle__thaw();
	assert_int_equal(atomic_load(&heddle__run_state), HEDDLE_FROZEN);
	heddle__thaw();
	assert_true(heddle__running());
	heddle__freeze();
	heddle__freeze();
	heddle__switch_off();
	heddle__thaw();
	heddle__thaw();
	assert_int_equal(atomic_load(&heddle__run_state), HEDDLE_OFF);
}

static _Atomic bool stop, inside_now;

static void *be_inside(void *unused)
{
	struct heddle_thread *thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	heddle__enter(thread);
	atomic_store(&inside_now, true);
	while (atomic_load(&heddle__run_state) != HEDDLE_FROZEN)
		continue;
	atomic_store(&stop, true);
	heddle__leave(thread);
	heddle__thread_end(thread); /* the thread's destructor would run after ThreadSanitizer's own */
	return unused;
}

static int still_clock(clockid_t clock, struct timespec *time)
{
	(void)clock;
	*time = (struct timespec){0};
	return 0;
}

static void freezing_waits_for_those_inside(void **state)
{
	heddle__clock_function *true_clock = heddle__clock_read;
	(void)state;
	heddle__clock_read = still_clock; /* no time-out, however late the other thread leaves */
	atomic_store(&stop, false);
	pthread_t thread = start_plain(be_inside, NULL);
	while (!atomic_load(&inside_now))
		wait_a_little();
	heddle__enter(heddle__thread_self()); /* heddle__freeze() does not wait for the calling thread */
	heddle__freeze();
	assert_true(atomic_load(&stop));
	heddle__thaw();
	heddle__leave(heddle__thread_self());
	pthread_join(thread, NULL);
	heddle__clock_read = true_clock;
}

/* ---- on a clock of the test, in ns: the time advances when it is read, the threads' CPU times never do ---- */

#define LEAVES_NS 300000000

static _Atomic uint64_t fake_ns, last_ns;

static int fake_clock(clockid_t clock, struct timespec *time)
{
	uint64_t now = 0;
	if (clock == CLOCK_MONOTONIC && atomic_load(&fake_ns) < atomic_load(&last_ns))
		now = atomic_fetch_add(&fake_ns, 30000000);
	else if (clock == CLOCK_MONOTONIC)
		now = atomic_load(&last_ns);
	*time = (struct timespec){(time_t)(now / 1000000000), (long)(now % 1000000000)};
	return 0;
}

static void *spin_inside(void *unused)
{
	struct heddle_thread *thread = heddle__thread_ensure(HEDDLE_THREAD_OTHER);
	heddle__enter(thread);
	atomic_store(&inside_now, true);
	while (atomic_load(&fake_ns) < LEAVES_NS && !atomic_load(&stop))
		continue;
	while (atomic_load(&last_ns) > LEAVES_NS && !atomic_load(&stop))
		continue;
	heddle__leave(thread);
	heddle__thread_end(thread);
	return unused;
}

/* Freezes while another thread spins inside, which it leaves at LEAVES_NS if the clock stops there. */
static uint64_t freeze_until(uint64_t last)
{
	heddle__clock_function *true_clock = heddle__clock_read;
	atomic_store(&stop, false);
	atomic_store(&inside_now, false);
	atomic_store(&fake_ns, 0);
	atomic_store(&last_ns, last);
	heddle__clock_read = fake_clock;
	pthread_t thread = start_plain(spin_inside, NULL);
	while (!atomic_load(&inside_now))
		wait_a_little();
	atomic_store(&fake_ns, 0); /* without what the other thread's start has read */
	heddle__freeze();
	uint64_t frozen = atomic_load(&fake_ns);
	atomic_store(&stop, true);
	pthread_join(thread, NULL);
	heddle__clock_read = true_clock;
	heddle__thaw();
	return frozen;
}

static void freezing_waits_longer_for_a_thread_without_a_processor(void **state)
{
	(void)state;
	assert_in_range(freeze_until(LEAVES_NS), LEAVES_NS, LEAVES_NS + 30000000);
	assert_in_range(freeze_until(UINT64_MAX), 500000000, 600000000);
}

static void *toggle(void *number)
{
	for (int i = 0; !atomic_load(&stop); i++) {
		if (number)
			(i & 1 ? heddle__continue : heddle__pause)();
		else {
			heddle__freeze();
			heddle__thaw();
		}
	}
	return NULL;
}

static void state_and_clock_agree_whoever_switches_meanwhile(void **state)
{
	(void)state;
	pthread_t threads[3];
	atomic_store(&stop, false);
	for (uintptr_t i = 0; i < 3; i++)
		threads[i] = start_plain(toggle, (void *)i);
	for (int i = 0; i < 50; i++)
		wait_a_little();
	atomic_store(&stop, true);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], NULL);
	uint8_t now = atomic_load(&heddle__run_state);
	assert_true(now == HEDDLE_RUNNING || now == HEDDLE_PAUSED);
	assert_int_equal(clock_goes(), now == HEDDLE_RUNNING);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, start_running, run_again)
		TEST(measured_time_stands_still_while_paused),
		TEST(measured_time_goes_on_where_it_stood),
		TEST(measuring_that_is_off_is_not_switched_on),
		TEST(frozen_is_not_running_and_thaws_as_it_was),
		TEST(the_clock_of_a_pause_stands_still_through_a_freeze),
		TEST(a_pause_while_frozen_holds_afterwards),
		TEST(at_the_end_the_clock_stands_still),
		TEST(freezing_waits_for_those_inside),
		TEST(freezing_waits_longer_for_a_thread_without_a_processor),
		TEST(state_and_clock_agree_whoever_switches_meanwhile),
		TEST(two_who_freeze_thaw_when_both_are_done),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
