/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of `heddle browse` and the rows of its views, driven by keys, without a terminal. */
#include "cli/browse/browse.h"
#include "tests/profile/profile_text.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* main calls solve and tail; solve calls itself and kernel. */
#define NAMES                                                                                     \
	"process program /opt/cg\nprocess pid 7\nprocess ended_by exit\nprocess sample_hz 1000\n" \
	"string main\nstring solve\nstring kernel\nstring tail\nstring early\nstring cg.c\n"      \
	"event 1 openmp 4 ompt_callback_sync_region omp barrier\n"
#define NODES                                                                                      \
	"node 0 ROOT 0 0 0\nnode 0 FUNCTION 0 0 0\nnode 1 FUNCTION 0 0 1\nnode 2 FUNCTION 0 0 1\n" \
	"node 3 FUNCTION 0 0 2\nnode 1 FUNCTION 0 0 3\nsource 4 1 5 12\n"
#define VALUES                                                                                                     \
	"thread 0 0 main\nvalue cpu-time 2 100\nvalue cpu-time 3 200\nvalue cpu-time 4 300\nvalue cpu-time 5 10\n" \
	"value cpu-time 6 90\nvalue visits 4 5\n"                                                                  \
	"thread 1 1 worker\nvalue cpu-time 4 1000\nvalue cpu-time 5 20\nvalue visits 4 7\n"

/* The same paths with other numbers of nodes, and two more functions. */
#define LATER_NODES                                                                                \
	"node 0 ROOT 0 0 0\nnode 0 FUNCTION 0 0 0\nnode 1 FUNCTION 0 0 4\nnode 1 FUNCTION 0 0 3\n" \
	"node 1 FUNCTION 0 0 1\nnode 4 FUNCTION 0 0 1\nnode 5 FUNCTION 0 0 4\nnode 5 FUNCTION 0 0 2\n"
#define LATER_VALUES                                                                                              \
	"thread 0 0 main\nvalue cpu-time 2 5000\nvalue cpu-time 3 50\nvalue cpu-time 4 100\nvalue cpu-time 6 7\n" \
	"value cpu-time 7 300\n"                                                                                  \
	"thread 1 1 worker\nvalue cpu-time 7 2000\n"

static char path[] = "/tmp/heddle-browse-model-XXXXXX";

static int start(void **state)
{
	struct heddle_browse *browse = calloc(1, sizeof(*browse));
	if (!browse || write_profile_from_text(NAMES NODES VALUES, path) != 0)
		return -1;
	browse->path = path;
	browse->terminal = (struct heddle_terminal){.utf8 = true, .dot = ", "};
	*state = browse;
	if (!heddle__browse_reread(browse))
		return -1;
	heddle__browse_start(browse);
	return 0;
}

static int stop(void **state)
{
	heddle__browse_end(*state);
	free(*state);
	return 0;
}

static void press(struct heddle_browse *browse, const char *keys)
{
	for (; *keys; keys++) {
		heddle__browse_press(browse, *keys);
		heddle__browse_prepare(browse);
	}
}

static struct heddle_browse_row row_at(struct heddle_browse *browse, size_t index)
{
	struct heddle_browse_row row = {0};
	assert_true(index < heddle__browse_rows(browse));
	heddle__browse_current(browse)->row(browse, index, &row);
	return row;
}

static void assert_row(struct heddle_browse *browse, size_t index, const char *text, const char *share)
{
	struct heddle_browse_row row = row_at(browse, index);
	assert_int_equal(row.length, strlen(text));
	assert_memory_equal(row.text, text, row.length);
	assert_string_equal(row.cells[0].text, share);
}

static void assert_selected(struct heddle_browse *browse, const char *text)
{
	struct heddle_browse_row row = row_at(browse, browse->states[browse->view].selected);
	assert_int_equal(row.length, strlen(text));
	assert_memory_equal(row.text, text, row.length);
}

static void test_the_tree_has_the_sums(void **state)
{
	struct heddle_browse *browse = *state;
	press(browse, "E");
	assert_int_equal(heddle__browse_rows(browse), 7);
	assert_row(browse, 0, "cg", "100.0");
	assert_row(browse, 2, "solve", "98.3");
	assert_row(browse, 4, "kernel", "80.8");
	assert_row(browse, 6, "tail", "1.7");
	assert_int_equal(row_at(browse, 4).guides[2], HEDDLE_GUIDE_NOTHING);
	assert_int_equal(row_at(browse, 4).guides[1], HEDDLE_GUIDE_THROUGH);
	assert_int_equal(row_at(browse, 6).guides[1], HEDDLE_GUIDE_LAST);
	press(browse, "C");
	assert_int_equal(heddle__browse_rows(browse), 2);
	press(browse, "H");
	assert_selected(browse, "kernel");
}

static void test_functions_count_recursion_once(void **state)
{
	struct heddle_browse *browse = *state;
	press(browse, "2");
	assert_row(browse, 0, "kernel", "75.6");
	assert_row(browse, 1, "solve", "17.4");
	assert_string_equal(row_at(browse, 1).cells[1].text, "98.3");
}

static void test_the_selection_goes_along(void **state)
{
	struct heddle_browse *browse = *state;
	press(browse, "C/barrier\n");
	assert_selected(browse, "omp barrier @cg.c:12");
	press(browse, "a");
	assert_int_equal(browse->view, HEDDLE_BROWSE_source);
	assert_string_equal(heddle__browse_place(browse).file, "cg.c");
	assert_int_equal(heddle__browse_place(browse).line, 12);
	press(browse, "2");
	press(browse, "gG1");
	press(browse, "/kernel\n2");
	assert_selected(browse, "kernel");
	press(browse, "\n");
	assert_int_equal(browse->view, HEDDLE_BROWSE_tree);
	assert_selected(browse, "kernel");
}

static void test_a_zoom_limits_all_views(void **state)
{
	struct heddle_browse *browse = *state;
	press(browse, "/kernel\nz");
	assert_row(browse, 0, "kernel", "80.8");
	assert_int_equal(heddle__browse_rows(browse), 2);
	press(browse, "2");
	assert_int_equal(heddle__browse_rows(browse), 2);
	press(browse, "\033");
	assert_int_equal(heddle__browse_rows(browse), 5);
}

static void test_one_thread(void **state)
{
	struct heddle_browse *browse = *state;
	press(browse, "t/worker\n\n");
	assert_int_equal(browse->data.whole, 1020);
	assert_int_equal(browse->view, HEDDLE_BROWSE_tree);
	press(browse, "2");
	assert_row(browse, 0, "kernel", "98.0");
	assert_string_equal(row_at(browse, 0).cells[3].text, "7");
	press(browse, "tg\n");
	assert_int_equal(browse->data.whole, 1720);
}

static void test_reading_again_keeps_what_is_chosen(void **state)
{
	struct heddle_browse *browse = *state;
	press(browse, "C/kernel\n");
	press(browse, "t/worker\n\n");
	assert_selected(browse, "kernel");
	assert_int_equal(write_profile_from_text(NAMES LATER_NODES LATER_VALUES, path), 0);
	press(browse, "r");
	assert_string_equal(browse->message, "");
	assert_selected(browse, "kernel");
	assert_int_equal(browse->data.whole, 2000);
	press(browse, "tg\n");
	assert_int_equal(browse->data.whole, 7457);
	assert_selected(browse, "kernel");
	assert_int_equal(unlink(path), 0);
	press(browse, "r");
	assert_string_not_equal(browse->message, "");
	assert_selected(browse, "kernel");
}

/* After any keys, rows can be drawn and the selection is one of them. */
static void test_any_keys(void **state)
{
	struct heddle_browse *browse = *state;
	static const char keys[] = "jkgG +-*HECz\033\tnNsS12345fma o[]th\n/a\nlr";
	unsigned random = 12345;
	for (int i = 0; i < 20000; i++) {
		random = random * 1103515245u + 12345u;
		char key[] = {keys[random / 65536 % (sizeof(keys) - 1)], '\0'};
		if (i % 100 == 0)
			heddle__browse_resize(browse, 40 + random / 65536 % 200, 8 + random / 65536 % 60);
		press(browse, key);
		if (heddle__browse_rows(browse) == 0)
			continue;
		struct heddle_column columns[HEDDLE_BROWSE_COLUMNS] = {0};
		heddle__browse_current(browse)->columns(browse, columns);
		row_at(browse, browse->states[browse->view].selected);
		row_at(browse, browse->states[browse->view].top);
	}
}

/* The code of options prints help by these functions; in the command, they are in main.c. */
void heddle__print_help(const struct heddle_command *command)
{
	(void)command;
}

void heddle__print_metrics(void)
{
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_the_tree_has_the_sums, start, stop),
		cmocka_unit_test_setup_teardown(test_functions_count_recursion_once, start, stop),
		cmocka_unit_test_setup_teardown(test_the_selection_goes_along, start, stop),
		cmocka_unit_test_setup_teardown(test_a_zoom_limits_all_views, start, stop),
		cmocka_unit_test_setup_teardown(test_one_thread, start, stop),
		cmocka_unit_test_setup_teardown(test_reading_again_keeps_what_is_chosen, start, stop),
		cmocka_unit_test_setup_teardown(test_any_keys, start, stop),
	};
	setlocale(LC_ALL, "C.UTF-8");
	int file = mkstemp(path);
	if (file < 0)
		return 1;
	close(file);
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	unlink(path);
	return failed;
}
