/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 5: FORALL without arguments; loops nest. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	START(context, GASP_UPC_FORALL, "a.upc", 1, 0);
	for (int i = 0; i < 3; i++) {
		START(context, GASP_UPC_FORALL, "a.upc", 2, 0);
		END(context, GASP_UPC_FORALL, "a.upc", 2, 0);
	}
	END(context, GASP_UPC_FORALL, "a.upc", 1, 0);
	EXPECT("visits", "GASP_UPC_FORALL @a.upc:1", 1);
	EXPECT("visits", "GASP_UPC_FORALL @a.upc:1;GASP_UPC_FORALL @a.upc:2", 3);
	EXPECT("visits", "*", 4);
	return 0;
}
