/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Two threads successively have pending requests with the same handle: each completion belongs to its own operation,
 * whichever thread takes its entry first.
 */
#include "models/mpi/wrappers/mpi_requests.h"
#include "tests/support/unit.h"

#define HANDLE 0x2c000001u

/* A send, whose call returned at 30, completes at 40; a receive, whose call lasted from 10 to 60, reused its handle. */
static const struct heddle_mpi_request
	sent = {.handle = HANDLE, .start = 20, .took = 10, .number = 1, .partner = 1, .sends = true},
	received = {.handle = HANDLE, .start = 10, .took = 50, .number = 2, .partner = 2, .receives = true};

static void expect_number(uint64_t since, uint64_t number)
{
	struct heddle_mpi_request request;
	assert_true(heddle__mpi_request_complete(HANDLE, since, &request));
	assert_int_equal(request.number, number);
}

static void add_both(void)
{
	assert_true(heddle__mpi_request_add(&sent));
	assert_true(heddle__mpi_request_add(&received));
}

static void expect_none(void)
{
	struct heddle_mpi_request request;
	assert_false(heddle__mpi_request_complete(HANDLE, UINT64_MAX, &request));
}

static void the_first_wait_takes_its_entry_first(void **state)
{
	(void)state;
	add_both();
	expect_number(35, 1);
	expect_number(70, 2);
	expect_none();
}

static void the_second_wait_takes_its_entry_first(void **state)
{
	(void)state;
	add_both();
	expect_number(70, 2);
	expect_number(35, 1);
	expect_none();
}

static void a_wait_completes_nothing_that_started_during_it(void **state)
{
	struct heddle_mpi_request request;
	(void)state;
	assert_true(heddle__mpi_request_add(&received));
	assert_false(heddle__mpi_request_complete(HANDLE, 35, &request));
	expect_number(70, 2);
	expect_none();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_wait_takes_its_entry_first),
		cmocka_unit_test(the_second_wait_takes_its_entry_first),
		cmocka_unit_test(a_wait_completes_nothing_that_started_during_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
