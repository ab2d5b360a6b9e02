/* SPDX-License-Identifier: BSD-3-Clause */
/* Where regions, phases, blocks and functions are placed between frames, their labels, and their values. */
#include "tests/profile/view_text.h"

#include <string.h>

#define INLINED              \
	"def solve a.c:10\n" \
	"def step a.c:20\n"  \
	"def cell a.c:30\n"

static void inlined_functions_are_nodes_of_their_own(void **state)
{
	(void)state;
	check_view(INLINED "frame solve a.c:12 > step a.c:21 > cell a.c:31 | samples 1\n"
			   "frame solve a.c:12 > step a.c:22 | samples 2\n"
			   "frame solve a.c:15 | samples 4\n",
		USER_LEVEL,
		"solve | samples 4\n"
		"  step | samples 2\n"
		"    cell | samples 1\n");
	check_view(INLINED "frame solve a.c:12 > step a.c:21 | samples 1\n"
			   "frame solve a.c:12 > step a.c:22 | samples 2\n",
		WITH_LINES,
		"solve a.c:12\n"
		"  step a.c:22 | samples 2\n"
		"  step a.c:21 | samples 1\n");
}

/* Events report a function by its entry; a sample may be at the same instruction. */
static void a_function_known_by_its_entry_is_the_function(void **state)
{
	(void)state;
	check_view(INLINED "frame solve a.c:12 > step a.c:21 {entry} | visits 3\n"
			   "frame cell a.c:31 > step a.c:21 {entry} | samples 5\n",
		USER_LEVEL,
		"cell\n"
		"  step | samples 5\n"
		"solve | visits 3\n");
}

static void a_source_region_stands_under_the_function_whose_lines_hold_it(void **state)
{
	(void)state;
	/* Opened in step, while the frame's place is in cell: samples in cell are inside the region. */
	check_view(INLINED "frame solve a.c:12 > step a.c:21 > cell a.c:31\n"
			   "  source get a.c:25 | visits 2 samples 3\n",
		USER_LEVEL,
		"solve\n"
		"  step\n"
		"    get @a.c:25 | visits 2\n"
		"      cell | samples 3\n");
	/* Opened in solve: all inlined functions are inside. */
	check_view(INLINED "frame solve a.c:12 > step a.c:21 > cell a.c:31\n"
			   "  source get a.c:14 | visits 2 samples 3\n",
		USER_LEVEL,
		"solve\n"
		"  get @a.c:14 | visits 2\n"
		"    step\n"
		"      cell | samples 3\n");
	/* Opened in none of the functions at that place. */
	check_view(INLINED "frame solve a.c:12 > step a.c:21\n"
			   "  source get b.c:14 | visits 2 samples 3\n",
		USER_LEVEL,
		"solve\n"
		"  step\n"
		"    get @b.c:14 | samples 3 visits 2\n");
}

static void regions_of_one_frame_nest(void **state)
{
	(void)state;
	check_view(INLINED "frame solve a.c:12 > step a.c:21 > cell a.c:31\n"
			   "  source get a.c:14 | visits 1\n"
			   "    source get a.c:25 | visits 2 samples 3\n",
		USER_LEVEL,
		"solve\n"
		"  get @a.c:14 | visits 1\n"
		"    step\n"
		"      get @a.c:25 | visits 2\n"
		"        cell | samples 3\n");
	/* The inner region's function is outside of the outer region: it contains what the outer region contains. */
	check_view(INLINED "frame solve a.c:12 > step a.c:21 > cell a.c:31\n"
			   "  source get a.c:25 | visits 1\n"
			   "    source get a.c:14 | visits 2 samples 3\n",
		USER_LEVEL,
		"solve\n"
		"  step\n"
		"    get @a.c:25 | visits 1\n"
		"      get @a.c:14 | visits 2\n"
		"        cell | samples 3\n");
}

static void a_state_ends_the_search_for_who_opened_a_region(void **state)
{
	(void)state;
	check_view(INLINED "frame solve a.c:12 > step a.c:21\n"
			   "  state PARTIAL\n"
			   "    source get a.c:14 | visits 2\n",
		USER_LEVEL,
		"solve\n"
		"  step\n"
		"    [partial path]\n"
		"      get @a.c:14 | visits 2\n");
}

/* The phase was opened in step, as its counted node shows: its samples elsewhere in the frame are placed there. */
static void a_phase_stands_under_the_function_that_opened_it(void **state)
{
	(void)state;
	check_view(INLINED "frame solve a.c:12 > step a.c:21\n"
			   "  phase p | visits 1 wall-time 9\n"
			   "frame solve a.c:12 > step a.c:22 > cell a.c:31\n"
			   "  phase p | samples 5\n",
		USER_LEVEL,
		"solve\n"
		"  step\n"
		"    phase p | wall-time 9 visits 1\n"
		"      cell | samples 5\n");
	/* The phase has no count: it is placed where its samples are. */
	check_view(INLINED "frame solve a.c:12 > step a.c:22 > cell a.c:31\n"
			   "  phase p | samples 5\n",
		USER_LEVEL,
		"solve\n"
		"  step\n"
		"    cell\n"
		"      phase p | samples 5\n");
	/* The opener of another phase does not count. */
	check_view(INLINED "frame solve a.c:12 > step a.c:21\n"
			   "  phase p | visits 1\n"
			   "frame solve a.c:12 > step a.c:22 > cell a.c:31\n"
			   "  phase q | samples 5\n",
		USER_LEVEL,
		"solve\n"
		"  step\n"
		"    cell\n"
		"      phase q | samples 5\n"
		"    phase p | visits 1\n");
}

static void the_longest_known_opener_of_a_phase_counts(void **state)
{
	(void)state;
	check_view(INLINED "def heddle_begin heddle.h:5 heddle\n"
			   "frame solve a.c:12\n"
			   "  phase p | visits 1\n"
			   "frame solve a.c:12 > step a.c:21 > heddle_begin heddle.h:6\n"
			   "  phase p | visits 2\n"
			   "frame solve a.c:12 > step a.c:22 > cell a.c:31\n"
			   "  phase p | samples 5\n",
		USER_LEVEL,
		"solve\n"
		"  step\n"
		"    phase p | visits 2\n"
		"      cell | samples 5\n"
		"  phase p | visits 1\n");
	/* The order in which they are found does not matter. */
	check_view(INLINED "frame solve a.c:12 > step a.c:21\n"
			   "  phase p | visits 2\n"
			   "frame solve a.c:12 > cell a.c:31\n"
			   "  phase q | visits 1\n"
			   "frame solve a.c:12\n"
			   "  phase p | visits 1\n"
			   "frame solve a.c:12 > step a.c:22 > cell a.c:31\n"
			   "  phase p | samples 5\n",
		USER_LEVEL,
		"solve\n"
		"  step\n"
		"    phase p | visits 2\n"
		"      cell | samples 5\n"
		"  cell\n"
		"    phase q | visits 1\n"
		"  phase p | visits 1\n");
}

/* A block's path shows where it was opened; inlined code elsewhere in the frame runs inside it. */
static void a_block_stands_under_the_function_that_opened_it(void **state)
{
	(void)state;
	check_view(INLINED "frame solve a.c:12 > step a.c:22 > cell a.c:31\n"
			   "  region masked solve a.c:12 > step a.c:24 | samples 5 visits 1\n",
		USER_LEVEL,
		"solve\n"
		"  step\n"
		"    omp masked @a.c:24 | visits 1\n"
		"      cell | samples 5\n");
	/* No function in common: placed below the frame. */
	check_view(INLINED "frame solve a.c:12 > step a.c:22\n"
			   "  region loop cell a.c:33 | samples 5\n",
		USER_LEVEL,
		"solve\n"
		"  step\n"
		"    omp loop @a.c:33 | samples 5\n");
	/* A wait is not a block. */
	check_view(INLINED "frame solve a.c:12 > step a.c:22 > cell a.c:31\n"
			   "  region barrier solve a.c:12 > step a.c:24 | wall-time 5\n",
		USER_LEVEL,
		"solve\n"
		"  step\n"
		"    cell\n"
		"      omp barrier @a.c:24 | wall-time 5\n");
}

static void with_lines_the_opener_s_own_lines_stand_in_its_block(void **state)
{
	(void)state;
	check_view(INLINED "frame solve a.c:12 > step a.c:22\n"
			   "  region masked solve a.c:11 | samples 5\n",
		WITH_LINES,
		"omp masked @a.c:11\n"
		"  solve a.c:12\n"
		"    step a.c:22 | samples 5\n");
	/* Only in regions of a kind in which code was seen to run. */
	check_view(INLINED "frame solve a.c:12 > step a.c:22\n"
			   "  region masked solve a.c:11 | visits 5\n",
		WITH_LINES,
		"solve a.c:12\n"
		"  omp masked @a.c:11 | visits 5\n");
}

/* Values of samples belong to the code, values of events to the region. */
static void values_go_to_the_region_or_to_the_code_inside(void **state)
{
	(void)state;
	check_view(INLINED
		"frame solve a.c:12 > step a.c:21\n"
		"  source get a.c:14 | samples 1 cpu-time 2 wall-time 3 visits 4 bytes-got 5 local-accesses 6\n",
		USER_LEVEL,
		"solve\n"
		"  get @a.c:14 | visits 4 bytes-got 5 local-accesses 6\n"
		"    step | samples 1 cpu-time 2 wall-time 3\n");
}

static void a_region_is_called_by_its_event_and_place(void **state)
{
	(void)state;
	check_view("def 0x77 a.c:0 unknown\n"
		   "region parallel | visits 1\n"
		   "region parallel main a.c:5 | visits 2\n"
		   "region parallel main a.c:0 | visits 3\n"
		   "region parallel 0x77 a.c:0 | visits 4\n"
		   "source get dir/b.upc:7 | visits 5\n"
		   "source get b.upc:0 | visits 6\n"
		   "source get :0 | visits 7\n"
		   "source upc-barrier _INIT_BARRIER:0 | visits 8\n"
		   "source upc-barrier _INIT.upc:0 | visits 9\n",
		USER_LEVEL,
		"omp parallel | visits 1\n"
		"omp parallel @a.c:5 | visits 2\n"
		"omp parallel @main+0x10 | visits 3\n"
		"omp parallel @a+0x1020 | visits 4\n"
		"get @b.upc:7 | visits 5\n"
		"get @b.upc | visits 6\n"
		"get | visits 7\n"
		"barrier (init barrier) | visits 8\n"
		"barrier @_INIT.upc | visits 9\n");
}

static void states_stand_in_brackets(void **state)
{
	(void)state;
	check_view("state OVERHEAD | samples 3\n"
		   "state IDLE | samples 2\n"
		   "state LOCK_WAIT | samples 1\n",
		USER_LEVEL,
		"[omp overhead] | samples 3\n"
		"[omp idle] | samples 2\n"
		"[lock wait] | samples 1\n");
}

static void a_function_told_below_its_own_frame_is_that_frame(void **state)
{
	(void)state;
	check_view("frame solve a.c:1 | samples 1\n"
		   "  told solve | visits 2\n",
		USER_LEVEL, "solve | samples 1 visits 2\n");
	check_view("frame solve a.c:1\n"
		   "  frame hook a.c:2\n"
		   "    frame hook2 a.c:2\n"
		   "      told int*solve(int) | visits 2\n",
		USER_LEVEL, "solve | visits 2\n");
	/* Too far above, or only a part of another name. */
	check_view("frame solve a.c:1\n"
		   "  frame hook a.c:2\n"
		   "    frame hook2 a.c:2\n"
		   "      frame hook3 a.c:2\n"
		   "        told solve | visits 2\n"
		   "frame olve a.c:1\n"
		   "  told solve | visits 3\n",
		USER_LEVEL,
		"solve\n"
		"  hook\n"
		"    hook2\n"
		"      hook3\n"
		"        solve | visits 2\n"
		"olve\n"
		"  solve | visits 3\n");
}

/* Only UPC programs have this name for main. */
static void another_upc_compiler_s_main_is_main(void **state)
{
	(void)state;
	check_view("told user_main | wall-time 1\n"
		   "  source get a.upc:3 | visits 1\n",
		USER_LEVEL,
		"main | wall-time 1\n"
		"  get @a.upc:3 | visits 1\n");
	check_view("told user_main | wall-time 1\n", USER_LEVEL, "user_main | wall-time 1\n");
}

static void equal_names_of_different_functions_stay_apart(void **state)
{
	(void)state;
	check_view("def _Z1 a.c:1 as=solve\n"
		   "def _Z2 a.c:1 as=solve\n"
		   "frame _Z1 a.c:2 | samples 2\n"
		   "frame _Z2 a.c:2 | samples 1\n"
		   "frame _Z1 a.c:3 | samples 4\n",
		USER_LEVEL,
		"solve | samples 6\n"
		"solve | samples 1\n");
}

static void unprintable_bytes_are_replaced(void **state)
{
	(void)state;
	check_view("phase a\tb\177 | visits 1\n", USER_LEVEL, "phase a?b? | visits 1\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(inlined_functions_are_nodes_of_their_own),
		cmocka_unit_test(a_function_known_by_its_entry_is_the_function),
		cmocka_unit_test(a_source_region_stands_under_the_function_whose_lines_hold_it),
		cmocka_unit_test(regions_of_one_frame_nest),
		cmocka_unit_test(a_state_ends_the_search_for_who_opened_a_region),
		cmocka_unit_test(a_phase_stands_under_the_function_that_opened_it),
		cmocka_unit_test(the_longest_known_opener_of_a_phase_counts),
		cmocka_unit_test(a_block_stands_under_the_function_that_opened_it),
		cmocka_unit_test(with_lines_the_opener_s_own_lines_stand_in_its_block),
		cmocka_unit_test(values_go_to_the_region_or_to_the_code_inside),
		cmocka_unit_test(a_region_is_called_by_its_event_and_place),
		cmocka_unit_test(states_stand_in_brackets),
		cmocka_unit_test(a_function_told_below_its_own_frame_is_that_frame),
		cmocka_unit_test(another_upc_compiler_s_main_is_main),
		cmocka_unit_test(equal_names_of_different_functions_stay_apart),
		cmocka_unit_test(unprintable_bytes_are_replaced),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
