/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "Users may pass in any list of values for the ... arguments" of all three functions: those of END are measured like
 * those of START, but separately. If nothing is measured, or no event ends, there are none.
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int solve = gasp_create_event(context, "solve", "iteration=%d residual=%g name=%s");
	unsigned int other = gasp_create_event(context, "other", "%d");
	for (int i = 0; i < 5; i++) {
		START(context, solve, "a.upc", 1, 0, i, 1. / (1 << i), "first");
		START(context, other, "a.upc", 2, 0, i);
		if (i == 4) /* interleaved */
			END(context, solve, "a.upc", 3, 0, i, .5 / (1 << i), "last");
		END(context, other, "a.upc", 4, 0, 10 * i);
		if (i == 2)
			gasp_control(context, 0);
		if (i < 4)
			END(context, solve, "a.upc", 5, 0, i, .5 / (1 << i), i ? "next" : "first");
		gasp_control(context, 1);
	}
	END(context, solve, "a.upc", 6, 0, 100, 100., "not open");
	EXPECT_VALUES("solve", 1, 5, 0, 4, 10);
	EXPECT_VALUES("solve", 2, 5, 1. / 16, 1, 31. / 16);
	EXPECT_STRING("solve", 3, "first", 5);
	EXPECT_VALUES("solve", OF_END(1), 4, 0, 4, 8);
	EXPECT_VALUES("solve", OF_END(2), 4, 1. / 32, .5, 27. / 32);
	EXPECT_STRING("solve", OF_END(3), "first", 1);
	EXPECT_STRING("solve", OF_END(3), "next", 2);
	EXPECT_STRING("solve", OF_END(3), "last", 1);
	EXPECT_STRING("solve", OF_END(3), "not open", 0);
	EXPECT_VALUES("solve;other", OF_END(1), 5, 0, 40, 100);
	EXPECT_SAID("ends before \"other\"", 1);
	EXPECT_SAID("has not been started", 1);
	return 0;
}
