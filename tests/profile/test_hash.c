/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of nodes, labels and places increase together; hashes of such pairs must still spread over a table. */
#include "profile/base/intern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PAIRS (1u << 16)
#define BUCKETS (2 * PAIRS)

static size_t buckets_taken(uint64_t first_step, uint64_t second_step, uint64_t offset)
{
	static unsigned char taken[BUCKETS];
	size_t count = 0;
	memset(taken, 0, sizeof(taken));
	for (uint64_t i = 0; i < PAIRS; i++) {
		uint64_t hash = profile_hash_pair(i * first_step, i * second_step + offset);
		count += !taken[hash % BUCKETS];
		taken[hash % BUCKETS] = 1;
	}
	return count;
}

/* A random function fills 79 % of the buckets with as many pairs as buckets. */
static void pairs_spread(void **state)
{
	(void)state;
	static const uint64_t steps[][3] = {{1, 1, 0}, {1, 1, 1}, {1, 2, 0}, {0, 1, 0}, {1, 0, 0}, {16, 16, 1},
		{(uint64_t)1 << 32, 1, 0}, {1, 4096, 0}};
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++)
		assert_true(buckets_taken(steps[i][0], steps[i][1], steps[i][2]) > PAIRS * 7 / 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_spread)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
