/* SPDX-License-Identifier: BSD-3-Clause */
/* What the result of an allocation is assigned to, by the text of the source. */
#include "tests/support/unit.h"

#include "profile/object.h"

#include <string.h>

/* The name at the line that holds "HERE", or "" if there is none. */
static const char *name_in(const char *source)
{
	static char name[64];
	uint32_t line = 1;
	const char *mark = strstr(source, "HERE");
	for (const char *at = source; mark && at < mark; at++)
		line += *at == '\n';
	return profile_object_assigned(source, line, "upc_alloc", name, sizeof(name)) ? name : "";
}

static void an_assignment_names_its_variable(void **state)
{
	(void)state;
	assert_string_equal(name_in("a = upc_alloc(8); // HERE"), "a");
	assert_string_equal(name_in("\n\n\tlabel=upc_alloc (8); // HERE"), "label");
	assert_string_equal(name_in("shared [] int *first = upc_alloc(8); // HERE"), "first");
	assert_string_equal(name_in("shared int *x, *y = (shared int *)upc_alloc(n * sizeof(int)); // HERE"), "y");
	assert_string_equal(name_in("if ((p = upc_alloc(8)) == NULL) // HERE"), "p");
	assert_string_equal(name_in("a = 0; b = upc_alloc(8); // HERE"), "b");
}

static void members_and_subscripts_belong_to_the_name(void **state)
{
	(void)state;
	assert_string_equal(name_in("strips[MYTHREAD].now = upc_alloc(8); // HERE"), "strips[].now");
	assert_string_equal(name_in("list->next[f(a[1], 2)] = upc_alloc(8); // HERE"), "list->next[]");
	assert_string_equal(name_in("a [ i ] [ j ] = upc_alloc(8); // HERE"), "a[][]");
	assert_string_equal(name_in("*p = upc_alloc(8); // HERE"), "p");
	assert_string_equal(name_in("p[i] = (shared void *)((char)0, (shared int *)upc_alloc(8)); // HERE"), "");
}

static void an_assignment_may_begin_on_an_earlier_line(void **state)
{
	(void)state;
	assert_string_equal(name_in("part =\n\t(shared [] int *)\n\tupc_alloc(8); // HERE"), "part");
	assert_string_equal(name_in("part[MYTHREAD]\n\t=\n\tupc_alloc(8); // HERE"), "part[]");
}

static void other_forms_have_no_name(void **state)
{
	(void)state;
	assert_string_equal(name_in("return upc_alloc(8); // HERE"), "");
	assert_string_equal(name_in("f(upc_alloc(8)); // HERE"), "");
	assert_string_equal(name_in("if (a == upc_alloc(8)) // HERE"), "");
	assert_string_equal(name_in("a += upc_alloc(8); // HERE"), "");
	assert_string_equal(name_in("a = my_upc_alloc(8); // HERE"), "");
	assert_string_equal(name_in("a = upc_allocate(8); // HERE"), "");
	assert_string_equal(name_in("a = ALLOC(8); // HERE"), "");
	assert_string_equal(name_in("= upc_alloc(8); // HERE"), "");
	assert_string_equal(name_in("] = upc_alloc(8); // HERE"), "");
	assert_string_equal(name_in(") upc_alloc(8); // HERE"), "");
	assert_string_equal(name_in("// HERE"), "");
	assert_string_equal(name_in("3 = upc_alloc(8); // HERE"), "");
}

static void what_is_returned_belongs_to_the_caller(void **state)
{
	(void)state;
	assert_string_equal(name_in("{\n\tp = upc_alloc(8); // HERE\n\treturn p;\n}\n"), "");
	assert_string_equal(name_in("{\n\tp = upc_alloc(8); // HERE\n\tif (!p) exit(1);\n\treturn (p);\n}\n"), "");
	assert_string_equal(name_in("{\n\tp = upc_alloc(8); // HERE\n\treturn p + 1;\n}\n"), "p");
	assert_string_equal(name_in("{\n\tp = upc_alloc(8); // HERE\n\treturn pp;\n}\n"), "p");
	assert_string_equal(name_in("{\n\tp = upc_alloc(8); // HERE\n}\nf()\n{\n\treturn p;\n}\n"), "p");
}

static void a_line_that_is_not_there_has_no_name(void **state)
{
	char name[16];
	(void)state;
	assert_false(profile_object_assigned("a = upc_alloc(8);", 2, "upc_alloc", name, sizeof(name)));
	assert_false(profile_object_assigned("", 1, "upc_alloc", name, sizeof(name)));
	assert_false(profile_object_assigned("a = upc_alloc(8);\n\nb = 1;", 3, "upc_alloc", name, sizeof(name)));
	assert_false(profile_object_assigned("a = upc_alloc(8);", 1, "", name, sizeof(name)));
}

static void a_long_name_is_cut(void **state)
{
	char name[8];
	(void)state;
	assert_true(profile_object_assigned("a_very_long_name = upc_alloc(8);", 1, "upc_alloc", name, sizeof(name)));
	assert_string_equal(name, "a_very_");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_assignment_names_its_variable),
		cmocka_unit_test(members_and_subscripts_belong_to_the_name),
		cmocka_unit_test(an_assignment_may_begin_on_an_earlier_line),
		cmocka_unit_test(other_forms_have_no_name),
		cmocka_unit_test(what_is_returned_belongs_to_the_caller),
		cmocka_unit_test(a_line_that_is_not_there_has_no_name),
		cmocka_unit_test(a_long_name_is_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
