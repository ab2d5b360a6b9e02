/* SPDX-License-Identifier: BSD-3-Clause */
/* Lines are those "most closely associated with the generation of the event": that of an END may differ. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	START(context, GASP_UPC_FORALL, "a.upc", 10, 0);
	START(context, GASP_UPC_FENCE, "a.upc", 12, 0);
	END(context, GASP_UPC_FENCE, "a.upc", 11, 0);
	END(context, GASP_UPC_FORALL, "b.h", 14, 0);
	fence(context, "a.upc", 3);
	EXPECT("visits", "GASP_UPC_FORALL @a.upc:10;GASP_UPC_FENCE @a.upc:12", 1);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:3", 1);
	EXPECT_PATHS("GASP*", 3);
	return 0;
}
