/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread's accesses by variable and owner: each pair has one row, which never moves and is found among many. */
#include "tests/support/unit.h"

#include "core/base/memory.h"

/* Compiles the real table here, with memory that can run out. */
static bool no_memory;
#define heddle__map(size) (no_memory ? NULL : heddle__map(size))
#define heddle__alloc(size) (no_memory ? NULL : heddle__alloc(size))
#include "core/threads/partners.c" /* NOLINT */
#include "core/threads/rows.c"     /* NOLINT: so that memory can run out */

#define VARIABLES 50u
#define OWNERS 200u

static struct heddle_partners partners;

static void a_pair_has_one_row(void **state)
{
	(void)state;
	struct heddle_partner *row = heddle__partner_find(&partners, 3, 0);
	assert_non_null(row);
	row->gets = 5;
	assert_ptr_equal(heddle__partner_find(&partners, 3, 0), row);
	assert_ptr_not_equal(heddle__partner_find(&partners, 0, 3), row);
	assert_ptr_not_equal(heddle__partner_find(&partners, 3, 1), row);
	assert_int_equal(heddle__partner_find(&partners, 3, 0)->gets, 5);
	assert_int_equal(row->variable, 3);
	assert_int_equal(row->owner, 0);
}

static void rows_stay_where_they_are_however_many_come(void **state)
{
	static struct heddle_partner *rows[VARIABLES][OWNERS];
	(void)state;
	for (uint32_t v = 0; v < VARIABLES; v++)
		for (uint32_t o = 0; o < OWNERS; o++) {
			rows[v][o] = heddle__partner_find(&partners, v, o);
			assert_non_null(rows[v][o]);
			rows[v][o]->puts = v * OWNERS + o;
		}
	for (uint32_t v = 0; v < VARIABLES; v++)
		for (uint32_t o = 0; o < OWNERS; o++) {
			assert_ptr_equal(heddle__partner_find(&partners, v, o), rows[v][o]);
			assert_int_equal(rows[v][o]->puts, v * OWNERS + o);
		}
	assert_int_equal(atomic_load(&partners.rows.count), VARIABLES * OWNERS);
}

static void rows_have_numbers(void **state)
{
	uint64_t sum = 0;
	uint32_t count = 0;
	(void)state;
	for (const struct heddle_partner *row; (row = heddle__partner_at(&partners, count)) != NULL; count++)
		sum += row->puts;
	assert_int_equal(count, VARIABLES * OWNERS);
	assert_int_equal(sum, (uint64_t)count * (count - 1) / 2);
}

static void without_memory_there_is_no_new_row(void **state)
{
	static struct heddle_partners empty;
	(void)state;
	no_memory = true;
	assert_null(heddle__partner_find(&empty, 1, 1));
	assert_null(heddle__partner_at(&empty, 0));
	no_memory = false;
	assert_non_null(heddle__partner_find(&empty, 1, 1));
}

static void clearing_keeps_rows_without_values(void **state)
{
	(void)state;
	heddle__partners_clear(&partners);
	for (uint32_t i = 0; i < VARIABLES * OWNERS; i++)
		assert_int_equal(heddle__partner_at(&partners, i)->puts, 0);
	assert_int_equal(heddle__partner_find(&partners, 7, 8)->variable, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_pair_has_one_row),
		cmocka_unit_test(rows_stay_where_they_are_however_many_come),
		cmocka_unit_test(rows_have_numbers),
		cmocka_unit_test(without_memory_there_is_no_new_row),
		cmocka_unit_test(clearing_keeps_rows_without_values),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
