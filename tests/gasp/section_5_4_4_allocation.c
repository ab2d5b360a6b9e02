/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 6: allocating functions with their arguments, with the largest values and after a failure (a null pointer). */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	void *shared_pointer = &context;
	START(context, GASP_UPC_GLOBAL_ALLOC, "a.upc", 1, 0, (size_t)10, (size_t)100);
	END(context, GASP_UPC_GLOBAL_ALLOC, "a.upc", 1, 0, (size_t)10, (size_t)100, shared_pointer);
	START(context, GASP_UPC_ALL_ALLOC, "a.upc", 2, 0, (size_t)1 << 20, (size_t)1 << 20);
	END(context, GASP_UPC_ALL_ALLOC, "a.upc", 2, 0, (size_t)1 << 20, (size_t)1 << 20, shared_pointer);
	START(context, GASP_UPC_ALLOC, "a.upc", 3, 0, (size_t)5000000000);
	END(context, GASP_UPC_ALLOC, "a.upc", 3, 0, (size_t)5000000000, shared_pointer);
	START(context, GASP_UPC_ALLOC, "a.upc", 4, 0, (size_t)1 << 60);
	END(context, GASP_UPC_ALLOC, "a.upc", 4, 0, (size_t)1 << 60, (void *)NULL);
	START(context, GASP_UPC_FREE, "a.upc", 5, 0, shared_pointer);
	END(context, GASP_UPC_FREE, "a.upc", 5, 0, shared_pointer);
	EXPECT("shared-bytes", "GASP_UPC_GLOBAL_ALLOC @a.upc:1", 1000);
	EXPECT("shared-bytes", "GASP_UPC_ALL_ALLOC @a.upc:2", (uint64_t)1 << 40);
	EXPECT("shared-bytes", "GASP_UPC_ALLOC @a.upc:3", 5000000000);
	EXPECT("shared-bytes", "GASP_UPC_ALLOC @a.upc:4", 0);
	EXPECT("visits", "GASP_UPC_FREE @a.upc:5", 1);
	EXPECT("visits", "*", 5);
	return 0;
}
