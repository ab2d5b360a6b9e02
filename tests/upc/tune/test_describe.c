/* SPDX-License-Identifier: BSD-3-Clause */
/* What the compiler reports of a source to `heddle advise`: loops, names, and indices known before the loop. */
#include "tests/support/unit.h"

#include "cli/base/locate.h"
#include "tune/describe.h"

#include <limits.h>
#include <unistd.h>

static const char program[] =
	"#include <upc_relaxed.h>\n"
	"#define N 100\n"
	"struct edge { int from, to; };\n"
	"shared int label[N * THREADS], above[N * THREADS], start[N * THREADS], column[N * THREADS];\n"
	"shared double matrix[N * THREADS], vector[N * THREADS], sum[N * THREADS];\n"
	"shared struct edge edge[N * THREADS];\n"
	"static int root(shared int *parent, int v) { return parent[v]; }\n"
	"void f(int edges, int n, int last, shared int *pointer)\n"
	"{\n"
	"	upc_forall (int i = 0; i < edges; i++; &edge[i]) { /* label[to] */\n" /* 10 */
	"		int from = label[edge[i].from];\n"
	"		int to = label[edge [ i ].to];\n"
	"		if (from < to)\n"
	"			above[to] = label[from]; // label[0]\n"
	"		to += root(label, edge[i].from);\n"
	"	}\n"
	"	upc_forall (int i = 0; i < n; i++; &label[i])\n" /* 17 */
	"		while (label[i] != label[label[i]]) label[i] = label[label[i]];\n"
	"	label[3] = 0;\n"
	"	upc_forall (int i = 0; i < n; i++; i)\n" /* 20 */
	"	{\n"
	"		int place = start[N - i], k = place + 1;\n"
	"		for (k += 2; k <= last; k++)\n"
	"			sum[i] += matrix[k] * vector[column[k]];\n"
	"	}\n"
	"	upc_forall (int i = 0; i < n; i++; &above[i])\n" /* 26 */
	"		above[i] = pointer[i + 1];\n"
	"	upc_forall (int i = 0; i < n; i++; i) {\n" /* 28 */
	"		above[i] = label[i + 1];\n"
	"		upc_fence;\n"
	"	}\n"
	"}\n"
	"void g(struct { shared double *u[2]; } *s, int t)\n"
	"{\n"
	"	upc_forall (int i = 0; i < N; i++; &s->u[t][i])\n" /* 35 */
	"		s->u[t][i] = s->u[1 - t][column[i]];\n"
	"}\n";

struct opened {
	char path[64];
	struct tune_work work;
	struct tune_file *file;
};

/* Returns false in builds for sanitizers, which have no compiler. */
static bool has_compiler(void)
{
	char path[PATH_MAX];
	return heddle__locate_upc_driver(path) == 0;
}

static int open_program(void **state)
{
	struct opened *opened = calloc(1, sizeof *opened);
	snprintf(opened->path, sizeof opened->path, "/tmp/heddle-describe-XXXXXX.upc");
	int file = mkstemps(opened->path, 4);
	assert_true(file >= 0);
	assert_int_equal(write(file, program, sizeof program - 1), sizeof program - 1);
	close(file);
	opened->file = heddle__tune_open(&opened->work, opened->path, NULL);
	if (!opened->file)
		fail_msg("%s", opened->work.message);
	*state = opened;
	return 0;
}

static int close_program(void **state)
{
	struct opened *opened = *state;
	unlink(opened->path);
	heddle__tune_free(&opened->work);
	free(opened);
	return 0;
}

static enum tune_known known(void **state, int loop, const char *const *remote, const char *variable, int line)
{
	struct opened *opened = *state;
	const struct tune_described *described = heddle__tune_describe(opened->file, loop, remote);
	assert_non_null(described);
	if (described->refused)
		fail_msg("%s", described->refused);
	return heddle__tune_known(described, variable, line);
}

static void members_and_own_elements_are_known(void **state)
{
	static const char *const label[] = {"label", NULL};
	assert_int_equal(known(state, 10, label, "label", 11), TUNE_KNOWN_INDEX);
	assert_int_equal(known(state, 10, label, "label", 12), TUNE_KNOWN_INDEX);
}

/* The first download brings elements that are indices, so that a second one can bring elements at these indices. */
static void what_was_downloaded_is_known(void **state)
{
	static const char *const label[] = {"label", NULL}, *const start[] = {"start", "matrix", NULL},
				 *const column[] = {"column", "vector", NULL}, *const vector[] = {"vector", NULL};
	assert_int_equal(known(state, 10, label, "label", 14), TUNE_KNOWN_INDEX);
	assert_int_equal(known(state, 20, column, "column", 24), TUNE_UNKNOWN_INDEX);
	assert_int_equal(known(state, 20, start, "start", 22), TUNE_KNOWN_INDEX);
	assert_int_equal(known(state, 20, start, "matrix", 24), TUNE_KNOWN_INDEX);
	assert_int_equal(known(state, 20, vector, "vector", 24), TUNE_UNKNOWN_INDEX);
}

static void the_own_element_may_change(void **state)
{
	static const char *const label[] = {"label", NULL};
	assert_int_equal(known(state, 17, label, "label", 18), TUNE_FIRST_INDEX);
}

static void functions_are_followed(void **state)
{
	static const char *const label[] = {"label", NULL};
	assert_int_equal(known(state, 10, label, "label", 7), TUNE_FIRST_INDEX);
}

static void lines_without_such_an_access_are_unknown(void **state)
{
	static const char *const label[] = {"label", NULL};
	assert_int_equal(known(state, 10, label, "label", 10), TUNE_UNKNOWN_INDEX);
	assert_int_equal(known(state, 10, label, "edge", 11), TUNE_UNKNOWN_INDEX);
	assert_int_equal(known(state, 17, label, "label", 19), TUNE_UNKNOWN_INDEX);
}

static void a_loop_that_cannot_be_changed_has_a_reason(void **state)
{
	struct opened *opened = *state;
	const struct tune_described *described = heddle__tune_describe(opened->file, 28, NULL);
	assert_non_null(strstr(described->refused, ":30: the loop synchronizes threads (upc_fence)"));
	described = heddle__tune_describe(opened->file, 19, NULL);
	assert_non_null(strstr(described->refused, "there is no upc_forall"));
}

static void objects_have_the_names_of_the_line(void **state)
{
	struct opened *opened = *state;
	assert_string_equal(heddle__tune_name_in_line(opened->file, 10, 11, "label"), "label");
	assert_string_equal(heddle__tune_name_in_line(opened->file, 10, 11, "D"), "label");
	assert_string_equal(heddle__tune_name_in_line(opened->file, 26, 27, "D"), "pointer");
	assert_null(heddle__tune_name_in_line(opened->file, 10, 14, "D"));
	assert_null(heddle__tune_name_in_line(opened->file, 20, 24, "x")); /* one of four */
	assert_null(heddle__tune_name_in_line(opened->file, 19, 19, "label"));
	assert_null(heddle__tune_name_in_line(opened->file, 35, 36, "s->u[]")); /* not column */
	assert_int_equal(heddle__tune_occurrences(opened->file, 10, "label"), 3);
	assert_int_equal(heddle__tune_occurrences(opened->file, 17, "label"), 6);
}

static void loops_are_found_by_their_lines(void **state)
{
	struct opened *opened = *state;
	int last = 0;
	assert_int_equal(heddle__tune_loop_around(opened->file, 14, &last), 10);
	assert_int_equal(last, 16);
	assert_int_equal(heddle__tune_loop_around(opened->file, 18, &last), 17);
	assert_int_equal(heddle__tune_loop_around(opened->file, 19, &last), 0);
}

static void what_does_not_compile_has_a_reason(void **state)
{
	struct tune_work work = {0};
	(void)state;
	assert_null(heddle__tune_open(&work, "/nowhere/at/all.upc", NULL));
	assert_non_null(strstr(work.message, "/nowhere/at/all.upc cannot be read"));
	heddle__tune_free(&work);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(members_and_own_elements_are_known),
		cmocka_unit_test(what_was_downloaded_is_known),
		cmocka_unit_test(the_own_element_may_change),
		cmocka_unit_test(functions_are_followed),
		cmocka_unit_test(lines_without_such_an_access_are_unknown),
		cmocka_unit_test(a_loop_that_cannot_be_changed_has_a_reason),
		cmocka_unit_test(objects_have_the_names_of_the_line),
		cmocka_unit_test(loops_are_found_by_their_lines),
		cmocka_unit_test(what_does_not_compile_has_a_reason),
	};
	if (!has_compiler()) {
		puts("skipped: the UPC compiler is not in this build");
		return 77;
	}
	return cmocka_run_group_tests(tests, open_program, close_program);
}
