/* SPDX-License-Identifier: BSD-3-Clause */
/* Profiles of programs whose functions follow known laws, with noise from the test's own random numbers. */
#include "analysis/scaling.h"
#include "tests/profile/trace_samples.h"
#include "tests/support/effort.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#define SCALES 7 /* 1 to 64 threads */
#define REPEATS 5
#define TRIALS (EXHAUSTIVE_STEP > 1 ? 5 : 20)
#define SECOND 1e9

static uint64_t seed;

static double uniform(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

static double noise(double deviation)
{
	return 1 + deviation * sqrt(-2 * log(uniform())) * cos(2 * 3.14159265358979 * uniform());
}

static double inverse(double p)
{
	return 20 / p;
}

static double constant(double p)
{
	(void)p;
	return 3;
}

static double logarithm(double p)
{
	return 1 + 0.5 * log2(p);
}

static double linear(double p)
{
	return 1 + 0.5 * p;
}

static double linear_logarithm(double p)
{
	return 1 + 0.3 * p * log2(p);
}

static double root(double p)
{
	return 1 + sqrt(p);
}

/* Functions of main; the number of a function's node is its index plus 2. */
static const struct law {
	const char *name, *leading;
	double (*at)(double p);
} laws[] = {{"inverse", "1/p", inverse}, {"constant", "1", constant}, {"logarithm", "log p", logarithm},
	{"linear", "p", linear}, {"linear_logarithm", "p log p", linear_logarithm}, {"root", "sqrt p", root}};
#define LAWS (sizeof(laws) / sizeof(*laws))

static const char *write_run(unsigned threads, double deviation)
{
	static char text[1 << 16];
	double times[LAWS], all = 0;
	for (size_t l = 0; l < LAWS; l++)
		all += times[l] = SECOND * laws[l].at(threads) * noise(deviation);
	size_t at = (size_t)snprintf(text, sizeof(text),
		"process program /opt/cg\nprocess start_unix_ns 1000\nprocess duration_ns %.0f\nstring main\n", all);
	for (size_t l = 0; l < LAWS; l++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "string %s\n", laws[l].name);
	at += (size_t)snprintf(text + at, sizeof(text) - at, "node 0 ROOT 0 0 0\nnode 0 FUNCTION 0 0 0\n");
	for (size_t l = 0; l < LAWS; l++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "node 1 FUNCTION 0 0 %zu\n", l + 1);
	for (unsigned t = 0; t < threads; t++) {
		at += (size_t)snprintf(
			text + at, sizeof(text) - at, "thread %u %u thread\nthread-field wall_ns %.0f\n", t, t, all);
		for (size_t l = 0; l < LAWS; l++)
			at += (size_t)snprintf(
				text + at, sizeof(text) - at, "value cpu-time %zu %.0f\n", l + 2, times[l]);
	}
	assert_true(at < sizeof(text));
	assert_int_equal(write_profile_from_text(text, traced_path("run", "a.heddle")), 0);
	return "run";
}

static void add_run(struct heddle_scaling *scaling, const char *directory)
{
	struct profile_measurement measurement;
	struct profile_naming naming;
	struct profile_view view;
	struct profile_naming_options naming_options = {.workers = 1};
	struct profile_view_options view_options = {0};
	open_traced(&measurement, directory);
	assert_int_equal(profile_naming_make(&naming, &measurement.tree, &naming_options), 0);
	assert_int_equal(profile_view_make(&view, &measurement, &naming, &view_options), 0);
	assert_int_equal(heddle__scaling_add(scaling, &measurement, &view, 0), 0);
	profile_view_free(&view);
	profile_naming_free(&naming);
	profile_measurement_close(&measurement);
}

static void measure(struct heddle_scaling *scaling, uint64_t trial, double deviation)
{
	*scaling = (struct heddle_scaling){.metric = HEDDLE_METRIC_CPU_TIME};
	seed = trial * 7919 + 1;
	for (int i = 0; i < SCALES * REPEATS; i++)
		add_run(scaling, write_run(1u << i / REPEATS, deviation));
	assert_int_equal(heddle__scaling_finish(scaling), 0);
	assert_int_equal(scaling->point_count, SCALES);
}

static void leading_terms_are_found(void **state)
{
	(void)state;
	int right[LAWS] = {0};
	for (uint64_t trial = 0; trial < TRIALS; trial++) {
		struct heddle_scaling scaling;
		measure(&scaling, trial, 0.05);
		for (size_t l = 0; l < LAWS; l++) {
			struct heddle_model model;
			char text[64];
			assert_true(heddle__scaling_named(&scaling, laws[l].name, scaling.values));
			heddle__scaling_model(&scaling, scaling.values, &model);
			struct heddle_term leading = heddle__model_leading(&model);
			right[l] += strcmp(heddle__term_format(text, sizeof(text), &leading), laws[l].leading) == 0;
		}
		heddle__scaling_free(&scaling);
	}
	for (size_t l = 0; l < LAWS; l++) {
		print_message("%s: %d of %d\n", laws[l].leading, right[l], TRIALS);
		assert_true(right[l] * 20 >= TRIALS * 19);
	}
}

static void predictions_are_near(void **state)
{
	(void)state;
	int far = 0;
	for (uint64_t trial = 0; trial < TRIALS; trial++) {
		struct heddle_scaling scaling;
		measure(&scaling, trial + 1000, 0.02);
		for (size_t l = 0; l < LAWS; l++) {
			struct heddle_model model;
			assert_true(heddle__scaling_named(&scaling, laws[l].name, scaling.values));
			heddle__scaling_model(&scaling, scaling.values, &model);
			far += fabs(heddle__model_at(&model, 128) / (SECOND * laws[l].at(128)) - 1) > 0.1;
		}
		heddle__scaling_free(&scaling);
	}
	print_message("off by more than 10 %%: %d of %zu\n", far, TRIALS * LAWS);
	assert_true(far * 20 <= (int)(TRIALS * LAWS));
}

/* Without noise, checks each column of the table. Loss is the time of all threads beyond that of one thread. */
static void ratios_are_of_the_smallest(void **state)
{
	(void)state;
	struct heddle_scaling scaling;
	measure(&scaling, 0, 0);
	const struct heddle_scaling_point *least = &scaling.points[0], *largest = &scaling.points[SCALES - 1];
	double before = 0, after = 0;
	for (size_t l = 0; l < LAWS; l++) {
		before += laws[l].at(1);
		after += laws[l].at(64);
	}
	assert_int_equal(least->runs, REPEATS);
	assert_float_equal(least->speedup, 1, 1e-9);
	assert_float_equal(largest->speedup, before / after, 1e-6);
	assert_float_equal(largest->efficiency, before / after / 64, 1e-6);
	assert_float_equal(largest->parallel, 1, 1e-6);
	assert_float_equal(largest->computation, before / (64 * after), 1e-6);
	for (uint32_t i = 0; i < scaling.comparison.count; i++) {
		struct heddle_scaling_path path = heddle__scaling_path(&scaling, i);
		if (strcmp(scaling.comparison.paths[i].text, "inverse") == 0)
			assert_float_equal(path.loss, 0, 1e-6);
		if (strcmp(scaling.comparison.paths[i].text, "constant") == 0)
			assert_float_equal(path.loss, 3.0 * 63 / 64 / after, 1e-6);
	}
	heddle__scaling_free(&scaling);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(leading_terms_are_found),
		cmocka_unit_test(predictions_are_near),
		cmocka_unit_test(ratios_are_of_the_smallest),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
