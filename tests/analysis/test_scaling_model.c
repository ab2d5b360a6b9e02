/* SPDX-License-Identifier: BSD-3-Clause */
/* Laws are found in numbers with noise, from the test's own random numbers: the same on every machine. */
#include "analysis/scaling_model.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SCALES 7 /* 1 to 64 */
#define REPEATS 5
#define TRIALS 400 /* with only 20, the result might be luck */

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

static double amdahl(double p)
{
	return 1 + 20 / p;
}

static const struct law {
	const char *leading;
	double (*at)(double p);
} laws[] = {{"1/p", inverse}, {"1", constant}, {"log p", logarithm}, {"p", linear}, {"p log p", linear_logarithm},
	{"sqrt p", root}, {"1", amdahl}};

static void find(struct heddle_model *model, double (*law)(double p), double deviation)
{
	double scales[SCALES * REPEATS], values[SCALES * REPEATS];
	for (int i = 0; i < SCALES * REPEATS; i++) {
		scales[i] = (double)(1 << i / REPEATS);
		values[i] = law(scales[i]) * noise(deviation);
	}
	heddle__model_find(model, scales, values, SCALES * REPEATS);
}

/* With 5 % noise, the leading term is right in 19 of 20 trials. */
static void leading_terms_are_found(void **state)
{
	(void)state;
	int failed = 0;
	for (size_t l = 0; l < sizeof(laws) / sizeof(*laws); l++) {
		int right = 0;
		for (uint64_t trial = 0; trial < TRIALS; trial++) {
			struct heddle_model model;
			char text[64];
			seed = trial * 1000 + l;
			find(&model, laws[l].at, 0.05);
			struct heddle_term leading = heddle__model_leading(&model);
			right += strcmp(heddle__term_format(text, sizeof(text), &leading), laws[l].leading) == 0;
		}
		print_message("%s (law %zu): %d of %d\n", laws[l].leading, l, right, TRIALS);
		failed += right * 20 < TRIALS * 19;
	}
	assert_int_equal(failed, 0);
}

/* With 2 % noise, 99 of 100 predictions for twice the largest scale are within 10 %, and within their intervals. */
static void predictions_are_near(void **state)
{
	(void)state;
	int outside = 0, failed = 0;
	for (size_t l = 0; l < sizeof(laws) / sizeof(*laws); l++)
		for (uint64_t trial = 0; trial < TRIALS; trial++) {
			struct heddle_model model;
			seed = trial * 1000 + l + 77;
			find(&model, laws[l].at, 0.02);
			double truth = laws[l].at(128);
			struct heddle_prediction at = heddle__model_predict(&model, 128);
			failed += fabs(at.value / truth - 1) > 0.1;
			outside += truth < at.low || truth > at.high;
		}
	print_message("off by more than 10 %%: %d, outside of the interval: %d\n", failed, outside);
	assert_true(failed * 100 <= (int)(TRIALS * sizeof(laws) / sizeof(*laws)));
	assert_true(outside * 100 <= (int)(TRIALS * sizeof(laws) / sizeof(*laws)));
}

static void few_scales(void **state)
{
	(void)state;
	struct heddle_model model;
	const double scales[] = {1, 2, 4}, values[] = {8, 4, 2}, zeros[] = {0, 0, 0};
	heddle__model_find(&model, scales, values, 1);
	assert_int_equal(model.count, 0);
	heddle__model_find(&model, scales, values, 3);
	assert_true(model.count > 0 && model.scales == 3 && model.scales < HEDDLE_MODEL_SCALES);
	assert_float_equal(heddle__model_at(&model, 8), 1, 1e-9);
	heddle__model_find(&model, scales, zeros, 3);
	assert_float_equal(heddle__model_at(&model, 8), 0, 1e-9);
	heddle__model_find(&model, scales, values, 0);
	assert_int_equal(model.count, 0);
	/* Too few scales to justify such a term, however well it fits. */
	const double wild[] = {1, 20, 400};
	heddle__model_find(&model, scales, wild, 3);
	struct heddle_term leading = heddle__model_leading(&model), linear_logarithm = {1, 1};
	assert_true(heddle__term_compare(&leading, &linear_logarithm) <= 0);
}

static void terms_are_read_and_written(void **state)
{
	(void)state;
	static const struct {
		const char *text, *again;
	} both[] = {{"1/p", "1/p"}, {"1", "1"}, {"constant", "1"}, {"p", "p"}, {"p*log(p)", "p log p"},
		{"log2(p)", "log p"}, {"sqrt(p)", "sqrt p"}, {"1/sqrt p", "1/sqrt p"},
		{"p^1.5 log p^2", "p^1.5 log(p)^2"}, {"1/p^2", "1/p^2"}};
	static const char *const none[] = {"", "x", "1/", "p q", "2p", "1/x"};
	struct heddle_term term;
	char text[64];
	for (size_t i = 0; i < sizeof(both) / sizeof(*both); i++) {
		assert_true(heddle__term_read(&term, both[i].text));
		assert_string_equal(heddle__term_format(text, sizeof(text), &term), both[i].again);
	}
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++)
		assert_false(heddle__term_read(&term, none[i]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(leading_terms_are_found),
		cmocka_unit_test(predictions_are_near),
		cmocka_unit_test(few_scales),
		cmocka_unit_test(terms_are_read_and_written),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
