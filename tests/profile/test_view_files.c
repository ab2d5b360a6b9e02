/* SPDX-License-Identifier: BSD-3-Clause */
/* If an event reports a region by the compiler's name of a file, the region gets the file's full path if certain. */
#include "tests/profile/view_text.h"

#include <string.h>

static void expect_file(const char *text, const char *label, const char *wanted)
{
	struct view_from_text made;
	const char *found = NULL;
	make_view(&made, text, USER_LEVEL);
	for (size_t i = 0; i < made.view.label_count; i++)
		if (strcmp(made.view.labels[i].text, label) == 0)
			found = made.view.labels[i].file;
	assert_non_null(found);
	assert_string_equal(found, wanted);
	free_view(&made);
}

static void the_path_of_a_function_completes_it(void **state)
{
	(void)state;
	expect_file("def main /home/you/src/cg.upc:10\n"
		    "frame main /home/you/src/cg.upc:12\n"
		    "  source get cg.upc:67 | visits 1\n",
		"get @cg.upc:67", "/home/you/src/cg.upc");
	expect_file("def main /home/you/src/cg.upc:10\n"
		    "frame main /home/you/src/cg.upc:12\n"
		    "  source get ./src/cg.upc:67 | visits 1\n",
		"get @cg.upc:67", "/home/you/src/cg.upc");
}

static void a_part_of_a_name_is_another_file(void **state)
{
	(void)state;
	expect_file("def main /home/you/src/mycg.upc:10\n"
		    "frame main /home/you/src/mycg.upc:12\n"
		    "  source get cg.upc:67 | visits 1\n",
		"get @cg.upc:67", "cg.upc");
}

static void of_two_paths_none_is_chosen(void **state)
{
	(void)state;
	expect_file("def main /home/you/one/cg.upc:10\n"
		    "def other /home/you/two/cg.upc:10\n"
		    "frame main /home/you/one/cg.upc:12\n"
		    "  frame other /home/you/two/cg.upc:12\n"
		    "    source get cg.upc:67 | visits 1\n",
		"get @cg.upc:67", "cg.upc");
}

static void headers_of_the_system_are_not_meant(void **state)
{
	(void)state;
	expect_file("def main /usr/include/c++/12/list.h:10\n"
		    "frame main /usr/include/c++/12/list.h:12\n"
		    "  source get list.h:67 | visits 1\n",
		"get @list.h:67", "list.h");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_path_of_a_function_completes_it),
		cmocka_unit_test(a_part_of_a_name_is_another_file),
		cmocka_unit_test(of_two_paths_none_is_chosen),
		cmocka_unit_test(headers_of_the_system_are_not_meant),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
