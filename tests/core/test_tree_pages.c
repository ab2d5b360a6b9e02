/* SPDX-License-Identifier: BSD-3-Clause */
/* A page of the tree's hash table costs one page fault: it is not read before its first entry is written. */
#include "tests/support/unit.h"

#include <sys/resource.h>

#define PAGES 128 /* of the table */

static long faults(void)
{
	struct rusage usage;
	assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_minflt;
}

static void a_page_is_written_first(void **state)
{
	enum { NODES = 20 * PAGES }; /* in nearly all pages */
	const long nodes = NODES * sizeof(struct heddle_node) / 4096;
	(void)state;
	if (UNDER_ASAN || UNDER_TSAN || sysconf(_SC_PAGESIZE) != 4096)
		skip();
	long before = faults();
	for (uint64_t place = 1; place <= NODES; place++)
		heddle__tree_child(HEDDLE_TREE_ROOT, HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0), place);
	long page_faults = faults() - before;
	assert_true(page_faults < PAGES + nodes + PAGES / 2);
	for (uint64_t place = 1; place <= NODES; place++)
		heddle__tree_child(HEDDLE_TREE_ROOT, HEDDLE_NODE_META(HEDDLE_NODE_FRAME, 0), place);
	assert_int_equal(heddle__tree_count(), NODES + 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_page_is_written_first)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
