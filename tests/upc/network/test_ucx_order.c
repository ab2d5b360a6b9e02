/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages are processed in the order of their numbers, whatever the order of their arrival. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka needs those first */
#include "upc/network/ucx_order.h"
#include <cmocka.h>

static uint64_t taken[16];
static size_t count;

static void take(const void *header, const void *data, size_t size)
{
	uint64_t number;
	memcpy(&number, header, sizeof number);
	taken[count++] = number;
	assert_int_equal(size, number % 3);
	for (size_t i = 0; i < size; i++)
		assert_int_equal(((const char *)data)[i], (char)(number + i));
}

static void arrive(struct hupc__ucx_order *order, uint64_t number)
{
	uint64_t header = number;
	char data[3] = {(char)number, (char)(number + 1), (char)(number + 2)};
	assert_null(hupc__ucx_in_order(order, number, &header, sizeof header, data, number % 3, take));
	memset(data, 0, sizeof data);
	header = 99;
}

static void in_order(void **state)
{
	struct hupc__ucx_order order = {0};
	(void)state;
	count = 0;
	for (uint64_t number = 0; number < 5; number++) {
		arrive(&order, number);
		assert_int_equal(count, number + 1);
	}
	assert_null(order.early);
}

static void early(void **state)
{
	static const uint64_t arrivals[] = {2, 0, 5, 4, 1, 7, 3, 6};
	static const size_t taken_then[] = {0, 1, 1, 1, 3, 3, 6, 8};
	struct hupc__ucx_order order = {0};
	(void)state;
	count = 0;
	for (size_t i = 0; i < sizeof arrivals / sizeof *arrivals; i++) {
		arrive(&order, arrivals[i]);
		assert_int_equal(count, taken_then[i]);
	}
	for (size_t i = 0; i < count; i++)
		assert_int_equal(taken[i], i);
	assert_null(order.early);
}

/* Nothing is stored for a number that was processed, is stored already, or that no sender can have reached. */
static void refused(void **state)
{
	static const uint64_t numbers[] = {0, 1, 4, UINT64_MAX, 1000000, (uint64_t)INT64_MAX};
	struct hupc__ucx_order order = {0};
	uint64_t header = 0;
	(void)state;
	count = 0;
	arrive(&order, 0);
	arrive(&order, 1);
	arrive(&order, 4);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		assert_non_null(hupc__ucx_in_order(&order, numbers[i], &header, sizeof header, "", 0, take));
	assert_int_equal(count, 2);
	arrive(&order, 2);
	arrive(&order, 3);
	assert_int_equal(count, 5);
	assert_null(order.early);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(in_order),
		cmocka_unit_test(early),
		cmocka_unit_test(refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
