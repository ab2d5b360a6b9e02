/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that was linked before bridges reported nodes: what follows that bridge in memory is not part of it. */
#define BRIDGE_VERSION 2
#define BRIDGE_NODE_OF ((int (*)(int))(uintptr_t)16)
#include "bridge.h"

int main(void)
{
	gasp_context_t context = init_upc();
	char local[8];
	bridge_mythread = 1;
	for (uint64_t owner = 0; owner < BRIDGE_THREADS; owner++) {
		void *shared = SHARED_POINTER(owner), *memory = local;
		START(context, GASP_UPC_PUT, "a.upc", 1, 0, 1, shared, memory, (size_t)8);
		END(context, GASP_UPC_PUT, "a.upc", 1, 0, 1, shared, memory, (size_t)8);
	}
	EXPECT("local-accesses", "*", 1);
	EXPECT("remote-accesses", "GASP_UPC_PUT @a.upc:1", 3);
	EXPECT("remote-bytes", "GASP_UPC_PUT @a.upc:1", 24);
	EXPECT("same-node-accesses", "*", 0);
	EXPECT("same-node-bytes", "*", 0);
	return 0;
}
