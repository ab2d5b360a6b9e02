/* SPDX-License-Identifier: BSD-3-Clause */
/* Insertions into the translated text: their order at one place, in several rounds, and positions around
 * them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "upc/translate/tokens.h"
#include "upc/translate/translate.h"

static const struct upc_options options = {.static_threads = 4};

static struct upc_translation *translate(void)
{
	return upc__translate("# 1 \"a.upc\"\nint a;\nint b = f(x, y);\n", &options);
}

/* Returns the row of `int b`, counted from 0. */
static int row_of(const struct upc_translation *translation)
{
	return translation->prelude_rows + 2;
}

static struct upc_insertion insertion(
	const struct upc_translation *translation, int column, bool is_end, const char *text)
{
	return (struct upc_insertion){
		.row = row_of(translation), .column = column, .is_end = is_end, .text = upc__format("%s", text)};
}

static void assert_row(const struct upc_translation *translation, const char *text)
{
	const char *at = strstr(translation->text, "int b");
	char *row = upc__format("%.*s", (int)strcspn(at, "\n"), at);
	assert_string_equal(row, text);
	free(row);
}

static void assert_word(const struct upc_translation *translation, int column, const char *word)
{
	int i = upc__token_at(translation, row_of(translation), column);
	assert_true(upc__token_is(translation->tokens, i, word));
}

static void outer_ones_are_around_inner_ones(void **state)
{
	(void)state;
	struct upc_translation *translation = translate();
	struct upc_insertion list[] = {insertion(translation, 9, false, "["), insertion(translation, 16, true, "]"),
		insertion(translation, 11, false, "("), insertion(translation, 12, true, ")"),
		insertion(translation, 11, false, "<"), insertion(translation, 12, true, ">"),
		insertion(translation, 14, false, "{"), insertion(translation, 15, true, "}")};
	upc__insert(translation, list, 8);
	assert_row(translation, "int b = [f((<x>), {y})];");
	assert_word(translation, 10, "f");
	assert_word(translation, 14, "x");
	assert_word(translation, 20, "y");
	assert_int_equal(upc__translated_column(translation, row_of(translation), 10), 9);
	assert_int_equal(upc__translated_column(translation, row_of(translation), 20), 14);
	upc__translation_free(translation);
}

/* An inserted cast is wrapped in another one, as the typing pass does with a repaired conversion. */
static void later_ones_may_be_within_earlier_ones(void **state)
{
	(void)state;
	struct upc_translation *translation = translate();
	struct upc_insertion first[] = {
		insertion(translation, 11, false, "((T)("), insertion(translation, 12, true, "))")};
	upc__insert(translation, first, 2);
	assert_row(translation, "int b = f(((T)(x)), y);");
	struct upc_insertion second[] = {insertion(translation, 15, false, "call("),
		insertion(translation, 18, true, ", 4)"), insertion(translation, 21, false, "<"),
		insertion(translation, 22, true, ">")};
	upc__insert(translation, second, 4);
	assert_row(translation, "int b = f(((T)call((x), 4)), <y>);");
	assert_word(translation, 21, "x");
	assert_word(translation, 31, "y");
	upc__translation_free(translation);
}

static void overwritten_text_keeps_its_place(void **state)
{
	(void)state;
	struct upc_translation *translation = translate();
	struct upc_insertion list[] = {insertion(translation, 9, false, "long_")};
	upc__insert(translation, list, 1);
	upc__overwrite(translation, row_of(translation), 17, ";");
	assert_row(translation, "int b = long_f(x; y);");
	struct upc_insertion more[] = {insertion(translation, 14, false, "very_")};
	upc__insert(translation, more, 1);
	assert_row(translation, "int b = long_very_f(x; y);");
	upc__translation_free(translation);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(outer_ones_are_around_inner_ones),
		cmocka_unit_test(later_ones_may_be_within_earlier_ones),
		cmocka_unit_test(overwritten_text_keeps_its_place),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
