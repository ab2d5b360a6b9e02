/* SPDX-License-Identifier: BSD-3-Clause */
/* 50,000 STARTs without END, of all kinds and at increasing depths: they are counted, and the profile is complete. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int user = gasp_create_event(context, "user", "%d");
	for (int i = 0; i < 10000; i++) {
		START(context, GASP_C_FUNC, "a.upc", 1, 0, "function");
		START(context, GASP_UPC_FORALL, "a.upc", 2, 0);
		START(context, user, "a.upc", 3, 0, i);
		START(context, GASP_UPC_BARRIER, "a.upc", 4, 0, 0, 0);
		START(context, 4711, "a.upc", 5, 0);
	}
	EXPECT("visits", "*", 50000);
	EXPECT_GENERATED("*4711", 1);
	return 0;
}
