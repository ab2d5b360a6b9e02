/* SPDX-License-Identifier: BSD-3-Clause */
/* The lines at which the paths of a view run. make_view checks in each view that sites follow their nodes. */
#include "tests/profile/view_text.h"

#include <stdlib.h>
#include <string.h>

#define FUNCTIONS            \
	"def solve a.c:10\n" \
	"def step a.c:20\n"  \
	"def cell a.c:30\n"

static void check_sites(const char *text, struct profile_view_options options, const char *wanted)
{
	struct view_from_text made;
	make_view(&made, text, options);
	char *got = print_sites(&made);
	assert_string_equal(got, wanted);
	free(got);
	free_view(&made);
}

static void a_function_has_a_site_for_each_line(void **state)
{
	(void)state;
	check_sites(FUNCTIONS "frame solve a.c:12\n"
			      "  frame step a.c:21 | samples 1\n"
			      "frame solve a.c:15 | samples 4\n",
		USER_LEVEL,
		"solve at a.c:12\n"
		"  step at a.c:21\n"
		"solve at a.c:15\n");
	check_sites(FUNCTIONS "frame solve a.c:12\n"
			      "  frame step a.c:21 | samples 1\n",
		WITH_LINES,
		"solve a.c:12 at a.c:12\n"
		"  step a.c:21 at a.c:21\n");
}

static void inlined_functions_are_at_the_place_of_their_caller(void **state)
{
	(void)state;
	check_sites(FUNCTIONS "frame solve a.c:12 > step a.c:21 > cell a.c:31 | samples 1\n"
			      "  frame solve a.c:13 | samples 1\n",
		USER_LEVEL,
		"solve at a.c:12\n"
		"  step at a.c:21 inlined\n"
		"    cell at a.c:31 inlined\n"
		"      solve at a.c:13\n");
}

/* Functions inlined into a region are no longer at the place of the function above it. */
static void a_region_keeps_the_lines_of_what_was_inlined_into_it(void **state)
{
	(void)state;
	check_sites(FUNCTIONS "frame solve a.c:12 > step a.c:21 > cell a.c:31\n"
			      "  source get a.c:14 | visits 2 samples 3\n",
		USER_LEVEL,
		"solve at a.c:12\n"
		"  step at a.c:21 inlined\n"
		"    cell at a.c:31 inlined\n"
		"  get @a.c:14 at a.c:14\n"
		"    step at a.c:21\n"
		"      cell at a.c:31 inlined\n");
}

static void the_lines_of_a_body_are_those_of_its_region(void **state)
{
	(void)state;
	check_sites("def main a.c:10\ndef body a.c:11 outlined\n"
		    "frame main a.c:11\n"
		    "  region parallel main a.c:11 | visits 1\n"
		    "    outlined body a.c:12 | samples 1\n"
		    "    outlined body a.c:13\n"
		    "      frame work a.c:5 | samples 1\n",
		USER_LEVEL,
		"main at a.c:11\n"
		"  omp parallel @a.c:11 at a.c:11\n"
		"  omp parallel @a.c:11 at a.c:12\n"
		"  omp parallel @a.c:11 at a.c:13\n"
		"    work at a.c:5\n");
}

/* Clang reports a loop inside the region: its samples belong to the body, too. */
static void a_construct_in_a_body_has_the_lines_of_the_body(void **state)
{
	(void)state;
	check_sites("def main a.c:10\ndef body a.c:11 outlined\n"
		    "frame main a.c:11\n"
		    "  region parallel main a.c:11 | visits 1\n"
		    "    outlined body a.c:12 | samples 1\n"
		    "      region loop body a.c:11 | visits 2 samples 3\n"
		    "    outlined body a.c:13\n"
		    "      region loop body a.c:11 | samples 4\n",
		USER_LEVEL,
		"main at a.c:11\n"
		"  omp parallel @a.c:11 at a.c:11\n"
		"  omp parallel @a.c:11 at a.c:12\n"
		"    omp loop @a.c:11 at a.c:11\n"
		"    omp loop @a.c:11 at a.c:12\n"
		"  omp parallel @a.c:11 at a.c:13\n"
		"    omp loop @a.c:11 at a.c:11\n"
		"    omp loop @a.c:11 at a.c:13\n");
}

static void a_phase_has_the_lines_of_its_function(void **state)
{
	(void)state;
	check_sites(FUNCTIONS "frame solve a.c:12\n"
			      "  phase setup | visits 1 samples 2\n"
			      "frame solve a.c:13\n"
			      "  phase setup | samples 3\n",
		USER_LEVEL,
		"solve at a.c:12\n"
		"  phase setup\n"
		"  phase setup at a.c:12\n"
		"solve at a.c:13\n"
		"  phase setup\n"
		"  phase setup at a.c:13\n");
}

static void what_is_inlined_into_a_body_is_called_at_its_line(void **state)
{
	(void)state;
	check_sites("def main a.c:10\ndef body a.c:11 outlined\ndef cell a.c:30\n"
		    "frame main a.c:11\n"
		    "  region parallel main a.c:11 | visits 1\n"
		    "    outlined body a.c:12 > cell a.c:31 | samples 1\n",
		USER_LEVEL,
		"main at a.c:11\n"
		"  omp parallel @a.c:11 at a.c:11\n"
		"  omp parallel @a.c:11 at a.c:12\n"
		"    cell at a.c:31 inlined\n");
}

static void what_is_folded_away_is_nowhere(void **state)
{
	(void)state;
	check_sites("frame main a.c:11\n"
		    "  runtime fork r.c:1\n"
		    "    state IDLE | samples 2\n"
		    "    frame work a.c:5 | samples 1\n",
		USER_LEVEL,
		"main at a.c:11\n"
		"  [omp idle]\n"
		"  work at a.c:5\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_function_has_a_site_for_each_line),
		cmocka_unit_test(inlined_functions_are_at_the_place_of_their_caller),
		cmocka_unit_test(a_region_keeps_the_lines_of_what_was_inlined_into_it),
		cmocka_unit_test(the_lines_of_a_body_are_those_of_its_region),
		cmocka_unit_test(a_construct_in_a_body_has_the_lines_of_the_body),
		cmocka_unit_test(a_phase_has_the_lines_of_its_function),
		cmocka_unit_test(what_is_inlined_into_a_body_is_called_at_its_line),
		cmocka_unit_test(what_is_folded_away_is_nowhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
