/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Values of every class of printf's conversions become statistics, separately for END, and for START and ATOMIC.
 */
#include "client.h"

#include <stddef.h>
#include <stdint.h>

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int ints = gasp_create_event(context, "ints", "%d %i %u %x %hd %hhu");
	unsigned int longs = gasp_create_event(context, "longs", "%ld %lu %lld %llu %zu %jd %td");
	unsigned int reals = gasp_create_event(context, "reals", "f=%f e=%10.3e g=%-8g %Lf");
	unsigned int mixed = gasp_create_event(context, "mixed", "%s: %d of %p, %c %*d %.*f");
	for (int i = 1; i <= 3; i++) {
		START(context, ints, "a.upc", 1, 0, -i, i, 10u * (unsigned int)i, 1u, i, 200);
		END(context, ints, "a.upc", 1, 0, -i, i, 10u * (unsigned int)i, 1u, i, 200);
		ATOMIC(context, longs, "a.upc", 2, 0, -(long)i * (1L << 40), (unsigned long)i << 40, (long long)i,
			(unsigned long long)i, (size_t)i, (intmax_t)-i, (ptrdiff_t)i);
		ATOMIC(context, reals, "a.upc", 3, 0, i / 2.0, i * 1e300, -1.0 * i, (long double)i);
		ATOMIC(context, mixed, "a.upc", 4, 0, "text", i, (void *)&i, 'x', 12, 100 * i, 3, i / 4.0);
	}
	EXPECT_VALUES("ints", 1, 3, -3, -1, -6);
	EXPECT_VALUES("ints", 3, 3, 10, 30, 60);
	EXPECT_VALUES("ints", 6, 3, 200, 200, 600);
	EXPECT_VALUES("longs", 1, 3, -3. * (1LL << 40), -1. * (1LL << 40), -6. * (1LL << 40));
	EXPECT_VALUES("longs", 2, 3, 1. * (1LL << 40), 3. * (1LL << 40), 6. * (1LL << 40));
	EXPECT_VALUES("longs", 6, 3, -3, -1, -6);
	EXPECT_VALUES("longs", 7, 3, 1, 3, 6);
	EXPECT_VALUES("reals", 1, 3, .5, 1.5, 3);
	EXPECT_VALUES("reals", 2, 3, 1e300, 3e300, 6e300);
	EXPECT_VALUES("reals", 4, 3, 1, 3, 6);
	/* Numbered as in the description; each '*' is an argument. */
	EXPECT_VALUES("ints", OF_END(1), 3, -3, -1, -6);
	EXPECT_STRING("mixed", 1, "text", 3);
	EXPECT_VALUES("mixed", 2, 3, 1, 3, 6);
	EXPECT_VALUES("mixed", 6, 3, 100, 300, 600);
	EXPECT_VALUES("mixed", 8, 3, .25, .75, 1.5);
	return 0;
}
