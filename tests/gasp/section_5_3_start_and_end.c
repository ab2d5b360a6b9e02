/* SPDX-License-Identifier: BSD-3-Clause */
/* User events nest with system events in one path, also recursively. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int outer = gasp_create_event(context, "outer", NULL),
		     inner = gasp_create_event(context, "inner", NULL);
	for (int i = 0; i < 5; i++) {
		START(context, outer, "a.upc", 1, 0);
		START(context, GASP_UPC_FORALL, "a.upc", 2, 0);
		START(context, inner, "a.upc", 3, 0);
		START(context, outer, "a.upc", 4, 0);
		fence(context, "a.upc", 5);
		END(context, outer, "a.upc", 6, 0);
		END(context, inner, "a.upc", 7, 0);
		END(context, GASP_UPC_FORALL, "a.upc", 2, 0);
		ATOMIC(context, inner, "a.upc", 9, 0);
		END(context, outer, "a.upc", 10, 0);
	}
	EXPECT("visits", "outer", 5);
	EXPECT("visits", "outer;GASP_UPC_FORALL @a.upc:2", 5);
	EXPECT("visits", "outer;GASP_UPC_FORALL @a.upc:2;inner;outer;GASP_UPC_FENCE @a.upc:5", 5);
	EXPECT("visits", "outer;inner", 5);
	EXPECT("visits", "*", 30);
	return 0;
}
