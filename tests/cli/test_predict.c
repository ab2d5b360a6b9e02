/* SPDX-License-Identifier: BSD-3-Clause */
/* The time of accesses that a cache would leave, predicted from given times of a network. */
#include "tests/support/unit.h"

#include "tune/advise/advice.h"

#define THREADS 4

/*
 * The first tile takes 100 us and 0.2 us for each element, a further tile 80 us, puts half as long; quartiles are 50
 * and 200 %.
 */
static struct heddle_network_value values[] = {
	{"threads", THREADS},
	{"get.remote.all.8", 50},
	{"memget.remote.all.4096", 60},
	{"memget.remote.all.8192", 61},
	{"loop-got.remote.all.1", 100},
	{"loop-got.remote.all.10001", 2100},
	{"loop-got-low.remote.all.1", 50},
	{"loop-got-low.remote.all.10001", 1050},
	{"loop-got-high.remote.all.1", 200},
	{"loop-got-high.remote.all.10001", 4200},
	{"tile-got.remote.all.1", 80},
	{"tile-got.remote.all.10001", 2080},
	{"loop-put.remote.all.1", 50},
	{"loop-put.remote.all.10001", 1050},
	{"cache.first", 1000},
	{"cache.get-again", 0.01},
	{"cache.put-again", 0.02},
	{"cache.local", 0.03},
	{"cache.iteration", 0},
};
static const struct heddle_network network = {.values = values, .count = sizeof values / sizeof *values};

/* A loop that each of 4 threads executes once: each gets 1,001 different elements, each once. */
static struct heddle_advice loop(void)
{
	return (struct heddle_advice){.file = "a.upc",
		.line = 7,
		.variable = "x",
		.in_loop = true,
		.gets = 4004,
		.known_gets = 4004,
		.element_bytes = 8,
		.got_us = 4004 * 50,
		.executions = THREADS,
		.elements = 4004,
		.elements_got = 4004,
		.lines = 4004,
		.iterations = 4004,
		.loop_us = 4004 * 50};
}

static struct heddle_advices predict(struct heddle_advice *rows, size_t count, const struct heddle_network *from)
{
	struct heddle_advices advices = {
		.items = rows, .count = count, .threads = THREADS, .elapsed_us = 400000, .access_us = 4004 * 50};
	struct heddle_cache_costs costs = heddle__cache_costs(from, &advices);
	heddle__advices_predict(&advices, &costs);
	return advices;
}

static void assert_about(double value, double expected)
{
	if (value < 0.999 * expected || value > 1.001 * expected)
		fail_msg("%g, expected %g", value, expected);
}

static void one_tile_is_read_from_the_curve(void **state)
{
	struct heddle_advice row = loop();
	predict(&row, 1, &network);
	assert_int_equal(row.kind, HEDDLE_ADVISE_COALESCE);
	assert_about(row.after_us[HEDDLE_TYPICAL], 4 * 300);
	assert_about(row.after_us[HEDDLE_LOW], 4 * 150);
	assert_about(row.after_us[HEDDLE_HIGH], 4 * 600);
	(void)state;
}

static void further_accesses_cost_a_hint_and_a_get(void **state)
{
	struct heddle_advice row = loop();
	row.elements = row.elements_got = 2004;
	predict(&row, 1, &network);
	assert_about(row.after_us[HEDDLE_TYPICAL], 4 * 200 + 2000 * 0.02);
	(void)state;
}

static void tiles_bring_elements_again(void **state)
{
	struct heddle_advice row = loop();
	row.iterations = 3 * 4 * 16384;
	row.gets = row.known_gets = 3 * 4004;
	predict(&row, 1, &network);
	assert_about(row.tiles, 3);
	assert_about(row.after_us[HEDDLE_TYPICAL], 4 * (300 + 280 + 280));
	(void)state;
}

static void puts_add_an_upload(void **state)
{
	struct heddle_advice row = loop();
	row.puts = 4004;
	row.elements_put = 2004;
	predict(&row, 1, &network);
	assert_about(row.after_us[HEDDLE_TYPICAL], 4 * 300 + 4 * 100 + 2000 * 0.02);
	(void)state;
}

static void unknown_indices_bring_lines(void **state)
{
	struct heddle_advice row = loop();
	row.known_gets = 0;
	row.lines = 40;
	row.runs = 4004;
	predict(&row, 1, &network);
	assert_int_equal(row.kind, HEDDLE_ADVISE_CACHE);
	assert_about(row.after_us[HEDDLE_TYPICAL], 40 * 61 + (4004 - 40) * 0.01);
	(void)state;
}

/* 0.6 % of the time of accesses is that of their events; the rest is the loop's own time, which remains. */
static void the_loop_keeps_its_own_time(void **state)
{
	struct heddle_advice row = loop();
	struct heddle_advices advices;
	row.loop_us += 4004 * 0.3 + 10000;
	advices = predict(&row, 1, &network);
	assert_about(heddle__advices_loop(&advices, &row, HEDDLE_TYPICAL), 10000 + 4 * 300);
	assert_about(heddle__advices_loop(&advices, &row, HEDDLE_LOW), 10000 + 4 * 150);
	(void)state;
}

/*
 * An iteration for each element of the array, with two accesses each: local elements are looked up in the cache, too.
 */
static void own_elements_are_looked_for(void **state)
{
	struct heddle_advice row = loop();
	row.array_elements = 50000;
	row.occurrences = 2;
	predict(&row, 1, &network);
	assert_about(row.tiles, 1);
	assert_about(row.after_us[HEDDLE_TYPICAL], 4 * 300 + (2 * 50000 - 4004) * 0.03);
	(void)state;
}

/* A cache for one of the two variables is not worthwhile: its accesses remain. */
static void other_accesses_of_the_loop_stay(void **state)
{
	struct heddle_advice rows[] = {loop(), loop()};
	struct heddle_advices advices;
	rows[1].variable = "y";
	rows[1].gets = rows[1].known_gets = 4;
	rows[1].got_us = 200;
	rows[0].loop_us = rows[1].loop_us = 4004 * 50.3 + 201.2;
	advices = predict(rows, 2, &network);
	assert_int_equal(rows[1].kind, HEDDLE_ADVISE_NOTHING);
	assert_about(heddle__advices_loop(&advices, &rows[0], HEDDLE_TYPICAL), 4 * 300 + 201.2);
	(void)state;
}

static void the_run_saves_what_accesses_do_and_pays_once(void **state)
{
	struct heddle_advice row = loop();
	struct heddle_advices advices = predict(&row, 1, &network);
	assert_about(heddle__advices_run(&advices), (400000 - 4004 * 50 + 4 * 300 + 4 * 1000) / 4);
	(void)state;
}

static void iterations_take_their_time(void **state)
{
	struct heddle_network_value copy[sizeof values / sizeof *values];
	struct heddle_network slow = {.values = copy, .count = sizeof values / sizeof *values};
	struct heddle_advice row = loop();
	memcpy(copy, values, sizeof values);
	copy[slow.count - 1].value = 0.05;
	predict(&row, 1, &slow);
	assert_about(row.after_us[HEDDLE_TYPICAL], 4 * 300 + 4004 * 0.05);
	(void)state;
}

/* Files of earlier versions have no times of tiles. */
static void without_tiles_there_is_an_estimate(void **state)
{
	struct heddle_network old = {.values = values, .count = 4};
	struct heddle_advice row = loop();
	predict(&row, 1, &old);
	assert_int_equal(row.kind, HEDDLE_ADVISE_COALESCE);
	assert_about(row.after_us[HEDDLE_TYPICAL], 4 * (6 * 50 + 0.3 * 1001) + 4004 * 0.03);
	assert_true(row.after_us[HEDDLE_LOW] < row.after_us[HEDDLE_TYPICAL]);
	assert_true(row.after_us[HEDDLE_HIGH] > row.after_us[HEDDLE_TYPICAL]);
	(void)state;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_tile_is_read_from_the_curve),
		cmocka_unit_test(further_accesses_cost_a_hint_and_a_get),
		cmocka_unit_test(tiles_bring_elements_again),
		cmocka_unit_test(puts_add_an_upload),
		cmocka_unit_test(unknown_indices_bring_lines),
		cmocka_unit_test(the_loop_keeps_its_own_time),
		cmocka_unit_test(iterations_take_their_time),
		cmocka_unit_test(own_elements_are_looked_for),
		cmocka_unit_test(other_accesses_of_the_loop_stay),
		cmocka_unit_test(the_run_saves_what_accesses_do_and_pays_once),
		cmocka_unit_test(without_tiles_there_is_an_estimate),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
