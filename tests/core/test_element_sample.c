/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of elements are exact for small sets, and within the stated error for others, whatever the pattern. */
#include "tests/support/unit.h"

#include "core/base/element_sample.h"

/* Four standard errors of a sample's estimate; see element_sample.h. */
#define ALLOWED 0.104

static struct heddle_element_sample *fresh(void)
{
	struct heddle_element_sample *sample = calloc(1, sizeof(*sample));
	assert_non_null(sample);
	return sample;
}

static void expect_near(uint64_t estimate, uint64_t truth)
{
	double error = ((double)estimate - (double)truth) / (double)truth;
	if (error > ALLOWED || error < -ALLOWED)
		fail_msg("%llu different elements, estimated as %llu", (unsigned long long)truth,
			(unsigned long long)estimate);
}

static void a_small_set_is_exact(void **state)
{
	struct heddle_element_sample *sample = fresh();
	(void)state;
	assert_int_equal(heddle__sample_estimate(sample).all, 0);
	for (int again = 0; again < 3; again++)
		for (uint64_t i = 0; i < HEDDLE_SAMPLE_FULL - 1; i++)
			heddle__sample_add(sample, i * 4, i % 3 ? HEDDLE_ELEMENT_READ : HEDDLE_ELEMENT_WRITTEN);
	assert_int_equal(heddle__sample_estimate(sample).all, HEDDLE_SAMPLE_FULL - 1);
	assert_int_equal(heddle__sample_estimate(sample).written, HEDDLE_SAMPLE_FULL / 3);
	assert_int_equal(heddle__sample_estimate(sample).read, HEDDLE_SAMPLE_FULL - 1 - HEDDLE_SAMPLE_FULL / 3);
	heddle__sample_add(sample, 0, HEDDLE_ELEMENT_READ);
	assert_int_equal(heddle__sample_estimate(sample).read, HEDDLE_SAMPLE_FULL - HEDDLE_SAMPLE_FULL / 3);
	free(sample);
}

static void element_zero_counts(void **state)
{
	struct heddle_element_sample *sample = fresh();
	(void)state;
	heddle__sample_add(sample, 0, HEDDLE_ELEMENT_WRITTEN);
	heddle__sample_add(sample, 0, HEDDLE_ELEMENT_WRITTEN);
	assert_int_equal(heddle__sample_estimate(sample).all, 1);
	assert_int_equal(heddle__sample_estimate(sample).written, 1);
	free(sample);
}

/* Patterns: the i-th element, from 0. */
static uint64_t consecutive(uint64_t i)
{
	return i;
}

static uint64_t strided(uint64_t i)
{
	return i << 20;
}

static uint64_t cyclic(uint64_t i)
{
	return (i % 64) << 48 | (i / 64) * 8;
}

static uint64_t clustered(uint64_t i)
{
	return (i / 100) * 999983 + i % 100;
}

static uint64_t high_bits(uint64_t i)
{
	return i << 44;
}

static uint64_t squares(uint64_t i)
{
	return i * i;
}

static uint64_t gray(uint64_t i)
{
	return i ^ i >> 1;
}

static uint64_t (*const patterns[])(uint64_t) = {consecutive, strided, cyclic, clustered, high_bits, squares, gray};
#define PATTERNS (sizeof(patterns) / sizeof(patterns[0]))

static void patterns_are_within_the_error(void **state)
{
	static const uint64_t sizes[] = {HEDDLE_SAMPLE_FULL, 5000, 20000, 250000};
	struct heddle_element_sample *sample = fresh();
	(void)state;
	for (size_t p = 0; p < PATTERNS; p++) {
		for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++) {
			heddle__sample_clear(sample);
			for (uint64_t i = 0; i < sizes[s]; i++)
				heddle__sample_add(sample, patterns[p](i), HEDDLE_ELEMENT_READ);
			expect_near(heddle__sample_estimate(sample).all, sizes[s]);
		}
	}
	free(sample);
}

/* A few elements are accessed again and again, before, among and after many that are accessed once. */
static void repetition_does_not_count(void **state)
{
	struct heddle_element_sample *sample = fresh();
	(void)state;
	for (uint64_t i = 0; i < 200000; i++) {
		heddle__sample_add(sample, i % 7, HEDDLE_ELEMENT_WRITTEN);
		heddle__sample_add(sample, 1000 + i / 10, HEDDLE_ELEMENT_READ);
	}
	expect_near(heddle__sample_estimate(sample).all, 20007);
	expect_near(heddle__sample_estimate(sample).read, 20000);
	free(sample);
}

/* Elements that all hash to one slot of the table make the sample slower, not less exact. */
static void colliding_elements_are_counted(void **state)
{
	struct heddle_element_sample *sample = fresh();
	uint64_t found = 0;
	(void)state;
	for (uint64_t i = 0; found < 2000; i++) {
		if ((heddle__element_hash(i) & (HEDDLE_SAMPLE_SLOTS - 1)) != HEDDLE_SAMPLE_SLOTS - 1)
			continue;
		heddle__sample_add(sample, i, HEDDLE_ELEMENT_READ);
		found++;
	}
	assert_int_equal(heddle__sample_estimate(sample).all, 2000);
	heddle__sample_clear(sample);
	heddle__sample_add(sample, 1, HEDDLE_ELEMENT_READ);
	assert_int_equal(heddle__sample_estimate(sample).all, 1);
	free(sample);
}

static uint64_t undo_shift(uint64_t value, unsigned int shift)
{
	uint64_t result = value;
	for (unsigned int done = shift; done < HEDDLE_ELEMENT_BITS; done += shift)
		result = value ^ result >> shift;
	return result;
}

static uint64_t inverse(uint64_t odd)
{
	uint64_t result = odd;
	for (int i = 0; i < 6; i++)
		result *= 2 - odd * result;
	return result;
}

/* The hash is invertible: no two elements have the same hash. */
static void the_hash_is_a_permutation(void **state)
{
	(void)state;
	for (uint64_t i = 0; i < 100000; i++) {
		uint64_t element = i * UINT64_C(0x1234567890abcdf) & HEDDLE_ELEMENT_MASK;
		uint64_t value = undo_shift(heddle__element_hash(element), 33);
		value = undo_shift(value * inverse(UINT64_C(0x81dadef4bc2dd44d)) & HEDDLE_ELEMENT_MASK, 27);
		value = undo_shift(value * inverse(UINT64_C(0x7fb5d329728ea185)) & HEDDLE_ELEMENT_MASK, 31);
		assert_int_equal(value, element);
	}
}

/* Many small executions of a loop: a cleared sample contains none of the former elements. */
static void clearing_leaves_nothing(void **state)
{
	struct heddle_element_sample *sample = fresh();
	static const uint16_t none[HEDDLE_SAMPLE_SLOTS];
	(void)state;
	for (uint64_t round = 0; round < 5000; round++) {
		uint64_t count = round % 300;
		for (uint64_t i = 0; i < count; i++)
			heddle__sample_add(sample, round * 31 + i * 3, HEDDLE_ELEMENT_READ);
		assert_int_equal(heddle__sample_estimate(sample).all, count);
		heddle__sample_clear(sample);
		assert_memory_equal(sample->slots, none, sizeof(none));
	}
	free(sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_small_set_is_exact),
		cmocka_unit_test(element_zero_counts),
		cmocka_unit_test(patterns_are_within_the_error),
		cmocka_unit_test(repetition_does_not_count),
		cmocka_unit_test(colliding_elements_are_counted),
		cmocka_unit_test(the_hash_is_a_permutation),
		cmocka_unit_test(clearing_leaves_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
