/* SPDX-License-Identifier: BSD-3-Clause */
/* Digests are SipHash's: the values that its authors publish for the key 00 01 .. 0f and the bytes 00 01
 * ... */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka needs those first */
#include "upc/network/ucx_secret.h"
#include <cmocka.h>

static const struct {
	size_t size;
	struct hupc__digest digest;
} published[] = {
	{0, {{UINT64_C(0xe6a825ba047f81a3), UINT64_C(0x930255c71472f66d)}}},
	{1, {{UINT64_C(0x44af996bd8c187da), UINT64_C(0x45fc229b11597634)}}},
};

static struct hupc__digest of_bytes(size_t size, unsigned char first)
{
	unsigned char secret[HUPC__SECRET_SIZE], bytes[64];
	for (size_t i = 0; i < sizeof secret; i++)
		secret[i] = (unsigned char)i;
	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (unsigned char)(first + i);
	return hupc__secret_digest(secret, bytes, size);
}

static void published_values(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
		struct hupc__digest digest = of_bytes(published[i].size, 0);
		assert_int_equal(digest.word[0], published[i].digest.word[0]);
		assert_int_equal(digest.word[1], published[i].digest.word[1]);
	}
}

static void all_bytes_count(void **state)
{
	(void)state;
	for (size_t size = 1; size <= 64; size++) {
		struct hupc__digest it = of_bytes(size, 0), shorter = of_bytes(size - 1, 0), other = of_bytes(size, 1);
		assert_true(hupc__secret_equal(&it, &it));
		assert_false(hupc__secret_equal(&it, &shorter));
		assert_false(hupc__secret_equal(&it, &other));
	}
}

static void one_bit_differs(void **state)
{
	(void)state;
	for (int bit = 0; bit < 128; bit++) {
		struct hupc__digest it = of_bytes(3, 0), other = it;
		other.word[bit / 64] ^= UINT64_C(1) << bit % 64;
		assert_false(hupc__secret_equal(&it, &other));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(published_values),
		cmocka_unit_test(all_bytes_count),
		cmocka_unit_test(one_bit_differs),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
