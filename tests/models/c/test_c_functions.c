/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls the compilers' hooks as instrumented code does. */
#include "tests/support/unit.h"

#include "core/threads/frontend.h"
#include "core/threads/region.h"
#include "core/tree/event.h"
#include "models/c/c_functions.h"

void __cyg_profile_func_enter(void *function, void *call_site);
void __cyg_profile_func_exit(void *function, void *call_site);

static struct heddle_thread *self;

static int start(void **state)
{
	(void)state;
	self = be_measured();
	heddle__events_give_time = true;
	heddle__stack_clear(&self->stack);
	heddle__c_functions_start(true, 3);
	return 0;
}

/* Behaves like a function compiled with the hooks. Returns the greatest depth of the shadow stack that it saw. */
__attribute__((noinline)) static uint32_t instrumented(int more)
{
	uint32_t deepest;
	__cyg_profile_func_enter((void *)instrumented, __builtin_return_address(0));
	deepest = more ? instrumented(more - 1) : self->stack.depth;
	__cyg_profile_func_exit((void *)instrumented, __builtin_return_address(0));
	return deepest;
}

static void calls_open_and_close(void **state)
{
	(void)state;
	assert_int_equal(instrumented(0), 1);
	assert_int_equal(instrumented(5), 6);
	assert_int_equal(self->stack.depth, 0);
}

static void not_wanted_is_not_taken(void **state)
{
	(void)state;
	heddle__c_functions_start(false, 3);
	assert_int_equal(instrumented(2), 0);
	heddle__c_functions_start(true, 3);
	heddle__c_functions_stop();
	assert_int_equal(instrumented(2), 0);
}

static void control(bool on)
{
	heddle__enter(self);
	heddle__thread_control(self, on);
	heddle__leave(self);
}

static void off_counts_nothing_and_ends_right(void **state)
{
	(void)state;
	uint64_t visits = sum_of(self, HEDDLE_METRIC_VISITS);
	control(false);
	assert_int_equal(instrumented(4), 5);
	assert_int_equal(self->stack.depth, 0);
	control(true);
	assert_int_equal(sum_of(self, HEDDLE_METRIC_VISITS), visits);
}

/* Begins while measurement is off. With `left`, a function that it calls does not return, as with longjmp. */
__attribute__((noinline)) static void begun_while_off(bool left)
{
	__cyg_profile_func_enter((void *)begun_while_off, __builtin_return_address(0));
	if (left) {
		char below[64];
		__cyg_profile_func_enter((void *)instrumented, (void *)below);
		assert_int_equal(self->stack.depth, 2);
	} else {
		control(true);
		assert_int_equal(instrumented(2), 4);
	}
	__cyg_profile_func_exit((void *)begun_while_off, __builtin_return_address(0));
}

static void functions_begun_while_off_are_a_path_later(void **state)
{
	(void)state;
	uint64_t visits = sum_of(self, HEDDLE_METRIC_VISITS);
	control(false);
	begun_while_off(true);
	assert_int_equal(self->stack.depth, 0);
	assert_int_equal(instrumented(0), 1);
	begun_while_off(false);
	assert_int_equal(self->stack.depth, 0);
	assert_int_equal(sum_of(self, HEDDLE_METRIC_VISITS) - visits, 3);
}

static void inside_heddle_nothing_is_taken(void **state)
{
	(void)state;
	heddle__enter(self);
	assert_int_equal(instrumented(1), 0);
	heddle__leave(self);
	assert_int_equal(atomic_load(&self->inside), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup(name, start)
		TEST(calls_open_and_close),
		TEST(not_wanted_is_not_taken),
		TEST(off_counts_nothing_and_ends_right),
		TEST(functions_begun_while_off_are_a_path_later),
		TEST(inside_heddle_nothing_is_taken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
