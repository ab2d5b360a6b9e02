/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "may include definitions for implementation-specific events" (5.5): an unknown number is measured under a generated
 * name, which is marked as such, whatever its arguments are.
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	for (int i = 0; i < 3; i++) {
		START(context, 54321, "a.upc", 1, 0, "some", 2.5, &i);
		fence(context, "a.upc", 2);
		END(context, 54321, "a.upc", 1, 0, -1L);
		ATOMIC(context, 0xffffffffu, "a.upc", 3, 0);
		ATOMIC(context, 0, "a.upc", 4, 0);
	}
	EXPECT("visits", "*54321 @a.upc:1", 3);
	EXPECT("visits", "*54321 @a.upc:1;GASP_UPC_FENCE @a.upc:2", 3);
	EXPECT("visits", "*4294967295 @a.upc:3", 3);
	EXPECT("visits", "* @a.upc:4", 3);
	EXPECT_GENERATED("*", 3);
	return 0;
}
