/* SPDX-License-Identifier: BSD-3-Clause */
/* Sketches of a loop's accesses: sums over its executions, runs, frequent strides. */
#include "tests/support/unit.h"

#include "core/base/access_sketch.h"

static struct heddle_access_sketch *fresh(void)
{
	struct heddle_access_sketch *sketch = calloc(1, sizeof(*sketch));
	assert_non_null(sketch);
	return sketch;
}

static void reads(struct heddle_access_sketch *sketch, uint64_t from, uint64_t count, uint64_t step)
{
	for (uint64_t i = 0; i < count; i++)
		heddle__sketch_access(sketch, heddle__element_of(1, from + i * step), 8, HEDDLE_ELEMENT_READ);
}

static const struct heddle_stride *find_stride(const struct heddle_access_sketch *sketch, int64_t distance)
{
	for (int i = 0; i < HEDDLE_STRIDES; i++)
		if (sketch->strides[i].count && sketch->strides[i].distance == distance)
			return &sketch->strides[i];
	return NULL;
}

/* Caches are emptied when the loop ends, so elements of two executions are not the same. */
static void executions_are_added_up(void **state)
{
	struct heddle_access_sketch *sketch = fresh();
	struct heddle_sketch_sums sums;
	(void)state;
	reads(sketch, 4096, 100, 8);
	reads(sketch, 4096, 100, 8);
	heddle__sketch_end_execution(sketch);
	heddle__sketch_end_execution(sketch); /* without an access: none */
	heddle__sketch_access(sketch, heddle__element_of(1, 4096), 8, HEDDLE_ELEMENT_WRITTEN);
	reads(sketch, 4096, 30, 8);
	sums = heddle__sketch_sums(sketch);
	assert_int_equal(sums.executions, 2);
	assert_int_equal(sums.counts.all, 130);
	assert_int_equal(sums.counts.read, 130);
	assert_int_equal(sums.counts.written, 1);
	assert_int_equal(sums.most, 100);
	assert_int_equal(sketch->reads, 230);
	assert_int_equal(sketch->writes, 1);
	heddle__sketch_end_execution(sketch);
	assert_int_equal(heddle__sketch_sums(sketch).counts.all, 130);
	free(sketch);
}

static void runs_go_on_beside_the_last_access(void **state)
{
	struct heddle_access_sketch *sketch = fresh();
	(void)state;
	reads(sketch, 4096, 1000, 8);
	assert_int_equal(sketch->runs, 1);
	reads(sketch, 4096, 1000, 8);
	assert_int_equal(sketch->runs, 2);
	reads(sketch, 1 << 20, 10, 16);
	assert_int_equal(sketch->runs, 12);
	free(sketch);
}

/* One array over all threads, element by element: each is at the same address as the last, or after it. */
static void a_cyclic_array_is_one_run(void **state)
{
	struct heddle_access_sketch *sketch = fresh();
	(void)state;
	for (uint32_t i = 0; i < 1000; i++)
		heddle__sketch_access(
			sketch, heddle__element_of(i % 4, 4096 + i / 4 * UINT64_C(8)), 8, HEDDLE_ELEMENT_READ);
	assert_int_equal(sketch->runs, 1);
	assert_non_null(find_stride(sketch, (int64_t)1 << HEDDLE_ELEMENT_ADDRESS_BITS));
	assert_non_null(find_stride(sketch, 8 - ((int64_t)3 << HEDDLE_ELEMENT_ADDRESS_BITS)));
	free(sketch);
}

static void frequent_strides_are_found(void **state)
{
	struct heddle_access_sketch *sketch = fresh();
	uint64_t at = 1 << 20, random = 1;
	(void)state;
	for (int i = 0; i < 10000; i++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
		at += i % 2 ? 24 : i % 4 ? 4096 : random >> 44;
		heddle__sketch_access(sketch, heddle__element_of(0, at), 8, HEDDLE_ELEMENT_READ);
	}
	/* Half and a quarter of all; a fifth may be missing. */
	assert_non_null(find_stride(sketch, 24));
	assert_in_range(find_stride(sketch, 24)->count, 3000, 5000);
	assert_non_null(find_stride(sketch, 4096));
	assert_in_range(find_stride(sketch, 4096)->count, 500, 2500);
	free(sketch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(executions_are_added_up),
		cmocka_unit_test(runs_go_on_beside_the_last_access),
		cmocka_unit_test(a_cyclic_array_is_one_run),
		cmocka_unit_test(frequent_strides_are_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
