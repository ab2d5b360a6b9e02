/* SPDX-License-Identifier: BSD-3-Clause */
/* The encoder produces the same bytes as Protocol Buffers and zlib. */
#include "tests/support/unit.h"

#include <sys/resource.h>
#include <zlib.h>

#include "core/base/memory.h"
#include "core/writer/encode.h"

static uint64_t decode(const uint8_t *bytes, size_t size)
{
	uint64_t value = 0;
	for (size_t i = 0; i < size; i++)
		value |= (uint64_t)(bytes[i] & 0x7f) << (7 * i);
	return value;
}

static void varints_take_seven_bits_a_byte(void **state)
{
	(void)state;
	static const struct {
		uint64_t value;
		size_t size;
	} edges[] = {{0, 1}, {1, 1}, {127, 1}, {128, 2}, {16383, 2}, {16384, 3}, {UINT32_MAX, 5},
		{(uint64_t)1 << 35, 6}, {INT64_MAX, 9}, {(uint64_t)1 << 63, 10}, {UINT64_MAX, 10}};
	struct heddle_buffer buffer = {0};
	for (size_t i = 0; i < sizeof(edges) / sizeof(edges[0]); i++) {
		heddle__buffer_clear(&buffer);
		heddle__put_varint(&buffer, edges[i].value);
		assert_int_equal(buffer.size, edges[i].size);
		assert_true(decode(buffer.data, buffer.size) == edges[i].value);
		for (size_t at = 0; at < buffer.size; at++)
			assert_int_equal(buffer.data[at] >> 7, at + 1 < buffer.size);
	}
	heddle__buffer_free(&buffer);
}

static void zigzag_puts_small_differences_first(void **state)
{
	(void)state;
	assert_int_equal(heddle__zigzag(0), 0);
	assert_int_equal(heddle__zigzag(-1), 1);
	assert_int_equal(heddle__zigzag(1), 2);
	assert_int_equal(heddle__zigzag(-2), 3);
	assert_true(heddle__zigzag(INT64_MAX) == UINT64_MAX - 1);
	assert_true(heddle__zigzag(INT64_MIN) == UINT64_MAX);
}

static void fields_have_number_and_wire_type_and_zeros_are_left_out(void **state)
{
	(void)state;
	struct heddle_buffer buffer = {0}, part = {0};
	heddle__put_uint(&buffer, 3, 0);
	heddle__put_string(&buffer, 4, "");
	heddle__put_string(&buffer, 4, NULL);
	heddle__put_block(&buffer, 5, &part);
	assert_int_equal(buffer.size, 0);
	heddle__put_uint(&buffer, 3, 300);
	heddle__put_string(&buffer, 20, "ab");
	heddle__put_varint(&part, 7);
	heddle__put_block(&buffer, 2, &part);
	heddle__put_bytes(&buffer, 2, NULL, 0); /* an empty element of a repeated field is encoded */
	static const uint8_t expected[] = {
		3 << 3, 0xac, 0x02, 0xa2, 0x01, 2, 'a', 'b', 2 << 3 | 2, 1, 7, 2 << 3 | 2, 0};
	assert_int_equal(buffer.size, sizeof(expected));
	assert_memory_equal(buffer.data, expected, sizeof(expected));
	heddle__buffer_free(&buffer);
	heddle__buffer_free(&part);
}

static void the_check_sum_is_zlib_s(void **state)
{
	(void)state;
	static uint8_t bytes[5000];
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(i * i >> 3 ^ i);
	assert_int_equal(heddle__crc32(bytes, 0), 0);
	for (size_t size = 1; size <= sizeof(bytes); size = size * 3 + 1)
		assert_int_equal(heddle__crc32(bytes + 1, size - 1), crc32(0, bytes + 1, (uInt)size - 1));
	assert_int_equal(heddle__crc32("123456789", 9), 0xcbf43926u);
}

static void a_buffer_grows_and_is_given_back(void **state)
{
	(void)state;
	uint64_t before = heddle__memory_mapped();
	struct heddle_buffer buffer = {0};
	static uint8_t block[300000];
	memset(block, 0x5a, sizeof(block));
	for (uint32_t i = 0; i < 200000; i++)
		heddle__put_varint(&buffer, i & 127);
	heddle__put_bytes(&buffer, 1, block, sizeof(block)); /* more than twice the size so far */
	assert_false(buffer.failed);
	for (uint32_t i = 0; i < 200000; i++)
		assert_int_equal(buffer.data[i], i & 127);
	assert_memory_equal(buffer.data + buffer.size - sizeof(block), block, sizeof(block));
	assert_true(heddle__memory_mapped() > before);
	heddle__buffer_free(&buffer);
	assert_int_equal(heddle__memory_mapped(), before);
	assert_null(buffer.data);
}

static void after_memory_ran_out_nothing_changes_any_more(void **state)
{
	(void)state;
	struct heddle_buffer buffer = {0}, around = {0};
	heddle__put_varint(&buffer, 1);
	heddle__put_bytes(&buffer, 1, "", (size_t)1 << 60);
	assert_true(buffer.failed);
	size_t size = buffer.size;
	heddle__put_varint(&buffer, 1);
	heddle__put_uint(&buffer, 1, 1);
	assert_int_equal(buffer.size, size);
	heddle__put_block(&around, 1, &buffer);
	assert_true(around.failed);
	heddle__buffer_free(&buffer);
	heddle__buffer_free(&around);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(varints_take_seven_bits_a_byte),
		cmocka_unit_test(zigzag_puts_small_differences_first),
		cmocka_unit_test(fields_have_number_and_wire_type_and_zeros_are_left_out),
		cmocka_unit_test(the_check_sum_is_zlib_s),
		cmocka_unit_test(a_buffer_grows_and_is_given_back),
		cmocka_unit_test(after_memory_ran_out_nothing_changes_any_more),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
