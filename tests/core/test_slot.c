/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread's values by node: each node has one slot, which is found, and never moves, however many nodes there are. */
#include "tests/support/unit.h"

#include "core/base/memory.h"
#include "core/modules/module.h"
#include "core/modules/module_ranges.h"

/* Compiles the real slots here, with memory that can run out. */
static bool no_memory;
#define heddle__map(size) (no_memory ? NULL : heddle__map(size))
#define heddle__alloc(size) (no_memory ? NULL : heddle__alloc(size))
#include "core/threads/slot.c" /* NOLINT: so that memory can run out */

#define NODES 10000u
#define META HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0)

static struct heddle_thread *self;

static int set_up(void **state)
{
	(void)state;
	self = heddle__thread_acquire(1, HEDDLE_THREAD_OTHER);
	return self ? 0 : -1;
}

static void a_node_has_one_slot(void **state)
{
	(void)state;
	struct heddle_slot *slot = heddle__slot(self, 7);
	assert_int_equal(slot->node, 7);
	slot->value[HEDDLE_METRIC_VISITS] = 5;
	assert_ptr_equal(heddle__slot(self, 7), slot);
	assert_ptr_not_equal(heddle__slot(self, 8), slot);
	assert_int_equal(heddle__slot(self, 7)->value[HEDDLE_METRIC_VISITS], 5);
	assert_int_equal(heddle__slot(self, HEDDLE_TREE_ROOT)->node, HEDDLE_TREE_ROOT);
}

static void slots_stay_where_they_are_however_many_come(void **state)
{
	(void)state;
	static struct heddle_slot *slots[NODES];
	uint32_t before = heddle__slot_count(self);
	for (uint32_t i = 0; i < NODES; i++) {
		slots[i] = heddle__slot(self, 1000 + i * 3);
		slots[i]->value[HEDDLE_METRIC_SAMPLES] = i;
	}
	assert_int_equal(heddle__slot_count(self), before + NODES);
	for (uint32_t i = 0; i < NODES; i++) {
		assert_ptr_equal(heddle__slot(self, 1000 + i * 3), slots[i]);
		assert_ptr_equal(heddle__slot_at(self, before + i), slots[i]);
		assert_int_equal(slots[i]->node, 1000 + i * 3);
		assert_int_equal(slots[i]->value[HEDDLE_METRIC_SAMPLES], i);
	}
	assert_null(heddle__slot_at(self, UINT32_MAX / 2));
}

static void an_event_s_slot_is_that_of_the_child(void **state)
{
	(void)state;
	uint32_t parent = heddle__tree_child(HEDDLE_TREE_ROOT, META, 1);
	uint32_t other = heddle__tree_child(HEDDLE_TREE_ROOT, META, 2);
	for (int round = 0; round < 2; round++) {
		for (uint64_t place = 0; place < 10 * HEDDLE_EVENT_CACHE; place++) {
			struct heddle_slot *slot = heddle__event_slot(self, parent, META, place);
			assert_int_equal(slot->node, heddle__tree_child(parent, META, place));
			assert_ptr_equal(heddle__event_slot(self, parent, META, place), slot);
			assert_ptr_not_equal(heddle__event_slot(self, other, META, place), slot);
			assert_ptr_not_equal(heddle__event_slot(self, parent, META + 1, place), slot);
		}
	}
}

static void without_memory_values_are_lost_and_nothing_else(void **state)
{
	(void)state;
	struct heddle_thread *poor = heddle__thread_acquire(2, HEDDLE_THREAD_OTHER);
	uint32_t parent = heddle__tree_child(HEDDLE_TREE_ROOT, META, 3);
	no_memory = true;
	heddle__slot(poor, 5)->value[HEDDLE_METRIC_VISITS]++;
	heddle__event_slot(poor, parent, META, 9)->value[HEDDLE_METRIC_VISITS]++;
	assert_int_equal(heddle__slot_count(poor), 0);
	no_memory = false;
	assert_int_equal(heddle__slot(poor, 5)->node, 5);
	assert_int_equal(heddle__slot(poor, 5)->value[HEDDLE_METRIC_VISITS], 0);
	struct heddle_slot *slot = heddle__event_slot(poor, parent, META, 9);
	assert_ptr_equal(slot, heddle__slot(poor, heddle__tree_child(parent, META, 9)));
	assert_int_equal(slot->value[HEDDLE_METRIC_VISITS], 0);
}

static void the_place_of_a_call_is_its_last_byte(void **state)
{
	(void)state;
	assert_int_equal(heddle__modules_init(NULL), 0);
	const char *code = (const char *)(uintptr_t)&set_up;
	assert_int_equal(heddle__call_place(self, NULL), 0);
	for (int round = 0; round < 2; round++) {
		for (int i = 1; i <= 4 * HEDDLE_CALL_SITES; i++)
			assert_int_equal(heddle__call_place(self, code + i),
				heddle__place_of((uintptr_t)code + (uintptr_t)i - 1));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_node_has_one_slot),
		cmocka_unit_test(slots_stay_where_they_are_however_many_come),
		cmocka_unit_test(an_event_s_slot_is_that_of_the_child),
		cmocka_unit_test(without_memory_values_are_lost_and_nothing_else),
		cmocka_unit_test(the_place_of_a_call_is_its_last_byte),
	};
	return cmocka_run_group_tests(tests, set_up, NULL);
}
