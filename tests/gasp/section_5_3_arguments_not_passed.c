/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program that passes fewer arguments than its description says, such as none to END: only those that it passes are
 * measured, if it was compiled with Heddle's pupc.h.
 */
#define __UPC_PUPC_INST__ 1
#include <heddle/pupc.h>

#include "client.h"

int main(void)
{
	unsigned int event = pupc_create_event("event", "%d %g %s %ld %u %lu %.*s");
	unsigned int reals = pupc_create_event("reals", "%g %g"), text = pupc_create_event("text", "%s %p %d");
	for (int i = 1; i <= 3; i++) {
		pupc_event_start(event, i, 2.5, "name", 4L, 5u, 6ul, 1, "cut");
		pupc_event_end(event);
		pupc_event_start(event, i, 2.5);
		pupc_event_end(event, i, 2.5, "name", 4L);
		pupc_event_start(reals);
		pupc_event_end(reals, 1.5);
		pupc_event_start(text, "a", (void *)&text);
		pupc_event_end(text);
	}
	EXPECT_VALUES("event", 1, 6, 1, 3, 12);
	EXPECT_VALUES("event", 2, 6, 2.5, 2.5, 15);
	EXPECT_STRING("event", 3, "name", 3);
	EXPECT_VALUES("event", 4, 3, 4, 4, 12);
	EXPECT_VALUES("event", 6, 3, 6, 6, 18);
	EXPECT_STRING("event", 8, "c", 3);
	EXPECT_VALUES("event", OF_END(1), 3, 1, 3, 6);
	EXPECT_VALUES("event", OF_END(3), 3, 0, 0, 0);
	EXPECT_VALUES("event", OF_END(4), 3, 4, 4, 12);
	EXPECT_VALUES("event", OF_END(5), 0, 0, 0, 0);
	EXPECT_VALUES("reals", 1, 0, 0, 0, 0);
	EXPECT_VALUES("reals", OF_END(1), 3, 1.5, 1.5, 4.5);
	EXPECT_VALUES("reals", OF_END(2), 0, 0, 0, 0);
	EXPECT_STRING("text", 1, "a", 3);
	EXPECT_VALUES("text", 3, 0, 0, 0, 0);
	EXPECT_VALUES("text", OF_END(1), 0, 0, 0, 0);
	return 0;
}
