/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "If the unique identifiers are exhausted for the calling thread, pupc_create_event shall issue a fatal error": all
 * 100,000 numbers work; the next call saves the profile, prints the reason, and ends the program with an error.
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int count = GASP_UPC_USEREVT_END - GASP_UPC_USEREVT_START + 1, last = 0;
	char name[32];
	REQUIRE(count == 100000);
	EXPECT("visits", "event 0", 1);
	EXPECT("visits", "event 99999", 1);
	EXPECT("visits", "*", 2);
	EXPECT_OUTCOME("exit 1");
	EXPECT_SAID("100000", 1);
	EXPECT_FILES(1);
	for (unsigned int i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "event %u", i);
		last = gasp_create_event(context, name, "%d of %s");
		if (i == 0)
			ATOMIC(context, last, "a.upc", 1, 0, 1, "x");
	}
	REQUIRE(last <= GASP_UPC_USEREVT_END);
	ATOMIC(context, last, "a.upc", 2, 0, 1, "x");
	gasp_create_event(context, "one too many", NULL);
	TELL("failed\t%s", "the call returned");
	return 0;
}
