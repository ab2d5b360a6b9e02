/* SPDX-License-Identifier: BSD-3-Clause */
/* An event knows what it interrupted: a function that goes on later, or one that a handler has abandoned. */
#include "tests/support/unit.h"

#include <signal.h>

#include "core/threads/entered.h"

#define HERE 32 /* of the frames below */

static struct heddle_thread *self;
static unsigned int caught_up;
static struct heddle_frame_record inside_when_caught_up;

static void catch_up(struct heddle_thread *thread)
{
	atomic_store(&thread->wanted, 0);
	inside_when_caught_up = *thread->entered.record;
	caught_up++;
}

static int set_up(void **state)
{
	(void)state;
	self = be_measured();
	self->stack_low = 0;
	self->stack_high = UINTPTR_MAX;
	heddle__catch_up = catch_up;
	return 0;
}

static int each(void **state)
{
	(void)state;
	caught_up = 0;
	atomic_store(&self->inside, 0);
	atomic_store(&self->wanted, 0);
	self->entered = (struct heddle_entered){0};
	return 0;
}

/* Frames of functions that called each other, innermost first. */
static void fill(struct heddle_frame_record *frames)
{
	for (unsigned int i = 0; i < 2 * HERE; i++)
		frames[i] = (struct heddle_frame_record){0, 1000 + i};
}

static void nothing_is_inside(void **state)
{
	(void)state;
	struct heddle_frame_record frames[2 * HERE];
	struct heddle_entered outer;
	fill(frames);
	assert_true(heddle__may_enter(self));
	heddle__enter_as(self, &frames[HERE]);
	assert_false(heddle__may_enter(self));
	heddle__leave_as(self);
	assert_true(heddle__may_enter(self));
	assert_true(heddle__enter_over(self, &frames[HERE], &outer));
	heddle__leave_over(self, &outer);
	assert_true(heddle__may_enter(self));
	assert_int_equal(caught_up, 0);
}

static void a_handlers_event_waits_for_what_it_interrupted(void **state)
{
	(void)state;
	struct heddle_frame_record frames[2 * HERE];
	struct heddle_entered outer;
	fill(frames);
	heddle__enter_as(self, &frames[HERE]);
	assert_false(heddle__enter_over(self, &frames[HERE - 10], &outer));
	assert_ptr_equal(self->entered.record, &frames[HERE]);
	assert_int_equal(atomic_load(&self->inside), 1);
}

static void take_the_place(unsigned int at, bool overwritten)
{
	struct heddle_frame_record frames[2 * HERE];
	struct heddle_entered outer;
	fill(frames);
	heddle__enter_as(self, &frames[HERE]);
	heddle__want(self, HEDDLE_WANTED_EVENTS, 0);
	if (overwritten)
		frames[HERE].pc = 1;
	assert_true(heddle__enter_over(self, &frames[at], &outer));
	assert_int_equal(caught_up, 1);
	assert_int_equal(inside_when_caught_up.pc, 1000 + at); /* not the abandoned one, whose frame is overwritten */
	assert_int_equal(atomic_load(&self->inside), 1);
	heddle__leave_over(self, &outer);
	assert_true(heddle__may_enter(self));
}

static void an_event_in_the_same_frame_or_above_finds_it_abandoned(void **state)
{
	(void)state;
	take_the_place(HERE, false);
	each(NULL);
	take_the_place(HERE + 5, false);
}

static void an_event_below_finds_it_abandoned_if_its_frame_was_overwritten(void **state)
{
	(void)state;
	take_the_place(HERE - 5, true);
}

/* A handler that interrupts the beginning or the end of an event must not make it unknown. */
static void an_event_that_is_not_yet_or_no_longer_inside_is_restored(void **state)
{
	(void)state;
	struct heddle_frame_record frames[2 * HERE];
	struct heddle_entered outer;
	fill(frames);
	for (uintptr_t pc = 0; pc <= 1000 + HERE; pc += 1000 + HERE) {
		self->entered = (struct heddle_entered){&frames[HERE], pc};
		assert_false(heddle__may_enter(self));
		assert_true(heddle__enter_over(self, &frames[HERE - 10], &outer));
		heddle__leave_over(self, &outer);
		assert_ptr_equal(self->entered.record, &frames[HERE]);
		assert_int_equal(self->entered.pc, pc);
	}
}

/* The interrupted function has left, but not yet processed what had been deferred. */
static void events_that_were_deferred_come_first(void **state)
{
	(void)state;
	struct heddle_frame_record frames[2 * HERE];
	struct heddle_entered outer;
	fill(frames);
	self->entered = (struct heddle_entered){&frames[HERE], 1000 + HERE};
	heddle__want(self, HEDDLE_WANTED_EVENTS, 0);
	assert_false(heddle__may_enter(self));
	assert_true(heddle__enter_over(self, &frames[HERE - 10], &outer));
	assert_int_equal(caught_up, 1);
	heddle__leave_over(self, &outer);
}

/* The handler's stack is a variable of an outer function, so its frames are above those that it interrupts. */
static void a_signal_stack_within_the_threads_stack(void **state)
{
	(void)state;
	struct {
		struct heddle_frame_record frames[2 * HERE];
		_Alignas(16) struct heddle_frame_record apart[16384];
	} on;
	struct heddle_entered outer;
	stack_t before, stack = {.ss_sp = on.apart, .ss_size = sizeof(on.apart)};
	fill(on.frames);
	fill(on.apart);
	assert_int_equal(sigaltstack(&stack, &before), 0);
	heddle__enter_as(self, &on.frames[HERE]);
	assert_false(heddle__enter_over(self, &on.apart[HERE], &outer));
	each(NULL);
	heddle__enter_as(self, &on.apart[HERE]);
	assert_true(heddle__enter_over(self, &on.frames[HERE], &outer));
	assert_null(outer.record);
	heddle__leave_over(self, &outer);
	heddle__enter_as(self, &on.apart[HERE]);
	assert_false(heddle__enter_over(self, &on.apart[HERE - 1], &outer));
	assert_true(heddle__enter_over(self, &on.apart[HERE + 1], &outer));
	assert_int_equal(sigaltstack(&before, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(nothing_is_inside, each),
		cmocka_unit_test_setup(a_handlers_event_waits_for_what_it_interrupted, each),
		cmocka_unit_test_setup(an_event_in_the_same_frame_or_above_finds_it_abandoned, each),
		cmocka_unit_test_setup(an_event_below_finds_it_abandoned_if_its_frame_was_overwritten, each),
		cmocka_unit_test_setup(an_event_that_is_not_yet_or_no_longer_inside_is_restored, each),
		cmocka_unit_test_setup(events_that_were_deferred_come_first, each),
		cmocka_unit_test_setup(a_signal_stack_within_the_threads_stack, each),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
