/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Regions that do not nest: an END closes its region and all regions opened in it (ENDs may be missing), so the END of
 * the inner one arrives too late and changes nothing; regions opened afterwards are not lost.
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	void *any = &context;
	for (int i = 0; i < 1000; i++) {
		START(context, GASP_UPC_FORALL, "a.upc", 1, 0);
		START(context, GASP_UPC_LOCK, "a.upc", 2, 0, any);
		END(context, GASP_UPC_FORALL, "a.upc", 1, 0);
		START(context, GASP_UPC_MEMSET, "a.upc", 3, 0, any, 0, (size_t)10);
		END(context, GASP_UPC_LOCK, "a.upc", 2, 0, any);
		END(context, GASP_UPC_MEMSET, "a.upc", 3, 0, any, 0, (size_t)10);
	}
	fence(context, "after.upc", 1);
	EXPECT("visits", "GASP_UPC_FORALL @a.upc:1", 1000);
	EXPECT("visits", "GASP_UPC_FORALL @a.upc:1;GASP_UPC_LOCK @a.upc:2", 1000);
	EXPECT("visits", "GASP_UPC_MEMSET @a.upc:3", 1000);
	EXPECT("bytes-put", "*", 10000);
	EXPECT("visits", "GASP_UPC_FENCE @after.upc:1", 1); /* no region was left open */
	return 0;
}
