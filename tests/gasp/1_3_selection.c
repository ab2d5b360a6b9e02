/* SPDX-License-Identifier: BSD-3-Clause */
/* 1.3's names of events in a file of --profile-only (HEDDLE_EVENTS): they select the events by their present names. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	fence(context, "a.upc", 1);
	START(context, GASP_COLLECTIVE_EXIT, "a.upc", 2, 0);
	END(context, GASP_COLLECTIVE_EXIT, "a.upc", 2, 0, 0);
	EXPECT("visits", "GASP_UPC_COLLECTIVE_EXIT @a.upc:2", 1);
	EXPECT("visits", "*", 1);
	return 0;
}
