/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a phase whose begin returned -ENOMEM ends nothing: neither a region around it, nor one without an entry.
 */
#include "tests/support/unit.h"

#include <errno.h>

#include "core/process/process.h"
#include "core/threads/region.h"
#include "heddle/heddle.h"

static bool no_names, no_entries;

void *__real_heddle__alloc(size_t size);
void *__wrap_heddle__alloc(size_t size);
void *__wrap_heddle__alloc(size_t size)
{
	return no_names ? NULL : __real_heddle__alloc(size);
}

bool __real_heddle__stack_grow(struct heddle_shadow_stack *stack);
bool __wrap_heddle__stack_grow(struct heddle_shadow_stack *stack);
bool __wrap_heddle__stack_grow(struct heddle_shadow_stack *stack)
{
	return !no_entries && __real_heddle__stack_grow(stack);
}

static void refuse_phase(const char *name)
{
	no_names = true;
	assert_int_equal(heddle_measure_phase_begin(name), -ENOMEM);
	no_names = false;
}

static void a_phase_around_it_stays_open(void **state)
{
	(void)state;
	be_measured();
	assert_int_equal(heddle_measure_phase_begin("around"), 0);
	refuse_phase("refused once");
	assert_int_equal(heddle_measure_phase_end("refused once"), -EINVAL);
	assert_int_equal(heddle_measure_phase_end("around"), 0);
}

static void a_phase_beyond_the_limit_stays_open(void **state)
{
	(void)state;
	struct heddle_thread *thread = be_measured();
	int count = 0;
	no_entries = true;
	while (thread->stack.lost_depth < 2) {
		assert_int_equal(heddle_measure_phase_begin("around"), 0);
		count++;
	}
	refuse_phase("refused beyond the limit");
	assert_int_equal(heddle_measure_phase_end("refused beyond the limit"), -EINVAL);
	assert_int_equal(thread->stack.lost_depth, 2);
	while (count--)
		assert_int_equal(heddle_measure_phase_end("around"), 0);
	assert_int_equal(heddle__open_count(&thread->stack), 0);
	no_entries = false;
}

/* A user event whose name could not be stored has no number, either. */
static void a_user_event_around_it_stays_open(void **state)
{
	(void)state;
	struct heddle_thread *thread = be_measured();
	heddle__enter(thread);
	heddle__phase_begin(thread, UINT32_MAX, 0);
	heddle__leave(thread);
	refuse_phase("refused twice");
	no_names = true;
	assert_int_equal(heddle_measure_phase_end("refused twice"), -EINVAL);
	no_names = false;
	assert_int_equal(heddle__open_count(&thread->stack), 1);
	heddle__enter(thread);
	assert_int_equal(heddle__user_event_end(thread, UINT32_MAX, NULL, NULL), HEDDLE_ENDED);
	heddle__leave(thread);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_phase_around_it_stays_open),
		cmocka_unit_test(a_phase_beyond_the_limit_stays_open),
		cmocka_unit_test(a_user_event_around_it_stays_open),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
