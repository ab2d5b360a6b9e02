/* SPDX-License-Identifier: BSD-3-Clause */
/* A function that is left by exit() or longjmp has no END: its caller's END closes it, too. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	START(context, GASP_C_FUNC, "a.upc", 1, 0, "outer");
	START(context, GASP_C_FUNC, "a.upc", 2, 0, "jumped over");
	START(context, GASP_UPC_FORALL, "a.upc", 3, 0);
	END(context, GASP_C_FUNC, "a.upc", 4, 0, "outer");
	fence(context, "a.upc", 5);
	START(context, GASP_C_FUNC, "a.upc", 6, 0, "left by exit");
	EXPECT("visits", "outer;jumped over;GASP_UPC_FORALL @a.upc:3", 1);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:5", 1);
	EXPECT("visits", "left by exit", 1);
	EXPECT("visits", "*", 5);
	return 0;
}
