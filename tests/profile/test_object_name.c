/* SPDX-License-Identifier: BSD-3-Clause */
/* The variable that the result of an allocation is assigned to, found in the source text. */
#include "tests/support/unit.h"

#include "profile/view/object.h"

#include <stdlib.h>
#include <string.h>

/* Returns the name for one of the calls in the line that contains "HERE", or "" if there is none. */
static const char *name_of_call(const char *source, uint32_t call, uint32_t calls)
{
	static char name[64];
	struct profile_object_call it = {.function = "upc_alloc", .line = 1, .call = call, .calls = calls};
	const char *mark = strstr(source, "HERE");
	for (const char *at = source; mark && at < mark; at++)
		it.line += *at == '\n';
	char *text = strdup(source);
	profile_object_blank(text);
	enum profile_object_use use = profile_object_use(text, &it, name, sizeof(name));
	free(text);
	return use == PROFILE_OBJECT_ASSIGNED ? name : use == PROFILE_OBJECT_RETURNED ? "return" : "";
}

static const char *name_in(const char *source)
{
	return name_of_call(source, 0, 0);
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
	assert_string_equal(name_in("return upc_alloc(8); // HERE"), "return");
	assert_string_equal(name_in("return (shared int *)(upc_alloc(8)); // HERE"), "return");
	assert_string_equal(name_in("return n ? upc_alloc(n) : NULL; // HERE"), "return");
	assert_string_equal(name_in("returned = upc_alloc(8); // HERE"), "returned");
	assert_string_equal(name_in("{\n\tp = upc_alloc(8); // HERE\n\treturn p;\n}\n"), "return");
	assert_string_equal(
		name_in("{\n\tp = upc_alloc(8); // HERE\n\tif (!p) exit(1);\n\treturn (p);\n}\n"), "return");
	assert_string_equal(name_in("{\n\tp = upc_alloc(8); // HERE\n\treturn p + 1;\n}\n"), "p");
	assert_string_equal(name_in("{\n\tp = upc_alloc(8); // HERE\n\treturn pp;\n}\n"), "p");
	assert_string_equal(name_in("{\n\tp = upc_alloc(8); // HERE\n}\nf()\n{\n\treturn p;\n}\n"), "p");
	assert_string_equal(name_in("{\n\tp = upc_alloc(8); // HERE\n\t/* return p; */\n}\n"), "p");
}

static void calls_on_one_line_are_told_apart(void **state)
{
	const char *two = "rare = upc_alloc(8); hot = upc_alloc(9); // HERE";
	(void)state;
	assert_string_equal(name_of_call(two, 1, 2), "rare");
	assert_string_equal(name_of_call(two, 2, 2), "hot");
	assert_string_equal(name_of_call("shared int *a = upc_alloc(1), *b = upc_alloc(2); // HERE", 1, 2), "a");
	assert_string_equal(name_of_call("shared int *a = upc_alloc(1), *b = upc_alloc(2); // HERE", 2, 2), "b");
	assert_string_equal(name_of_call("p[0] = upc_alloc(1); s.q = upc_local_alloc(1, 2); // HERE", 2, 2), "s.q");
	assert_string_equal(name_of_call("a = f(\"upc_alloc(1)\"); b = upc_alloc(2); // HERE", 1, 1), "b");
	assert_string_equal(name_of_call("a = 1; /* upc_alloc(1) */ b = upc_alloc(2); // HERE upc_alloc(", 1, 1), "b");
	assert_string_equal(name_of_call("a =\n\tupc_alloc(1); b = upc_alloc(2); // HERE", 1, 2), "a");
}

static void a_line_with_other_calls_than_its_text_has_no_names(void **state)
{
	const char *two = "rare = upc_alloc(8); hot = upc_alloc(9); // HERE";
	(void)state;
	assert_string_equal(name_in(two), "");
	assert_string_equal(name_of_call(two, 1, 1), "");
	assert_string_equal(name_of_call(two, 2, 3), "");
	assert_string_equal(name_of_call("a = NEW(1); b = upc_alloc(2); // HERE", 1, 2), "");
	assert_string_equal(name_of_call("NEW(a); NEW(b); // HERE", 1, 2), "");
}

static void a_condition_is_part_of_the_assignment(void **state)
{
	const char *both = "p = n == 1 && f(a, b) ? upc_alloc(1) : (shared int *)upc_alloc(2); // HERE";
	(void)state;
	assert_string_equal(name_of_call(both, 1, 2), "p");
	assert_string_equal(name_of_call(both, 2, 2), "p");
	assert_string_equal(name_in("p = (n <= 1 ? q : upc_alloc(1)); // HERE"), "p");
	assert_string_equal(name_in("p = q; f(n ? upc_alloc(1) : q); // HERE"), "");
	assert_string_equal(name_in("p = q; case 1: upc_alloc(1); // HERE"), "");
	assert_string_equal(name_in("p = g(n ? upc_alloc(1) : q); // HERE"), "");
}

static void what_a_pointer_points_to_has_no_name(void **state)
{
	(void)state;
	assert_string_equal(name_in("*p = upc_alloc(8); // HERE"), "");
	assert_string_equal(name_in("a = 1; **p = upc_alloc(8); // HERE"), "");
	assert_string_equal(name_in("(*p) = upc_alloc(8); // HERE"), "");
	assert_string_equal(name_in("if (n) *p = upc_alloc(8); // HERE"), "");
	assert_string_equal(name_in("else *p = upc_alloc(8); // HERE"), "");
	assert_string_equal(name_in("n = 1, *p = upc_alloc(8); // HERE"), "");
	assert_string_equal(name_in("T *p = upc_alloc(8); // HERE"), "p");
	assert_string_equal(name_in("for (shared int *p = upc_alloc(8);;) // HERE"), "p");
	assert_string_equal(name_in("static shared [4] int *n, *p = upc_alloc(8); // HERE"), "p");
	assert_string_equal(name_in("shared int *const p = upc_alloc(8); // HERE"), "p");
}

static void comments_and_directives_are_blank(void **state)
{
	char text[] = "a /* b\nc */ = \"d\\\"\" '\\'' // e \\\nf\n #define g /* h\ni */ j \\\nk\nl";
	(void)state;
	profile_object_blank(text);
	assert_string_equal(text, "a     \n     = \"   \" '  '       \n \n               \n        \n \nl");
	assert_string_equal(name_in("a = /* the\nsecond */\n#ifdef X\n\tupc_alloc(8); // HERE"), "a");
}

static void a_line_that_is_not_there_has_no_name(void **state)
{
	(void)state;
	assert_string_equal(name_in("a = upc_alloc(8);\n// HERE"), "");
	assert_string_equal(name_in(""), "");
	assert_string_equal(name_in("a = upc_alloc(8);\n\nb = 1; // HERE"), "");
}

static void long_names_are_cut(void **state)
{
	char name[8], source[] = "a_very_long_name = upc_alloc(8);";
	struct profile_object_call call = {.function = "upc_alloc", .line = 1}, none = {.function = "", .line = 1};
	(void)state;
	assert_int_equal(profile_object_use(source, &call, name, sizeof(name)), PROFILE_OBJECT_ASSIGNED);
	assert_string_equal(name, "a_very_");
	assert_int_equal(profile_object_use(source, &none, name, sizeof(name)), PROFILE_OBJECT_UNKNOWN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_assignment_names_its_variable),
		cmocka_unit_test(members_and_subscripts_belong_to_the_name),
		cmocka_unit_test(an_assignment_may_begin_on_an_earlier_line),
		cmocka_unit_test(other_forms_have_no_name),
		cmocka_unit_test(what_is_returned_belongs_to_the_caller),
		cmocka_unit_test(calls_on_one_line_are_told_apart),
		cmocka_unit_test(a_line_with_other_calls_than_its_text_has_no_names),
		cmocka_unit_test(a_condition_is_part_of_the_assignment),
		cmocka_unit_test(what_a_pointer_points_to_has_no_name),
		cmocka_unit_test(comments_and_directives_are_blank),
		cmocka_unit_test(a_line_that_is_not_there_has_no_name),
		cmocka_unit_test(long_names_are_cut),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
