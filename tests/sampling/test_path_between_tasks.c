/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A sample between two tasks of the runtime has no frames. If the task that runs there waits in a region opened by an
 * event, the sample belongs to that region, below all that was open around it.
 */
#include "tests/support/unit.h"

#include <ucontext.h>

#include "core/threads/frontend.h"
#include "core/threads/region.h"
#include "core/threads/task.h"
#include "sampling/path/path.h"

#define CONTEXT_PLACE 50

static struct heddle_event construct = {"test", "test_single", "single", HEDDLE_CATEGORY_OTHER, 0, true, false, 0, 0};
static struct heddle_event wait = {"test", "test_wait", "wait", HEDDLE_CATEGORY_BARRIER, 1, true, false, 0, 0};
static uint32_t context;
static uint8_t state_told;

static bool inquire(struct heddle_thread *thread, struct heddle_inquiry *inquiry)
{
	(void)thread;
	*inquiry = (struct heddle_inquiry){.base = context, .no_frames = true, .state = state_told};
	return true;
}

static const struct heddle_frontend runtime = {.name = "runtime", .inquire = inquire};
const struct heddle_frontend *const heddle__frontends[] = {&runtime, NULL};

static uint32_t sampled(struct heddle_thread *self, struct heddle_sampler_thread *sampler)
{
	enum heddle_state state;
	ucontext_t here;
	assert_int_equal(getcontext(&here), 0);
	return heddle__sampled_path(self, sampler, &here, &state);
}

static uint32_t state_node(uint32_t parent, enum heddle_state state)
{
	return heddle__tree_child(parent, HEDDLE_NODE_META(HEDDLE_NODE_STATE, state), 0);
}

static void a_wait_is_the_region_that_an_event_opened(void **unused)
{
	struct heddle_thread *self = be_measured();
	struct heddle_sampler_thread *sampler = calloc(1, sizeof(*sampler));
	(void)unused;
	assert_non_null(sampler);
	assert_int_equal(heddle__events_register(&construct, 1), 0);
	assert_int_equal(heddle__events_register(&wait, 1), 0);
	context = heddle__tree_child(HEDDLE_TREE_ROOT, HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0), CONTEXT_PLACE);
	heddle__task_switch(self, 0x1000, context, NULL, 0);
	heddle__region_begin(self, &construct, 60);
	state_told = HEDDLE_STATE_OVERHEAD;
	assert_int_equal(sampled(self, sampler), state_node(context, HEDDLE_STATE_OVERHEAD));
	heddle__region_begin(self, &wait, 61);
	uint32_t region = heddle__current_node(self);
	assert_int_not_equal(heddle__tree_node(region)->parent, context);
	state_told = heddle__innermost(&self->stack)->state;
	assert_int_equal(sampled(self, sampler), region);
	/* A wait of another kind than the region's. */
	state_told = HEDDLE_STATE_LOCK_WAIT;
	assert_int_equal(sampled(self, sampler), state_node(context, HEDDLE_STATE_LOCK_WAIT));
	free(sampler);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_wait_is_the_region_that_an_event_opened),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
