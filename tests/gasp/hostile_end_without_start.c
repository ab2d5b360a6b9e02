/* SPDX-License-Identifier: BSD-3-Clause */
/* ENDs without a START change nothing; for user events a message is printed once for each place. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	void *any = &context;
	unsigned int user = gasp_create_event(context, "user", "%d");
	START(context, GASP_UPC_FORALL, "a.upc", 1, 0);
	for (int i = 0; i < 1000; i++) {
		END(context, GASP_C_FUNC, "a.upc", 2, 0, "function");
		END(context, GASP_C_FUNC, "a.upc", 2, 0, (char *)NULL);
		END(context, GASP_UPC_BARRIER, "a.upc", 3, 0, 0, 0);
		END(context, GASP_UPC_GET, "a.upc", 4, 0, 1, any, any, (size_t)8);
		END(context, GASP_UPC_ALLOC, "a.upc", 5, 0, (size_t)8, any);
		END(context, GASP_UPC_NB_GET_INIT, "a.upc", 6, 0, 1, any, any, (size_t)8, (void *)16);
		END(context, GASP_UPC_NB_SYNC, "a.upc", 7, 0, (void *)16);
		END(context, 4711, "a.upc", 8, 0);
		END(context, user, "a.upc", 9, 0, i);
	}
	fence(context, "a.upc", 10);
	END(context, GASP_UPC_FORALL, "a.upc", 1, 0);
	END(context, GASP_UPC_FORALL, "a.upc", 1, 0);
	EXPECT("visits", "GASP_UPC_FORALL @a.upc:1;GASP_UPC_FENCE @a.upc:10", 1);
	EXPECT("visits", "*", 2);
	EXPECT("bytes-got", "*", 0);
	EXPECT("shared-bytes", "*", 0);
	EXPECT_SAID("a.upc:9: user event \"user\"", 1);
	return 0;
}
