/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time while off is not charged to a region: the client's own clock readings around each interval are lower and upper
 * bounds, so noise cannot break the test. The bounds differ by less than half of the time off (by the median, as a busy
 * machine may stop a thread between two clock readings for longer), or time off that is charged would not be noticed.
 */
#include "client.h"

#define ROUNDS 200
#define OFF_NS 50000

static int by_size(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

int main(void)
{
	static uint64_t gaps[ROUNDS];
	gasp_context_t context = init_upc();
	uint64_t at_least = 0, at_most = 0, outer = now(), inner;
	START(context, GASP_UPC_FORALL, "a.upc", 1, 0);
	inner = now();
	for (int i = 0; i < ROUNDS; i++) {
		spend(20000);
		uint64_t before_off = now();
		gasp_control(context, 0);
		uint64_t after_off = now();
		spend(OFF_NS);
		uint64_t before_on = now();
		gasp_control(context, 1);
		uint64_t after_on = now();
		at_least += before_off - inner;
		at_most += after_off - outer;
		gaps[i] = (after_off - before_off) + (after_on - before_on);
		outer = before_on;
		inner = after_on;
	}
	spend(20000);
	at_least += now() - inner;
	END(context, GASP_UPC_FORALL, "a.upc", 1, 0);
	at_most += now() - outer;
	/* Two clocks are compared: TSC ticks are converted with an error of up to 0.1 % in short runs. */
	EXPECT_BETWEEN("wall-time", "GASP_UPC_FORALL @a.upc:1", at_least - at_least / 1000, at_most + at_most / 1000);
	qsort(gaps, ROUNDS, sizeof(gaps[0]), by_size);
	REQUIRE(gaps[ROUNDS / 2] < OFF_NS / 2);
	EXPECT("visits", "*", 1);
	return 0;
}
