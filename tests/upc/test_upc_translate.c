/* SPDX-License-Identifier: BSD-3-Clause */
/* The translator keeps lines, maps columns back, does not change headers of plain C, and applies pragmas to lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "upc/translate/tokens.h"
#include "upc/translate/translate.h"

static const char *const headers[] = {"/upc/include", NULL};
static const struct upc_options dynamic = {.upc_headers = headers};
static const struct upc_options four = {.static_threads = 4};

/* Returns the row of the translated text for a source row; the text is not terminated at its end. */
static const char *row_of(const struct upc_translation *translation, int row)
{
	const char *at = translation->text;
	for (row += translation->prelude_rows; row > 0; row--)
		at = strchr(at, '\n') + 1;
	return at;
}

/* Returns the column, in the preprocessed text, of the token at a place of the translated text. */
static int original_column(const struct upc_translation *translation, int row, int column)
{
	int i = upc__token_at(translation, row, column);
	return i < 0 ? column : translation->tokens->list[i].column;
}

static void assert_row(const struct upc_translation *translation, int row, const char *text)
{
	const char *at = row_of(translation, row);
	char *line = upc__format("%.*s", (int)strcspn(at, "\n"), at);
	if (strstr(line, text) == NULL)
		fail_msg("row %d is '%s', without '%s'", row, line, text);
	free(line);
}

static void lines_stay_where_they_are(void **state)
{
	(void)state;
	struct upc_translation *translation = upc__translate("# 1 \"a.upc\"\n"
							     "shared [4\n"
							     "] int a[10 * THREADS];\n"
							     "int f(void) {\n"
							     "  upc_forall (int i = 0;\n"
							     "    i < 3; i++; &a[\n"
							     "i])\n"
							     "  upc_barrier\n"
							     "  3;\n"
							     "}\n"
							     "last;\n",
		&dynamic);
	assert_int_equal(translation->problem_count, 0);
	assert_row(translation, 1, "address_space(1024 + (4))");
	assert_row(translation, 2, "int a[10 * 134217689L];");
	assert_row(translation, 3, "int f(void) {");
	assert_row(translation, 5, "i < 3; i++) if (!");
	assert_row(translation, 6, "i]");
	assert_row(translation, 7, "__upc_barrier(1, (int)(long)(");
	assert_row(translation, 8, "3));");
	assert_row(translation, 10, "last;");
	upc__translation_free(translation);
}

static void headers_of_plain_c_are_left_alone(void **state)
{
	(void)state;
	struct upc_translation *translation = upc__translate("# 1 \"a.upc\"\n"
							     "# 1 \"/usr/include/x.h\" 1 3\n"
							     "struct x { int shared, strict, relaxed; };\n"
							     "# 1 \"/upc/include/upc.h\" 1 3\n"
							     "strict shared int y;\n"
							     "# 2 \"a.upc\" 2\n"
							     "int z = x.shared + p->shared;\n",
		&dynamic);
	assert_int_equal(translation->problem_count, 0);
	assert_row(translation, 2, "struct x { int shared, strict, relaxed; };");
	assert_row(translation, 4, "volatile");
	assert_row(translation, 4, "address_space(1024 + (1))");
	assert_row(translation, 6, "int z = x.shared + p->shared;");
	upc__translation_free(translation);
}

static void pointers_to_shared_void_are_integers(void **state)
{
	(void)state;
	struct upc_translation *translation = upc__translate("# 1 \"a.upc\"\n"
							     "shared void *p, *q[3], *(*f)(int);\n"
							     "const void shared *const c = (shared const void *)p;\n"
							     "void g(shared void *restrict a, int *b);\n",
		&four);
	assert_int_equal(translation->problem_count, 0);
	assert_row(translation, 1, UPC_GENERIC);
	assert_row(translation, 1, " p, q[3], (*f)(int);");
	assert_true(strchr(row_of(translation, 2), '*') > row_of(translation, 3)); /* none in row 2 */
	assert_row(translation, 3, "a, int *b);");
	upc__translation_free(translation);
}

static void pragmas_govern_lines_and_blocks(void **state)
{
	(void)state;
	struct upc_translation *translation = upc__translate("# 1 \"/d/a.upc\"\n"
							     "int a;\n"
							     "#pragma upc strict\n"
							     "int b;\n"
							     "int f(void) {\n"
							     "#pragma upc relaxed\n"
							     "int c;\n"
							     "}\n"
							     "int d;\n"
							     "#pragma pupc off\n"
							     "int e;\n"
							     "#pragma pupc on\n"
							     "int g;\n",
		&four);
	const struct upc_ranges *strict = &translation->strict;
	assert_false(upc__range_has(strict, "a.upc", 1));
	assert_true(upc__range_has(strict, "a.upc", 3));
	assert_true(upc__range_has(strict, "/d/a.upc", 4));
	assert_false(upc__range_has(strict, "a.upc", 6));
	assert_true(upc__range_has(strict, "a.upc", 8));
	assert_false(upc__range_has(strict, "other-a.upc", 8));
	assert_false(upc__range_has(&translation->pupc_off, "a.upc", 8));
	assert_true(upc__range_has(&translation->pupc_off, "a.upc", 10));
	assert_false(upc__range_has(&translation->pupc_off, "a.upc", 12));
	upc__translation_free(translation);
}

/* GASP: #pragma pupc governs lexical regions. */
static void pupc_ends_with_its_block(void **state)
{
	(void)state;
	static const int off[] = {5, 6, 8, 16, 18};
	struct upc_translation *translation = upc__translate("# 1 \"a.upc\"\n"
							     "int f(void) {\n"
							     "int a;\n"
							     "{\n"
							     "#pragma pupc off\n"
							     "int b;\n" /* line 5 */
							     "for (;;) {\n"
							     "#pragma pupc on\n"
							     "int c; } int d;\n"
							     "}\n"
							     "int e;\n" /* line 10 */
							     "}\n"
							     "int g(void) {\n"
							     "int h;\n"
							     "}\n"
							     "#pragma pupc off\n"
							     "int i(void) { int j;\n"
							     "#pragma pupc on\n"
							     "} int k;\n",
		&four);
	for (int line = 1, next = 0; line <= 18; line++) {
		bool expected = line == off[next];
		if (upc__range_has(&translation->pupc_off, "a.upc", line) != expected)
			fail_msg("line %d", line);
		next += expected;
	}
	upc__translation_free(translation);
}

static void columns_lead_back(void **state)
{
	(void)state;
	static const char source[] = "# 1 \"a.upc\"\n  shared [3] int a, bb;\n";
	struct upc_translation *translation = upc__translate(source, &four);
	const char *row = row_of(translation, 1);
	int in_row = 1 + translation->prelude_rows;
	assert_int_equal(original_column(translation, in_row, (int)(strstr(row, "bb") - row) + 1), 21);
	assert_int_equal(original_column(translation, in_row, (int)(strstr(row, "int") - row) + 1), 14);
	assert_int_equal(original_column(translation, in_row, (int)(strstr(row, "address_space") - row) + 1), 3);
	assert_int_equal(upc__row_of(translation, "a.upc", 1, 1), in_row);
	upc__translation_free(translation);
}

static void broken_text_is_survived(void **state)
{
	(void)state;
	static const char *const texts[] = {"", "\n", "# 1 \"a\"\n", "shared", "shared [", "shared [*", "shared void",
		"shared [3] int a[", "upc_forall", "upc_forall (;;", "upc_barrier", "upc_barrier (", "sizeof",
		"upc_localsizeof", "upc_localsizeof (", "typedef", "typedef int a[", "}", ")]}", "{ ( [", "strict",
		"relaxed )", "\"open", "'", "shared void *(", "int f(shared int a[", "? (", ": ((void *)",
		"#pragma upc", "#pragma upc strict", "upc_fence", "a ? ", "f(shared", "struct { shared",
		"shared struct", "shared struct {", "shared union x {", "shared enum", "shared [*] struct x"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		for (int threads = 0; threads <= 4; threads += 4) {
			struct upc_options options = {.static_threads = threads};
			struct upc_translation *translation = upc__translate(texts[i], &options);
			assert_non_null(translation->text);
			upc__translation_free(translation);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_stay_where_they_are),
		cmocka_unit_test(headers_of_plain_c_are_left_alone),
		cmocka_unit_test(pointers_to_shared_void_are_integers),
		cmocka_unit_test(pragmas_govern_lines_and_blocks),
		cmocka_unit_test(pupc_ends_with_its_block),
		cmocka_unit_test(columns_lead_back),
		cmocka_unit_test(broken_text_is_survived),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
