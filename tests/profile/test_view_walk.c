/* SPDX-License-Identifier: BSD-3-Clause */
/* The order in which a view is walked, and sums over it. */
#include "profile/view/view_walk.h"

#include "tests/profile/view_text.h"

#include <stdlib.h>
#include <string.h>

/* Nodes in the order of the lines: 1 main, 2 small, 3 f, 4 g, 5 f again, 6 large, 7 even, 8 f outside of main. */
#define RECURSION                            \
	"frame main a.c:1 | samples 1\n"     \
	"  frame small a.c:1 | samples 2\n"  \
	"  frame f a.c:1 | samples 4\n"      \
	"    frame g a.c:1\n"                \
	"      frame f a.c:1 | samples 8\n"  \
	"  frame large a.c:1 | samples 50\n" \
	"  frame even a.c:1 | samples 2\n"   \
	"frame f a.c:1 | samples 16\n"

static void children_stand_by_their_sums_and_then_in_the_view_s_order(void **state)
{
	static const uint32_t by_sums[] = {0, 1, 6, 3, 4, 5, 2, 7, 8}, as_they_are[] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
	struct view_from_text made;
	struct profile_view_children children;
	(void)state;
	make_view(&made, RECURSION, USER_LEVEL);
	uint64_t *sums = profile_view_inclusive(&made.view, HEDDLE_METRIC_SAMPLES);
	assert_int_equal(profile_view_children_make(&children, &made.view, sums), 0);
	uint32_t *order = profile_view_depth_first(&made.view, &children);
	assert_memory_equal(order, by_sums, sizeof(by_sums));
	free(order);
	profile_view_children_free(&children);
	assert_int_equal(profile_view_children_make(&children, &made.view, NULL), 0);
	order = profile_view_depth_first(&made.view, &children);
	assert_memory_equal(order, as_they_are, sizeof(as_they_are));
	free(order);
	profile_view_children_free(&children);
	free(sums);
	free_view(&made);
}

static void sums_hold_all_that_is_below(void **state)
{
	static const uint64_t wanted[] = {83, 67, 2, 12, 8, 8, 50, 2, 16};
	struct view_from_text made;
	(void)state;
	make_view(&made, RECURSION, USER_LEVEL);
	uint64_t *sums = profile_view_inclusive(&made.view, HEDDLE_METRIC_SAMPLES);
	assert_memory_equal(sums, wanted, sizeof(wanted));
	assert_null(profile_view_inclusive(&made.view, HEDDLE_METRIC_VISITS));
	free(sums);
	free_view(&made);
}

static void recursion_is_counted_once(void **state)
{
	static const bool wanted[] = {true, true, true, true, true, false, true, true, true};
	struct view_from_text made;
	(void)state;
	make_view(&made, RECURSION, USER_LEVEL);
	bool *outermost = profile_view_outermost(&made.view);
	assert_memory_equal(outermost, wanted, sizeof(wanted));
	free(outermost);
	free_view(&made);
}

static void depths_are_counted_from_the_program(void **state)
{
	static const uint32_t wanted[] = {0, 1, 2, 2, 3, 4, 2, 2, 1};
	struct view_from_text made;
	(void)state;
	make_view(&made, RECURSION, USER_LEVEL);
	uint32_t *depths = profile_view_depths(&made.view);
	assert_memory_equal(depths, wanted, sizeof(wanted));
	free(depths);
	free_view(&made);
}

static void views_of_other_paths_have_other_fingerprints(void **state)
{
	static const char *const texts[] = {"frame main a.c:1\n  frame f a.c:1\n", "frame main a.c:1\nframe f a.c:1\n",
		"frame main a.c:1\n  frame g a.c:1\n", "frame main a.c:1\n", "frame main a.c:1\n  told f\n"};
	struct view_from_text made;
	uint64_t prints[5];
	(void)state;
	for (size_t i = 0; i < 5; i++) {
		make_view(&made, texts[i], USER_LEVEL);
		prints[i] = profile_view_fingerprint(&made.view);
		free_view(&made);
		for (size_t k = 0; k < i; k++)
			assert_true(prints[k] != prints[i]);
	}
	make_view(&made, "frame main a.c:1 | samples 3\n  frame f a.c:2\n", USER_LEVEL);
	assert_true(profile_view_fingerprint(&made.view) == prints[0]);
	free_view(&made);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(children_stand_by_their_sums_and_then_in_the_view_s_order),
		cmocka_unit_test(sums_hold_all_that_is_below),
		cmocka_unit_test(recursion_is_counted_once),
		cmocka_unit_test(depths_are_counted_from_the_program),
		cmocka_unit_test(views_of_other_paths_have_other_fingerprints),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
