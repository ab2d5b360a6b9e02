/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "evttype ... shall indicate whether the event evttag is a begin event, end event, or atomic event". An atomic event
 * has no duration and opens no region; a type that does not exist changes nothing.
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	START(context, GASP_UPC_FORALL, "a.upc", 1, 0);
	ATOMIC(context, GASP_UPC_CACHE_HIT, "a.upc", 2, 0, (size_t)8);
	ATOMIC(context, GASP_UPC_CACHE_HIT, "a.upc", 2, 0, (size_t)8);
	gasp_event_notify(context, GASP_UPC_FENCE, (gasp_evttype_t)7, "a.upc", 3, 0);
	fence(context, "a.upc", 4);
	END(context, GASP_UPC_FORALL, "a.upc", 1, 0);
	EXPECT("visits", "GASP_UPC_FORALL @a.upc:1", 1);
	EXPECT("visits", "GASP_UPC_FORALL @a.upc:1;GASP_UPC_CACHE_HIT @a.upc:2", 2);
	EXPECT("wall-time", "*GASP_UPC_CACHE_HIT*", 0);
	EXPECT("visits", "GASP_UPC_FORALL @a.upc:1;GASP_UPC_FENCE @a.upc:4", 1);
	EXPECT("visits", "*", 4);
	return 0;
}
