/* SPDX-License-Identifier: BSD-3-Clause */
/* "or NULL if that information is not available": START and END still meet, and nest. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	START(context, GASP_C_FUNC, "a.upc", 1, 0, (char *)NULL);
	START(context, GASP_C_FUNC, "a.upc", 10, 0, "named");
	END(context, GASP_C_FUNC, "a.upc", 12, 0, "named");
	fence(context, "a.upc", 2);
	END(context, GASP_C_FUNC, "a.upc", 3, 0, (char *)NULL);
	fence(context, "a.upc", 4);
	EXPECT("visits", "*;named", 1);
	EXPECT("visits", "*;GASP_UPC_FENCE @a.upc:2", 1);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:4", 1);
	EXPECT("visits", "*", 4);
	return 0;
}
