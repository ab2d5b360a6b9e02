/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions that are open across a switch: one opened before "off" is on paths after "on", and its END while off closes
 * it; one opened while off has no visit, but is on paths after "on".
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	START(context, GASP_UPC_FORALL, "before.upc", 1, 0);
	gasp_control(context, 0);
	START(context, GASP_UPC_MEMCPY, "while.upc", 1, 0, (void *)&context, (void *)&context, (size_t)8);
	gasp_control(context, 1);
	fence(context, "in.upc", 1);
	END(context, GASP_UPC_MEMCPY, "while.upc", 1, 0, (void *)&context, (void *)&context, (size_t)8);
	fence(context, "in.upc", 2);
	gasp_control(context, 0);
	END(context, GASP_UPC_FORALL, "before.upc", 1, 0);
	gasp_control(context, 1);
	fence(context, "in.upc", 3);
	EXPECT("visits", "GASP_UPC_FORALL @before.upc:1", 1);
	EXPECT("visits", "GASP_UPC_FORALL @before.upc:1;GASP_UPC_MEMCPY @while.upc:1", 0);
	EXPECT("visits", "GASP_UPC_FORALL @before.upc:1;GASP_UPC_MEMCPY @while.upc:1;GASP_UPC_FENCE @in.upc:1", 1);
	EXPECT("visits", "GASP_UPC_FORALL @before.upc:1;GASP_UPC_FENCE @in.upc:2", 1);
	EXPECT("visits", "GASP_UPC_FENCE @in.upc:3", 1);
	EXPECT("visits", "*", 4);
	return 0;
}
