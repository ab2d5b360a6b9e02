/* SPDX-License-Identifier: BSD-3-Clause */
/* An allocation that returns a null pointer-to-shared allocates nothing, which Heddle detects by the bridge. */
#include "bridge.h"

int main(void)
{
	gasp_context_t context = init_upc();
	struct shared_pointer null = *SHARED_AT(0, 0), block = *SHARED_AT(0, 4096);
	START(context, GASP_UPC_ALLOC, "a.upc", 1, 0, (size_t)1000);
	END(context, GASP_UPC_ALLOC, "a.upc", 1, 0, (size_t)1000, &null);
	START(context, GASP_UPC_GLOBAL_ALLOC, "a.upc", 2, 0, (size_t)10, (size_t)100);
	END(context, GASP_UPC_GLOBAL_ALLOC, "a.upc", 2, 0, (size_t)10, (size_t)100, &null);
	START(context, GASP_UPC_ALL_ALLOC, "a.upc", 3, 0, (size_t)10, (size_t)100);
	END(context, GASP_UPC_ALL_ALLOC, "a.upc", 3, 0, (size_t)10, (size_t)100, &null);
	START(context, GASP_UPC_ALLOC, "a.upc", 4, 0, (size_t)50);
	END(context, GASP_UPC_ALLOC, "a.upc", 4, 0, (size_t)50, &block);
	EXPECT("visits", "*", 4);
	EXPECT("shared-bytes", "*", 50);
	return 0;
}
