/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of exchanges: one for each communicator, partner, kind and power of two of the size. */
#include "core/threads/exchanges.h"
#include "tests/support/unit.h"

static void rows_are_apart(void **state)
{
	static struct heddle_exchanges table;
	(void)state;
	struct heddle_exchange *row = heddle__exchange_find(&table, 1, 0, HEDDLE_EXCHANGE_SENT, 100);
	assert_non_null(row);
	row->messages = 5;
	assert_ptr_equal(heddle__exchange_find(&table, 1, 0, HEDDLE_EXCHANGE_SENT, 127), row);
	assert_ptr_not_equal(heddle__exchange_find(&table, 1, 0, HEDDLE_EXCHANGE_SENT, 128), row);
	assert_ptr_not_equal(heddle__exchange_find(&table, 1, 0, HEDDLE_EXCHANGE_RECEIVED, 100), row);
	assert_ptr_not_equal(heddle__exchange_find(&table, 1, 1, HEDDLE_EXCHANGE_SENT, 100), row);
	assert_ptr_not_equal(heddle__exchange_find(&table, 2, 0, HEDDLE_EXCHANGE_SENT, 100), row);
	const struct heddle_exchange *none = heddle__exchange_find(&table, 1, -1, HEDDLE_EXCHANGE_SENT, 0);
	assert_int_equal(none->partner, 0);
	assert_int_equal(none->bucket, 0);
	assert_int_equal(
		heddle__exchange_find(&table, 1, 7, HEDDLE_EXCHANGE_SENT, UINT64_MAX)->bucket, HEDDLE_SIZE_BUCKETS - 1);
	heddle__exchanges_clear(&table);
	assert_int_equal(row->messages, 0);
	assert_ptr_equal(heddle__exchange_find(&table, 1, 0, HEDDLE_EXCHANGE_SENT, 64), row);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_apart)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
