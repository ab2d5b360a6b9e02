/* SPDX-License-Identifier: BSD-3-Clause */
/* "a wrong END is reported once by name and place, and measuring goes on" */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int outer = gasp_create_event(context, "outer", NULL),
		     inner = gasp_create_event(context, "inner", NULL);
	for (int i = 0; i < 100; i++) {
		START(context, outer, "a.upc", 1, 0);
		START(context, inner, "a.upc", 2, 0);
		END(context, outer, "a.upc", 3, 0); /* wrong: inner is open */
		fence(context, "a.upc", 4);
		END(context, inner, "a.upc", 5, 0);
		END(context, outer, "a.upc", 6, 0); /* wrong: not open any more */
	}
	fence(context, "a.upc", 7);
	EXPECT("visits", "outer", 100);
	EXPECT("visits", "outer;inner", 100);
	EXPECT("visits", "*GASP_UPC_FENCE @a.upc:4", 100);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:7", 1);
	EXPECT("visits", "*", 301);
	EXPECT_SAID("a.upc:3: user event \"outer\"", 1);
	EXPECT_SAID("a.upc:6: user event \"outer\"", 1);
	return 0;
}
