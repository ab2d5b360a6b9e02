/* SPDX-License-Identifier: BSD-3-Clause */
/* Events after the exit events (GNU's final barrier, destructors of the program) are measured, and break
 * nothing. */
#include "client.h"

static gasp_context_t context;

__attribute__((destructor)) static void late(void)
{
	fence(context, "late.upc", 1);
}

int main(void)
{
	context = init_upc();
	for (int i = 0; i < 3; i++) {
		START(context, GASP_UPC_COLLECTIVE_EXIT, "a.upc", 1, 0, 0);
		END(context, GASP_UPC_COLLECTIVE_EXIT, "a.upc", 1, 0, 0);
		fence(context, "a.upc", 2);
	}
	EXPECT("visits", "GASP_UPC_COLLECTIVE_EXIT @a.upc:1", 3);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:2", 3);
	EXPECT_FILES(1);
	return 0;
}
