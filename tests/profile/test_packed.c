/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of packed numbers: the same numbers as by unpacking; messages that are not in this simple form are refused. */
#include "heddle_profile.pb-c.h"
#include "profile/file/packed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define ROWS 200 /* enough that numbers are counted both by words and one by one */
#define FIELDS 4

struct message {
	uint8_t bytes[ROWS * 32];
	size_t size;
};

static void make_tree(struct message *message, int64_t *places)
{
	Heddle__Profile__Tree tree = HEDDLE__PROFILE__TREE__INIT;
	uint32_t words[ROWS];
	for (unsigned int i = 0; i < ROWS; i++) {
		words[i] = i % 3 ? i : UINT32_MAX >> i % 32;
		places[i] = (int64_t)(UINT64_MAX >> i % 64) * (i % 2 ? 1 : -1);
	}
	places[0] = INT64_MIN;
	tree.n_parent = tree.n_kind = tree.n_event = tree.n_place = ROWS;
	tree.parent = tree.kind = tree.event = words;
	tree.place = places;
	message->size = heddle__profile__tree__get_packed_size(&tree);
	assert_true(2 * message->size <= sizeof(message->bytes));
	heddle__profile__tree__pack(&tree, message->bytes);
}

static bool find(struct profile_packed fields[FIELDS], const struct message *message)
{
	memset(fields, 0, FIELDS * sizeof(*fields));
	return profile_packed_find(fields, FIELDS, message->bytes, message->size);
}

static void same_numbers(void **state)
{
	(void)state;
	struct profile_packed fields[FIELDS];
	struct message message;
	int64_t places[ROWS];
	make_tree(&message, places);
	assert_true(find(fields, &message));
	Heddle__Profile__Tree *tree = heddle__profile__tree__unpack(NULL, message.size, message.bytes);
	assert_non_null(tree);
	for (size_t f = 0; f < FIELDS; f++)
		assert_int_equal(fields[f].count, ROWS);
	for (size_t i = 0; i < ROWS; i++) {
		assert_int_equal(profile_packed_next(&fields[0]), tree->parent[i]);
		assert_int_equal(profile_packed_next(&fields[2]), tree->event[i]);
		assert_int_equal(profile_packed_signed(profile_packed_next(&fields[3])), places[i]);
	}
	assert_ptr_equal(fields[3].at, fields[3].end);
	heddle__profile__tree__free_unpacked(tree, NULL);
}

/* These are left to profile_unpack: cut short, in two pieces, with an unknown field, or with unpacked numbers. */
static void the_rest_is_refused(void **state)
{
	(void)state;
	static const uint8_t unknown[] = {5 << 3 | 2, 1, 7}, single[] = {1 << 3, 7}, open[] = {1 << 3 | 2, 2, 7, 0x80};
	struct profile_packed fields[FIELDS];
	struct message whole, message;
	int64_t places[ROWS];
	make_tree(&whole, places);
	message = whole;
	for (message.size--; message.size > whole.size - 50; message.size--)
		assert_false(find(fields, &message));
	message = whole;
	memcpy(message.bytes + message.size, whole.bytes, whole.size);
	message.size *= 2;
	assert_false(find(fields, &message));
	message = whole;
	memcpy(message.bytes + message.size, unknown, sizeof(unknown));
	message.size += sizeof(unknown);
	assert_false(find(fields, &message));
	assert_false(profile_packed_find(fields, FIELDS, single, sizeof(single)));
	memset(fields, 0, sizeof(fields));
	assert_false(profile_packed_find(fields, FIELDS, open, sizeof(open)));
	memset(fields, 0, sizeof(fields));
	assert_true(profile_packed_find(fields, FIELDS, open, 0));
	assert_int_equal(fields[0].count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(same_numbers), cmocka_unit_test(the_rest_is_refused)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
