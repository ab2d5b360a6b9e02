/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "If upcalls are used, the gasp_event_notify function implementation is responsible for handling re-entrant calls": in
 * this test, each upcall sends events itself. They are caused by Heddle, so they are not in the profile.
 */
#include "bridge.h"

int main(void)
{
	gasp_context_t context = init_upc();
	bridge_mythread = 1;
	bridge_context = context;
	int before = bridge_upcalls;
	for (int i = 0; i < 10; i++) {
		void *pointer = SHARED_POINTER((uint64_t)i % 4);
		START(context, GASP_UPC_PUT, "a.upc", 1, 0, 1, pointer, (void *)&i, (size_t)8);
		END(context, GASP_UPC_PUT, "a.upc", 1, 0, 1, pointer, (void *)&i, (size_t)8);
	}
	bridge_context = NULL;
	REQUIRE(bridge_upcalls > before);
	REQUIRE(bridge_bad_pointers == 0);
	fence(context, "a.upc", 2); /* the program's own events are measured again */
	EXPECT("visits", "GASP_UPC_PUT @a.upc:1", 10);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:2", 1);
	EXPECT("visits", "*", 11);
	EXPECT("bytes-put", "*", 80);
	EXPECT("bytes-got", "*", 0);
	EXPECT("local-accesses", "GASP_UPC_PUT @a.upc:1", 3);
	EXPECT("remote-accesses", "GASP_UPC_PUT @a.upc:1", 7);
	EXPECT("remote-bytes", "GASP_UPC_PUT @a.upc:1", 56);
	return 0;
}
