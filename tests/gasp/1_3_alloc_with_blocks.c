/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Table 6 of 1.3: ALLOC has size_t nblocks, size_t nbytes. 1.5 uses the same number with size_t nbytes only, so the two
 * cannot be distinguished: visits and nesting are right, the shared bytes are those of the first argument.
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	void *shared_pointer = &context;
	START(context, GASP_UPC_ALLOC, "a.upc", 1, 0, (size_t)10, (size_t)100);
	fence(context, "a.upc", 2);
	END(context, GASP_UPC_ALLOC, "a.upc", 1, 0, (size_t)10, (size_t)100, shared_pointer);
	EXPECT("visits", "GASP_UPC_ALLOC @a.upc:1", 1);
	EXPECT("visits", "GASP_UPC_ALLOC @a.upc:1;GASP_UPC_FENCE @a.upc:2", 1);
	EXPECT("shared-bytes", "GASP_UPC_ALLOC @a.upc:1", 10);
	return 0;
}
