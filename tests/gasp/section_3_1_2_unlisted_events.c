/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "tools that pass --inst-only must still be prepared to receive and ignore events which are not included in the list":
 * run with HEDDLE_EVENTS naming only GASP_UPC_GET. Events inside an ignored event are measured.
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	START(context, GASP_C_FUNC, "a.upc", 1, 0, "unlisted");
	START(context, GASP_UPC_BARRIER, "a.upc", 1, 0, 0, 0);
	get(context, "a.upc", 2, 8);
	END(context, GASP_UPC_BARRIER, "a.upc", 1, 0, 0, 0);
	END(context, GASP_C_FUNC, "a.upc", 2, 0, "unlisted");
	fence(context, "a.upc", 3);
	ATOMIC(context, GASP_UPC_CACHE_HIT, "a.upc", 4, 0, (size_t)8);
	START(context, 4711, "a.upc", 5, 0);
	END(context, 4711, "a.upc", 5, 0);
	EXPECT("visits", "GASP_UPC_GET @a.upc:2", 1);
	EXPECT("visits", "*", 1);
	return 0;
}
