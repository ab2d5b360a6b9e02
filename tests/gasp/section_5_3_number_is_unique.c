/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "shall be a unique value in the range from GASP_UPC_USEREVT_START to GASP_UPC_USEREVT_END, inclusive": also for the
 * same name twice.
 */
#include "client.h"

#define COUNT 5000

static int by_value(const void *a, const void *b)
{
	unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;
	return (x > y) - (x < y);
}

int main(void)
{
	static unsigned int numbers[COUNT];
	gasp_context_t context = init_upc();
	int outside = 0, twice = 0;
	for (int i = 0; i < COUNT; i++) {
		numbers[i] = gasp_create_event(context, i % 2 ? "same" : "other", NULL);
		outside += numbers[i] < GASP_UPC_USEREVT_START || numbers[i] > GASP_UPC_USEREVT_END;
	}
	ATOMIC(context, numbers[0], "a.upc", 1, 0);
	ATOMIC(context, numbers[COUNT - 1], "a.upc", 1, 0);
	qsort(numbers, COUNT, sizeof(numbers[0]), by_value);
	for (int i = 1; i < COUNT; i++)
		twice += numbers[i] == numbers[i - 1];
	REQUIRE(outside == 0 && twice == 0);
	EXPECT("visits", "same", 1);
	EXPECT("visits", "other", 1);
	return 0;
}
