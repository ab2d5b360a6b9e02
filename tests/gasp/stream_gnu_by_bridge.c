/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * GNU UPC's event numbers reported by a bridge, in a program that also has Berkeley's function (in a library): the
 * bridge has priority. The program's user events reuse the numbers of Berkeley's system events.
 */
#define BRIDGE_EVENTS                                                                            \
	{"GASP_C_FUNC", 1}, {"GASP_UPC_BARRIER", 9}, {"GASP_UPC_GET", 26}, {"GASP_UPC_PUT", 27}, \
		{"GASP_UPC_COLLECTIVE_EXIT", 5}, {"GASP_GUPC_NEW_EVENT", 50}, {"GASP_UPC_ALL_REDUCE", 1111000},
#define BRIDGE_USER 1000, 1999
#define BRIDGE_TRIVIAL GASP_NB_TRIVIAL, GASP_NB_TRIVIAL
#include "bridge.h"

void _pupc_create_event(void);
void _pupc_create_event(void)
{
}

int main(void)
{
	bridge_mythread = 3;
	gasp_context_t context = init_upc();
	unsigned int events[200];
	void *shared = SHARED_POINTER(3), *local = events;
	for (int i = 0; i < 200; i++)
		events[i] = gasp_create_event(context, "user", NULL);
	REQUIRE(events[0] == 1000 && events[199] == 1199);
	for (int i = 0; i < 200; i++) /* 1111 would be Berkeley's GET */
		ATOMIC(context, events[i], "a.upc", 1, 0);
	START(context, 26, "a.upc", 2, 0, 1, local, shared, (size_t)8);
	END(context, 26, "a.upc", 2, 0, 1, local, shared, (size_t)8);
	START(context, 50, "a.upc", 3, 0, 1, 2, 3);
	END(context, 50, "a.upc", 3, 0);
	START(context, 1111000, "a.upc", 4, 0, shared, shared, 0, (size_t)4, (size_t)1, NULL, 0, 4);
	END(context, 1111000, "a.upc", 4, 0, shared, shared, 0, (size_t)4, (size_t)1, NULL, 0, 4);
	START(context, GASP_UPC_FENCE, "a.upc", 5, 0); /* Heddle's own numbers are recognized as well */
	END(context, GASP_UPC_FENCE, "a.upc", 5, 0);
	EXPECT("visits", "user", 200);
	EXPECT("visits", "GASP_UPC_GET @a.upc:2", 1);
	EXPECT("local-accesses", "GASP_UPC_GET @a.upc:2", 1);
	EXPECT("visits", "GASP_GUPC_NEW_EVENT @a.upc:3", 1);
	EXPECT("visits", "GASP_UPC_ALL_REDUCE @a.upc:4", 1);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:5", 1);
	EXPECT_OF_RANK(3, "visits", "*", 204);
	EXPECT_GENERATED("*", 0);
	return 0;
}
