/* SPDX-License-Identifier: BSD-3-Clause */
/* A tree that is full, or has no memory to grow. It is small, compiled into this test, and has the test's memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/tree/tree.h"

#undef HEDDLE_TREE_LIMIT
#define HEDDLE_TREE_LIMIT (2u << 12)
#include "core/tree/tree.c" /* NOLINT: the limit above is the point */

static bool no_memory;

void *heddle__map(size_t size)
{
	return no_memory ? NULL : calloc(1, size);
}

void heddle__unmap(void *block, size_t size)
{
	(void)size;
	free(block);
}

#define META HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0)

static void without_memory_a_child_is_its_parent_and_counted(void **state)
{
	(void)state;
	uint64_t before = heddle__tree_dropped();
	no_memory = true;
	assert_int_equal(heddle__tree_child(HEDDLE_TREE_ROOT, META, 1), HEDDLE_TREE_ROOT);
	assert_int_equal(heddle__tree_dropped(), before + 1);
	no_memory = false;
	uint32_t child = heddle__tree_child(HEDDLE_TREE_ROOT, META, 1);
	assert_int_not_equal(child, HEDDLE_TREE_ROOT);
	no_memory = true; /* existing nodes are still found */
	assert_int_equal(heddle__tree_child(HEDDLE_TREE_ROOT, META, 1), child);
	assert_int_equal(heddle__tree_dropped(), before + 1);
	no_memory = false;
}

static void in_a_full_tree_a_child_is_its_parent_and_counted(void **state)
{
	(void)state;
	uint32_t parent = heddle__tree_child(HEDDLE_TREE_ROOT, META, 1);
	uint64_t place = 1000;
	while (heddle__tree_count() < HEDDLE_TREE_LIMIT)
		assert_int_not_equal(heddle__tree_child(parent, META, place++), parent);
	uint64_t before = heddle__tree_dropped();
	for (int i = 0; i < 3; i++)
		assert_int_equal(heddle__tree_child(parent, META, place + (uint64_t)i), parent);
	assert_int_equal(heddle__tree_dropped(), before + 3);
	assert_int_equal(heddle__tree_count(), HEDDLE_TREE_LIMIT);
	assert_int_equal(heddle__tree_node(heddle__tree_child(parent, META, 1500))->place, 1500);
	assert_int_equal(heddle__tree_dropped(), before + 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_memory_a_child_is_its_parent_and_counted),
		cmocka_unit_test(in_a_full_tree_a_child_is_its_parent_and_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
