/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 9 of 1.3: CACHE_MISS has only size_t n; there is no CACHE_INVALIDATE. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	ATOMIC(context, GASP_UPC_CACHE_MISS, "a.upc", 1, 0, (size_t)32);
	ATOMIC(context, GASP_UPC_CACHE_MISS, "a.upc", 1, 0, (size_t)64);
	EXPECT("visits", "GASP_UPC_CACHE_MISS @a.upc:1", 2);
	EXPECT_VALUES("GASP_UPC_CACHE_MISS @a.upc:1", 0, 2, 32, 64, 96);
	return 0;
}
