/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranges of shared memory are found by any address in them; compared with a simple list over random changes. */
#include "tests/support/unit.h"

#include "models/upc/upc_objects.h"

#define OWNERS 4u
#define ADDRESSES 600u
#define CHANGES 20000

static uint32_t plain[OWNERS + 1][ADDRESSES]; /* description at each address, 0: none; the last row: all threads */

static uint32_t row_of(uint32_t owner)
{
	return owner == HEDDLE_UPC_ALL_THREADS ? OWNERS : owner;
}

static void add(uint32_t owner, uint64_t low, uint64_t high, uint32_t description)
{
	struct heddle_upc_object object = {.low = low,
		.high = high,
		.owner = owner,
		.description = description,
		.now = &heddle__upc_objects_generation,
		.version = heddle__upc_objects_generation};
	heddle__upc_object_add(&object);
}

static uint32_t at(uint32_t owner, uint64_t address)
{
	struct heddle_upc_object object;
	if (!heddle__upc_object_find(owner, address, &object))
		return 0;
	assert_true(object.low <= address && address < object.high);
	assert_true(heddle__upc_object_is_valid(&object));
	return object.description;
}

static void a_range_is_found_by_its_addresses(void **state)
{
	(void)state;
	add(1, 100, 200, 7);
	assert_int_equal(at(1, 99), 0);
	assert_int_equal(at(1, 100), 7);
	assert_int_equal(at(1, 199), 7);
	assert_int_equal(at(1, 200), 0);
	assert_int_equal(at(0, 150), 0);
	add(HEDDLE_UPC_ALL_THREADS, 300, 310, 8);
	assert_int_equal(at(0, 305), 8);
	assert_int_equal(at(900, 309), 8);
	heddle__upc_object_remove(1, 100);
	heddle__upc_object_remove(0, 300);
	assert_int_equal(at(1, 150), 0);
	assert_int_equal(at(3, 300), 0);
}

static void an_empty_range_is_not_added(void **state)
{
	(void)state;
	add(1, 100, 100, 7);
	add(1, 100, 90, 7);
	assert_int_equal(at(1, 100), 0);
}

static void a_removal_invalidates_what_was_found(void **state)
{
	struct heddle_upc_object object;
	(void)state;
	add(2, 10, 20, 3);
	assert_true(heddle__upc_object_find(2, 15, &object));
	add(2, 30, 40, 4); /* adjoins no other range */
	assert_true(heddle__upc_object_is_valid(&object));
	heddle__upc_object_remove(2, 10);
	assert_false(heddle__upc_object_is_valid(&object));
	heddle__upc_object_remove(2, 30);
}

static uint32_t random_below(uint32_t limit)
{
	static uint32_t seed = 12345;
	seed = seed * 1103515245u + 12345u;
	return (seed >> 8) % limit;
}

/* Changes the simple list: ranges that a new one overlaps are removed completely. */
static void add_plain(uint32_t row, uint32_t low, uint32_t high, uint32_t description)
{
	for (uint32_t a = low; a < high; a++) {
		uint32_t before = plain[row][a];
		for (uint32_t b = 0; before && b < ADDRESSES; b++)
			if (plain[row][b] == before)
				plain[row][b] = 0;
	}
	for (uint32_t a = low; a < high; a++)
		plain[row][a] = description;
}

static void remove_plain(uint32_t row, uint32_t address)
{
	uint32_t description = plain[row][address];
	if (!description || (address && plain[row][address - 1] == description))
		return; /* no range begins there */
	for (uint32_t b = address; b < ADDRESSES && plain[row][b] == description; b++)
		plain[row][b] = 0;
}

static void random_changes_are_as_in_a_plain_list(void **state)
{
	(void)state;
	for (uint32_t i = 1; i <= CHANGES; i++) {
		uint32_t owner = random_below(OWNERS + 1), address = random_below(ADDRESSES - 40);
		owner = owner == OWNERS ? HEDDLE_UPC_ALL_THREADS : owner;
		if (random_below(3)) {
			uint32_t size = 1 + random_below(random_below(2) ? 40 : 4);
			add(owner, address, address + size, i);
			add_plain(row_of(owner), address, address + size, i);
		} else {
			heddle__upc_object_remove(owner, address);
			remove_plain(row_of(owner), address);
			if (owner == 0)
				remove_plain(OWNERS, address);
		}
		uint32_t who = random_below(OWNERS), where = random_below(ADDRESSES);
		uint32_t expected = plain[who][where] ? plain[who][where] : plain[OWNERS][where];
		assert_int_equal(at(who, where), expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_range_is_found_by_its_addresses),
		cmocka_unit_test(an_empty_range_is_not_added),
		cmocka_unit_test(a_removal_invalidates_what_was_found),
		cmocka_unit_test(random_changes_are_as_in_a_plain_list),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
