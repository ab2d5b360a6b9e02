/* SPDX-License-Identifier: BSD-3-Clause */
/* Sketches of a loop's accesses: executions are separate; runs and strides are recognized. */
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

/* Distances are between addresses, forwards and backwards, whichever threads the elements belong to. */
static void distances_have_classes(void **state)
{
	struct heddle_access_sketch *sketch = fresh();
	static const uint64_t places[] = {0, 1, 8, 16, 8, 72, 8, 519, 8, 520, 0};
	struct heddle_sketch_summary summary;
	(void)state;
	reads(sketch, 4096, 1, 8);
	sketch->summary.runs = 0;
	memset(sketch->summary.distances, 0, sizeof(sketch->summary.distances));
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		heddle__sketch_access(sketch, heddle__element_of(i % 3, 4096 + places[i] * 8), 8, HEDDLE_ELEMENT_READ);
	summary = heddle__sketch_end_execution(sketch);
	/* Distance 1: 7 times. 8 to 63: 16-8, twice. 64 to 511: 64 twice, 511 twice. More: 512, 520. */
	assert_int_equal(summary.runs, 9);
	assert_int_equal(summary.distances[0], 1);
	assert_int_equal(summary.distances[1], 2);
	assert_int_equal(summary.distances[2], 4);
	assert_int_equal(summary.distances[3], 2);
	free(sketch);
}

/* Caches are emptied when the loop ends, so an element of two executions counts twice. */
static void executions_are_told_apart(void **state)
{
	struct heddle_access_sketch *sketch = fresh();
	struct heddle_sketch_summary summary;
	(void)state;
	assert_true(heddle__sketch_is_empty(sketch));
	reads(sketch, 4096, 100, 8);
	reads(sketch, 4096, 100, 8);
	heddle__sketch_access(sketch, heddle__element_of(1, 4096), 8, HEDDLE_ELEMENT_WRITTEN);
	heddle__sketch_access(sketch, heddle__element_of(2, 4096), 8, HEDDLE_ELEMENT_WRITTEN);
	assert_false(heddle__sketch_is_empty(sketch));
	summary = heddle__sketch_end_execution(sketch);
	assert_int_equal(summary.reads, 200);
	assert_int_equal(summary.writes, 2);
	assert_int_equal(summary.elements.all, 101);
	assert_int_equal(summary.elements.read, 100);
	assert_int_equal(summary.elements.written, 2);
	assert_int_equal(summary.lines, 2); /* the same address of two threads */
	assert_true(heddle__sketch_is_empty(sketch));
	reads(sketch, 4096, 30, 8);
	summary = heddle__sketch_end_execution(sketch);
	assert_int_equal(summary.reads, 30);
	assert_int_equal(summary.writes, 0);
	assert_int_equal(summary.elements.all, 30);
	free(sketch);
}

static void runs_go_on_beside_the_last_access(void **state)
{
	struct heddle_access_sketch *sketch = fresh();
	(void)state;
	reads(sketch, 4096, 1000, 8);
	assert_int_equal(sketch->summary.runs, 1);
	reads(sketch, 4096, 1000, 8);
	assert_int_equal(sketch->summary.runs, 2);
	reads(sketch, 1 << 20, 10, 16);
	assert_int_equal(sketch->summary.runs, 12);
	free(sketch);
}

/* One array over all threads, element by element: each has the address of the last element, or the next one. */
static void a_cyclic_array_is_one_run(void **state)
{
	struct heddle_access_sketch *sketch = fresh();
	(void)state;
	for (uint32_t i = 0; i < 1000; i++)
		heddle__sketch_access(
			sketch, heddle__element_of(i % 4, 4096 + i / 4 * UINT64_C(8)), 8, HEDDLE_ELEMENT_READ);
	assert_int_equal(sketch->summary.runs, 1);
	free(sketch);
}

static void strides_are_found(void **state)
{
	struct heddle_access_sketch *sketch = fresh();
	uint64_t random = 1;
	(void)state;
	reads(sketch, 4096, 1000, 4096);
	assert_in_range(sketch->summary.regular, 998, 999);
	for (int i = 0; i < 1000; i++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
		heddle__sketch_access(sketch, heddle__element_of(3, random >> 20), 8, HEDDLE_ELEMENT_READ);
	}
	assert_in_range(sketch->summary.regular, 998, 1001);
	free(sketch);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances_have_classes),
		cmocka_unit_test(executions_are_told_apart),
		cmocka_unit_test(runs_go_on_beside_the_last_access),
		cmocka_unit_test(a_cyclic_array_is_one_run),
		cmocka_unit_test(strides_are_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
