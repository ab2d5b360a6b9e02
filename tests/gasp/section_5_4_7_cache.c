/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Table 9: cache events come "after a corresponding get or put start event but before a corresponding get or put end
 * event (including nonblocking communication events)", and count there.
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	void *any = &context;
	START(context, GASP_UPC_GET, "a.upc", 1, 0, 1, any, any, (size_t)8);
	ATOMIC(context, GASP_UPC_CACHE_MISS, "a.upc", 1, 0, (size_t)8, (size_t)64);
	ATOMIC(context, GASP_UPC_CACHE_INVALIDATE, "a.upc", 1, 0, (size_t)3);
	END(context, GASP_UPC_GET, "a.upc", 1, 0, 1, any, any, (size_t)8);
	for (int i = 0; i < 7; i++) {
		START(context, GASP_UPC_NB_GET_INIT, "a.upc", 2, 0, 1, any, any, (size_t)8);
		ATOMIC(context, GASP_UPC_CACHE_HIT, "a.upc", 2, 0, (size_t)8);
		END(context, GASP_UPC_NB_GET_INIT, "a.upc", 2, 0, 1, any, any, (size_t)8, GASP_NB_TRIVIAL);
	}
	START(context, GASP_UPC_PUT, "a.upc", 3, 0, 1, any, any, (size_t)8);
	ATOMIC(context, GASP_UPC_CACHE_MISS, "a.upc", 3, 0, (size_t)8, (size_t)0);
	END(context, GASP_UPC_PUT, "a.upc", 3, 0, 1, any, any, (size_t)8);
	EXPECT("visits", "GASP_UPC_GET @a.upc:1", 1);
	EXPECT("visits", "GASP_UPC_GET @a.upc:1;GASP_UPC_CACHE_MISS @a.upc:1", 1);
	EXPECT("visits", "GASP_UPC_GET @a.upc:1;GASP_UPC_CACHE_INVALIDATE @a.upc:1", 1);
	EXPECT("visits", "GASP_UPC_NB_GET_INIT @a.upc:2;GASP_UPC_CACHE_HIT @a.upc:2", 7);
	EXPECT("visits", "GASP_UPC_PUT @a.upc:3;GASP_UPC_CACHE_MISS @a.upc:3", 1);
	/* Data from the cache is got, too; the get itself counts it. */
	EXPECT("bytes-got", "*", 64);
	EXPECT("bytes-put", "*", 8);
	return 0;
}
