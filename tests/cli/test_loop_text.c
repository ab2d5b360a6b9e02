/* SPDX-License-Identifier: BSD-3-Clause */
/* What `heddle advise` reads from the source of a loop: which indices need no remote data. */
#include "tests/support/unit.h"

#include "cli/advise/source.h"

static const char cc[] = "upc_forall (int i = 0; i < edges; i++; &edge[i]) { /* label[to] */\n"
			 "	int from = label[edge[i].from];\n"
			 "	int to = label[edge [ i ].to];\n"
			 "	if (from < to) {\n"
			 "		label[to] = label[from]; // label[0]\n"
			 "		above[to] = from;\n"
			 "	}\n"
			 "	char *text = \"label[9]\";\n"
			 "}\n"
			 "upc_forall (i = 0; i < n; i++; &label[i])\n"
			 "	while (label[i] != label[label[i]]) label[i] = label[label[i]];\n"
			 "x = label[3];\n"
			 "upc_forall (i = 0; i < n; i++; i)\n"
			 "{\n"
			 "	int place = start[i], k;\n"
			 "	k = place + 1;\n"
			 "	for (k += 2; k <= last; k++)\n"
			 "		sum[i] += matrix[k] * vector[column[k]];\n"
			 "	vector[p->column] = vector[column[2 * i + 1] == column[3]];\n"
			 "	plate[i] [start[i]] = 2 * plate[i - 1][i];\n"
			 "}\n";

static enum heddle_index index_of(uint32_t loop, const char *const *remote, const char *variable, uint32_t line)
{
	struct heddle_loop_text text;
	assert_true(heddle__loop_text_make(&text, cc, loop, remote));
	enum heddle_index found = heddle__loop_text_index(&text, variable, line);
	heddle__loop_text_free(&text);
	return found;
}

static void members_and_own_elements_are_known(void **state)
{
	static const char *const label[] = {"label", NULL};
	(void)state;
	assert_int_equal(index_of(1, label, "label", 2), HEDDLE_INDEX_KNOWN);
	assert_int_equal(index_of(1, label, "label", 3), HEDDLE_INDEX_KNOWN);
}

static void what_was_got_is_not_known(void **state)
{
	static const char *const label[] = {"label", NULL}, *const edge[] = {"edge", NULL};
	(void)state;
	assert_int_equal(index_of(1, label, "label", 5), HEDDLE_INDEX_UNKNOWN);
	assert_int_equal(index_of(1, label, "above", 6), HEDDLE_INDEX_UNKNOWN);
	assert_int_equal(index_of(1, edge, "label", 5), HEDDLE_INDEX_KNOWN);
}

static void the_own_element_may_change(void **state)
{
	static const char *const label[] = {"label", NULL};
	(void)state;
	assert_int_equal(index_of(10, label, "label", 11), HEDDLE_INDEX_GUESSED);
}

static void values_pass_through_variables(void **state)
{
	static const char *const start[] = {"start", NULL}, *const column[] = {"column", NULL},
				 *const vector[] = {"vector", NULL};
	(void)state;
	assert_int_equal(index_of(13, start, "matrix", 18), HEDDLE_INDEX_UNKNOWN);
	assert_int_equal(index_of(13, start, "column", 18), HEDDLE_INDEX_UNKNOWN);
	assert_int_equal(index_of(13, column, "matrix", 18), HEDDLE_INDEX_KNOWN);
	assert_int_equal(index_of(13, column, "vector", 18), HEDDLE_INDEX_UNKNOWN);
	assert_int_equal(index_of(13, vector, "vector", 18), HEDDLE_INDEX_KNOWN);
	assert_int_equal(index_of(13, column, "column", 19), HEDDLE_INDEX_KNOWN);
	assert_int_equal(index_of(13, start, "vector", 19), HEDDLE_INDEX_KNOWN);
	assert_int_equal(index_of(13, start, "plate", 20), HEDDLE_INDEX_UNKNOWN);
	assert_int_equal(index_of(13, vector, "plate", 20), HEDDLE_INDEX_KNOWN);
}

/* In comments and literals, outside of the loop, in lines without such an access. */
static void other_text_is_none(void **state)
{
	static const char *const label[] = {"label", NULL};
	struct heddle_loop_text text;
	(void)state;
	assert_int_equal(index_of(1, label, "label", 1), HEDDLE_INDEX_UNKNOWN);
	assert_int_equal(index_of(1, label, "label", 8), HEDDLE_INDEX_UNKNOWN);
	assert_int_equal(index_of(10, label, "label", 12), HEDDLE_INDEX_UNKNOWN);
	assert_int_equal(index_of(1, label, "edge", 7), HEDDLE_INDEX_UNKNOWN);
	assert_false(heddle__loop_text_make(&text, cc, 2, label));
	assert_false(heddle__loop_text_make(&text, cc, 999, label));
	assert_false(heddle__loop_text_make(&text, cc, 0, label));
}

static void expect_name(uint32_t loop, const char *variable, uint32_t line, const char *expected)
{
	struct heddle_loop_text text;
	assert_true(heddle__loop_text_make(&text, cc, loop, NULL));
	char *name = heddle__loop_text_name(&text, variable, line);
	if (expected)
		assert_string_equal(name, expected);
	else
		assert_null(name);
	free(name);
	heddle__loop_text_free(&text);
}

/* A pointer-to-shared may have another name than what it points to. */
static void objects_have_the_names_of_the_line(void **state)
{
	(void)state;
	expect_name(1, "label", 2, "label");
	expect_name(1, "D", 2, "label");
	expect_name(1, "D", 4, NULL);
	expect_name(13, "vector", 18, "vector");
	expect_name(13, "x", 18, NULL); /* one of four */
	expect_name(10, "D", 11, "label");
}

static void expect_loop(uint32_t line, uint32_t expected, uint32_t expected_last)
{
	uint32_t last = 0;
	assert_int_equal(heddle__loop_around_line(cc, line, &last), expected);
	assert_int_equal(last, expected_last);
}

static void loops_are_found_by_their_lines(void **state)
{
	static const char nested[] =
		"upc_forall (a;;;)\n{\n\tupc_forall (b;;;) {\n\t\tx[0] = 1;\n\t}\n\ty[0] = 1;\n}\nz[0] = 1;\n";
	uint32_t last = 0;
	(void)state;
	expect_loop(1, 1, 9);
	expect_loop(5, 1, 9);
	expect_loop(11, 10, 11);
	expect_loop(12, 0, 0);
	expect_loop(18, 13, 21);
	expect_loop(999, 0, 0);
	assert_int_equal(heddle__loop_around_line(nested, 4, &last), 3);
	assert_int_equal(last, 5);
	assert_int_equal(heddle__loop_around_line(nested, 6, &last), 1);
	assert_int_equal(last, 7);
	assert_int_equal(heddle__loop_around_line(nested, 8, &last), 0);
}

/* Text that is cut anywhere, or no C at all, is survived. */
static void damaged_text_is_survived(void **state)
{
	static const char *const label[] = {"label", NULL};
	(void)state;
	for (size_t length = 0; length < sizeof(cc); length++) {
		char *cut = strndup(cc, length);
		for (uint32_t line = 1; line < 21; line++) {
			struct heddle_loop_text text;
			uint32_t last;
			heddle__loop_around_line(cut, line, &last);
			if (!heddle__loop_text_make(&text, cut, line, label))
				continue;
			for (uint32_t at = 1; at < 23; at++) {
				heddle__loop_text_index(&text, "label", at);
				free(heddle__loop_text_name(&text, "label", at));
			}
			heddle__loop_text_free(&text);
		}
		free(cut);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_and_own_elements_are_known),
		cmocka_unit_test(what_was_got_is_not_known),
		cmocka_unit_test(the_own_element_may_change),
		cmocka_unit_test(values_pass_through_variables),
		cmocka_unit_test(other_text_is_none),
		cmocka_unit_test(objects_have_the_names_of_the_line),
		cmocka_unit_test(loops_are_found_by_their_lines),
		cmocka_unit_test(damaged_text_is_survived),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
