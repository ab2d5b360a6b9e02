/* SPDX-License-Identifier: BSD-3-Clause */
/* Paths of two builds are matched by names; regions whose lines were shifted are paired in order. */
#include "analysis/comparison.h"
#include "tests/profile/samples.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void check_pairs(const char *old_text, const char *fresh_text, const char *wanted)
{
	int64_t old[16], fresh[16];
	size_t pair[16], old_count = 0, fresh_count = 0, used = 0;
	char got[128] = "";
	for (char *at = (char *)old_text; *at;)
		old[old_count++] = strtoll(at, &at, 10);
	for (char *at = (char *)fresh_text; *at;)
		fresh[fresh_count++] = strtoll(at, &at, 10);
	assert_int_equal(heddle__pair_lines(old, old_count, fresh, fresh_count, pair), 0);
	for (size_t i = 0; i < fresh_count; i++)
		used += (size_t)snprintf(got + used, sizeof(got) - used, pair[i] == old_count ? "-" : "%zu", pair[i]);
	assert_string_equal(got, wanted);
}

static void lines_are_paired_in_order_with_the_least_shift(void **state)
{
	(void)state;
	check_pairs("10 20 30", "10 20 30", "012");
	check_pairs("10 20 30", "13 23 33", "012");
	check_pairs("10 20", "18 28", "01");    /* 18 is closer to 20, but paired with 10 */
	check_pairs("10 20", "5 13 23", "-01"); /* one was inserted before */
	check_pairs("10 20 30", "12 32", "02"); /* the middle one was removed */
	check_pairs("10", "1 9 100", "-0-");
	check_pairs("", "1 2", "--");
	check_pairs("7", "", "");
	check_pairs("-5 0 5", "-4 6", "02");
	check_pairs("100 200", "100 150 200 250", "0-1-");
	check_pairs("10 20 30", "1015 1025 1027 1035", "01-2"); /* all shifted, one inserted in between */
}

/* A function with gets at these lines, a barrier, and a function that only some runs have. */
static void write_run(const char *name, const char *lines, unsigned value, const char *extra)
{
	const char *file = strcmp(name, "new.heddle") == 0 ? "renamed" : "cg";
	char text[4096];
	unsigned node = 2;
	size_t used = (size_t)snprintf(text, sizeof(text),
		"process program /opt/%s\nevent 3 upc 8 GASP_UPC_GET get\nevent 4 upc 4 GASP_UPC_BARRIER barrier\n"
		"string %s.upc\nstring solve\nstring %s\nnode 0 ROOT 0 0 0\nnode 0 FUNCTION 0 0 1\n"
		"node 1 FUNCTION 0 0 2\n",
		name, file, extra);
	char values[1024] = "";
	for (char *at = (char *)lines; *at;) {
		used += (size_t)snprintf(text + used, sizeof(text) - used, "source 1 3 0 %ld\n", strtol(at, &at, 10));
		node++;
	}
	for (unsigned n = 3; n <= node; n++)
		snprintf(values + strlen(values), sizeof(values) - strlen(values), "value wall-time %u %u\n", n,
			value + n);
	snprintf(text + used, sizeof(text) - used, "thread 0 -1 main\nvalue wall-time 1 1000\nvalue wall-time 2 50\n%s",
		values);
	assert_int_equal(write_profile_from_text(text, scratch(name)), 0);
}

static void add_run(struct heddle_comparison *comparison, const char *name)
{
	struct profile_measurement measurement;
	struct profile_naming naming;
	struct profile_view view;
	assert_int_equal(
		profile_measurement_open(&measurement, scratch(name), &(struct profile_load_options){0}, NULL), 0);
	assert_int_equal(profile_naming_make(&naming, &measurement.tree, &(struct profile_naming_options){0}), 0);
	assert_int_equal(profile_view_make(&view, &measurement, &naming, &(struct profile_view_options){0}), 0);
	assert_int_equal(heddle__comparison_add(comparison, &view, HEDDLE_METRIC_WALL_TIME), 0);
	profile_view_free(&view);
	profile_naming_free(&naming);
	profile_measurement_close(&measurement);
}

static uint32_t path_of(const struct heddle_comparison *comparison, const char *text)
{
	uint32_t found = 0;
	for (uint32_t i = 0; i < comparison->count; i++)
		if (strcmp(comparison->paths[i].text, text) == 0)
			found = i;
	return found;
}

static void shifted_regions_are_the_same_and_new_functions_are_new(void **state)
{
	(void)state;
	struct heddle_comparison comparison = {0};
	write_run("old.heddle", "10 20 30", 100, "kernel");
	write_run("new.heddle", "15 25 35", 200, "other");
	write_run("more.heddle", "15 25 27 35", 300, "kernel");
	add_run(&comparison, "old.heddle");
	assert_int_equal(comparison.count, 6);
	add_run(&comparison, "new.heddle");
	assert_int_equal(comparison.count, 7);
	add_run(&comparison, "more.heddle");
	assert_int_equal(comparison.count, 8);
	uint32_t first = path_of(&comparison, "get @cg.upc:15"), last = path_of(&comparison, "get @cg.upc:35");
	uint32_t kernel = path_of(&comparison, "kernel"), other = path_of(&comparison, "other");
	const struct heddle_compared_run *runs = comparison.runs;
	for (int r = 0; r < 3; r++)
		assert_int_equal(heddle__run_total(&runs[r], first), 100 + 100 * r + 3);
	assert_int_equal(heddle__run_total(&runs[1], last), 205);
	assert_int_equal(heddle__run_total(&runs[2], last), 306);
	assert_int_equal(heddle__run_own(&runs[1], kernel), 0);
	assert_int_equal(heddle__run_own(&runs[0], kernel), 50);
	assert_int_equal(heddle__run_own(&runs[0], other), 0);
	assert_int_equal(heddle__run_own(&runs[1], other), 50);
	heddle__comparison_free(&comparison);
}

static void nothing_is_lost_or_counted_twice(void **state)
{
	(void)state;
	struct heddle_comparison comparison = {0};
	write_run("a.heddle", "1 2 3 9 9 14", 7, "kernel");
	write_run("b.heddle", "2 40 41 41", 9, "solve");
	add_run(&comparison, "a.heddle");
	add_run(&comparison, "b.heddle");
	const uint64_t wanted[] = {1050 + 6 * 7 + 3 + 4 + 5 + 6 + 7 + 8, 1050 + 4 * 9 + 3 + 4 + 5 + 6};
	for (int r = 0; r < 2; r++) {
		uint64_t own = 0;
		for (uint32_t i = 0; i < comparison.count; i++)
			own += heddle__run_own(&comparison.runs[r], i);
		assert_int_equal(own, wanted[r]);
		assert_int_equal(heddle__run_total(&comparison.runs[r], 0), wanted[r]);
	}
	for (uint32_t i = 1; i < comparison.count; i++)
		assert_true(comparison.paths[i].parent < i);
	heddle__comparison_free(&comparison);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_paired_in_order_with_the_least_shift),
		cmocka_unit_test(shifted_regions_are_the_same_and_new_functions_are_new),
		cmocka_unit_test(nothing_is_lost_or_counted_twice),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
