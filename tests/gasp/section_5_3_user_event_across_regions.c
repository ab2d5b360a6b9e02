/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A user event that begins in a region and ends after it: it continues outside the region, and its END is not an error.
 * Late and missing ENDs of other regions in it change nothing.
 */
#include "client.h"

static void begin_in_region(gasp_context_t context, unsigned int solve)
{
	void *any = &context;
	START(context, GASP_UPC_FORALL, "a.upc", 1, 0);
	START(context, solve, "a.upc", 2, 0, 7);
	START(context, GASP_UPC_LOCK, "a.upc", 3, 0, any);
	END(context, GASP_UPC_FORALL, "a.upc", 1, 0);
	fence(context, "in.upc", 4);
	spend(1000000);
	END(context, GASP_UPC_LOCK, "a.upc", 3, 0, any);
	END(context, solve, "a.upc", 5, 0, 7);
	fence(context, "after.upc", 6);
}

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int solve = gasp_create_event(context, "solve", "%d");
	for (int i = 0; i < 10; i++)
		begin_in_region(context, solve);
	EXPECT("visits", "GASP_UPC_FORALL @a.upc:1", 10);
	EXPECT("visits", "GASP_UPC_FORALL @a.upc:1;solve", 10);
	EXPECT("visits", "GASP_UPC_FORALL @a.upc:1;solve;GASP_UPC_LOCK @a.upc:3", 10);
	EXPECT("visits", "solve;GASP_UPC_FENCE @in.upc:4", 10);
	EXPECT("visits", "GASP_UPC_FENCE @after.upc:6", 10);
	EXPECT_SAID("user event \"solve\"", 0);
	return 0;
}
