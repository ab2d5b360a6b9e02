/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursion is folded into the call that was open first. make_view compares each metric's sum with that of the tree. */
#include "profile/view/view_walk.h"

#include "tests/profile/view_text.h"

#include <stdlib.h>

#define FOLDED ((struct profile_view_options){.fold_recursion = true})

static void calls_of_itself_are_one_node(void **state)
{
	(void)state;
	check_view("frame main a.c:1 | samples 1\n"
		   "  frame fib a.c:1 | samples 2\n"
		   "    frame fib a.c:1 | samples 4\n"
		   "      frame add a.c:1 | samples 1\n"
		   "      frame fib a.c:1 | samples 8\n"
		   "    frame add a.c:1 | samples 3\n",
		FOLDED,
		"main | samples 1\n"
		"  fib (3 levels) | samples 14\n"
		"    add | samples 4\n");
}

static void calls_through_others_fold_onto_the_open_one(void **state)
{
	(void)state;
	check_view("frame main a.c:1\n"
		   "  frame even a.c:1 | samples 1\n"
		   "    frame odd a.c:1 | samples 2\n"
		   "      frame even a.c:1 | samples 4\n"
		   "        frame odd a.c:1 | samples 8\n"
		   "          frame leaf a.c:1 | samples 16\n",
		FOLDED,
		"main\n"
		"  even (2 levels) | samples 5\n"
		"    odd (2 levels) | samples 10\n"
		"      leaf | samples 16\n");
}

/* After a recursive call the path continues at the open node, so a function that folding has left is not above. */
static void a_callee_stands_below_its_caller(void **state)
{
	(void)state;
	check_view("frame a a.c:1\n"
		   "  frame b a.c:1\n"
		   "    frame a a.c:1\n"
		   "      frame c a.c:1\n"
		   "        frame b a.c:1 | samples 1\n"
		   "    frame leaf a.c:1 | samples 2\n",
		FOLDED,
		"a (2 levels)\n"
		"  b\n"
		"    leaf | samples 2\n"
		"  c\n"
		"    b (2 levels) | samples 1\n");
}

static void tasks_that_create_tasks_are_one_region(void **state)
{
	(void)state;
	check_view("frame main a.c:1\n"
		   "  frame fib a.c:1 | samples 1\n"
		   "    region parallel fib a.c:7 | visits 1\n"
		   "      frame fib a.c:1 | samples 2\n"
		   "        region parallel fib a.c:7 | visits 2\n"
		   "          frame fib a.c:1 | samples 4\n",
		FOLDED,
		"main\n"
		"  fib (3 levels) | samples 7\n"
		"    omp parallel @a.c:7 (2 levels) | visits 3\n");
}

static void equal_names_side_by_side_and_states_stay(void **state)
{
	(void)state;
	check_view("frame main a.c:1\n"
		   "  frame solve a.c:1 | samples 1\n"
		   "    state IDLE | samples 2\n"
		   "  state IDLE | samples 4\n"
		   "frame solve a.c:1 | samples 8\n",
		FOLDED,
		"solve | samples 8\n"
		"main\n"
		"  [omp idle] | samples 4\n"
		"  solve | samples 1\n"
		"    [omp idle] | samples 2\n");
}

static void without_the_option_each_level_is_a_node(void **state)
{
	(void)state;
	check_view("frame fib a.c:1 | samples 2\n  frame fib a.c:1 | samples 4\n", USER_LEVEL,
		"fib | samples 2\n  fib | samples 4\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(calls_of_itself_are_one_node),
		cmocka_unit_test(calls_through_others_fold_onto_the_open_one),
		cmocka_unit_test(a_callee_stands_below_its_caller),
		cmocka_unit_test(tasks_that_create_tasks_are_one_region),
		cmocka_unit_test(equal_names_side_by_side_and_states_stay),
		cmocka_unit_test(without_the_option_each_level_is_a_node),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
