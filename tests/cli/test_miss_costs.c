/* SPDX-License-Identifier: BSD-3-Clause */
/* The misses of a loop without hints, and their time, which depends on how much memory each brings. */
#include "tests/support/unit.h"

#include "tune/advise/miss_costs.h"

#include <math.h>

#define THREADS 4
#define PARTS 512.0 /* of 4 KiB, of the array on each thread */

/* 60 us for 4 KiB, and 1 us for each further 4 KiB. */
static struct heddle_network_value values[] = {
	{"memget.remote.all.4096", 60},
	{"memget.remote.all.262144", 123},
};
static const struct heddle_network network = {.values = values, .count = sizeof values / sizeof *values};
static const struct heddle_cache_costs costs = {.network = &network, .latency = 50};

/* Each thread executes the loop once. `tiled`: different parts of 4 KiB in all tiles; `each`: elements of each. */
static struct heddle_misses predict(double tiled, double each, double tiles, double array_parts, bool in_order)
{
	struct heddle_advice row = {.element_bytes = 8, .executions = THREADS, .tiles = tiles};
	row.lines = THREADS * tiled;
	row.runs = in_order ? THREADS : row.lines * each;
	row.array_elements = THREADS * array_parts * 512;
	return heddle__predict_misses(&row, &costs, row.lines * each, THREADS);
}

static void assert_about(double value, double expected)
{
	if (value < 0.999 * expected || value > 1.001 * expected)
		fail_msg("%g, expected %g", value, expected);
}

static void in_any_order_a_miss_costs_as_much_as_8_kib(void **state)
{
	double spread = 3 * PARTS / 2 * (1 - pow(1 - 40 / (3 * PARTS), 2));
	struct heddle_misses few = predict(40, 1.5, 1, PARTS, false), all = predict(3 * PARTS, 512, 1, PARTS, false);
	assert_about(few.count, THREADS * spread);
	assert_about(few.us, THREADS * spread * 61);
	assert_about(all.count, THREADS * 3 * PARTS / 2);
	assert_about(all.us, THREADS * 3 * PARTS / 2 * 61);
	(void)state;
}

/* After 8 misses of 8, 16 and 32 KiB each, the others bring 64 KiB. Each tile brings its lines again. */
static void in_order_lines_get_longer(void **state)
{
	for (int tiles = 1; tiles <= 2; tiles++) {
		struct heddle_misses misses = predict(tiles * 3 * PARTS, 512, tiles, PARTS, true);
		double rest = (tiles * 3 * PARTS - 8 * (2 + 4 + 8)) / 16;
		assert_about(misses.count, THREADS * (24 + rest));
		assert_about(misses.us, THREADS * (8 * (61 + 63 + 67) + rest * 75));
	}
	(void)state;
}

/* Of 4 KiB, one granule of 256 bytes is used. */
static void little_used_lines_stay(void **state)
{
	struct heddle_misses misses = predict(100, 1, 1, PARTS, true);
	assert_about(misses.count, THREADS * 50);
	assert_about(misses.us, THREADS * 50 * 61);
	(void)state;
}

/* A thread has 4 KiB of the array, so no line is longer. */
static void a_line_ends_with_the_array(void **state)
{
	struct heddle_misses misses = predict(3, 512, 1, 1, true);
	assert_about(misses.count, THREADS * 3);
	assert_about(misses.us, THREADS * 3 * 60);
	(void)state;
}

static void in_an_unknown_array_each_part_has_a_miss(void **state)
{
	struct heddle_misses misses = predict(6, 2, 1, 0, false);
	assert_about(misses.count, THREADS * 6);
	assert_about(misses.us, THREADS * 6 * 61);
	(void)state;
}

static void without_measured_times_the_latency_determines_it(void **state)
{
	struct heddle_cache_costs estimated = {.latency = 9, .estimated = true};
	assert_about(heddle__miss_cost(&estimated, 65536), 15);
	assert_about(heddle__miss_cost(&costs, 65536), 75);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_any_order_a_miss_costs_as_much_as_8_kib),
		cmocka_unit_test(in_order_lines_get_longer),
		cmocka_unit_test(little_used_lines_stay),
		cmocka_unit_test(a_line_ends_with_the_array),
		cmocka_unit_test(in_an_unknown_array_each_part_has_a_miss),
		cmocka_unit_test(without_measured_times_the_latency_determines_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
