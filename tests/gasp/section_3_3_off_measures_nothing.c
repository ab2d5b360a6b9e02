/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "When the value 0 is passed for the on parameter, the tool shall cease measuring any performance data associated with
 * subsequent system or user events generated on the calling thread, until ... a nonzero value".
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int event = gasp_create_event(context, "user", "%d");
	get(context, "a.upc", 1, 8);
	gasp_control(context, 0);
	get(context, "a.upc", 2, 16);
	START(context, event, "a.upc", 3, 0, 1);
	ATOMIC(context, GASP_UPC_CACHE_HIT, "a.upc", 4, 0, (size_t)8);
	END(context, event, "a.upc", 5, 0, 1);
	ATOMIC(context, event, "a.upc", 6, 0, 2);
	START(context, GASP_UPC_ALLOC, "a.upc", 7, 0, (size_t)100);
	END(context, GASP_UPC_ALLOC, "a.upc", 7, 0, (size_t)100, (void *)&event);
	gasp_control(context, 1);
	get(context, "a.upc", 8, 32);
	EXPECT("visits", "GASP_UPC_GET @a.upc:1", 1);
	EXPECT("visits", "GASP_UPC_GET @a.upc:8", 1);
	EXPECT("visits", "*", 2);
	EXPECT("bytes-got", "*", 40);
	EXPECT("shared-bytes", "*", 0);
	EXPECT_VALUES("user", 1, 0, 0, 0, 0);
	return 0;
}
