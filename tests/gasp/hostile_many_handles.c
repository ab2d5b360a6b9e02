/* SPDX-License-Identifier: BSD-3-Clause */
/* A million nonblocking accesses without a wait, then one wait for all of them, then the same with a handle for each
 * access. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	void *any = &context;
	for (uintptr_t i = 0; i < 1000000; i++) {
		START(context, GASP_UPC_NB_PUT_INIT, "a.upc", 1, 0, 1, any, any, (size_t)8);
		END(context, GASP_UPC_NB_PUT_INIT, "a.upc", 1, 0, 1, any, any, (size_t)8, (void *)16);
	}
	START(context, GASP_UPC_NB_SYNC, "a.upc", 2, 0, (void *)16);
	END(context, GASP_UPC_NB_SYNC, "a.upc", 2, 0, (void *)16);
	for (uintptr_t i = 1; i <= 20000; i++) {
		START(context, GASP_UPC_NB_PUT_INIT, "a.upc", 3, 0, 1, any, any, (size_t)8);
		END(context, GASP_UPC_NB_PUT_INIT, "a.upc", 3, 0, 1, any, any, (size_t)8, (void *)(i * 64));
	}
	for (uintptr_t i = 1; i <= 20000; i++) {
		START(context, GASP_UPC_NB_SYNC, "a.upc", 4, 0, (void *)(i * 64));
		END(context, GASP_UPC_NB_SYNC, "a.upc", 4, 0, (void *)(i * 64));
	}
	EXPECT("visits", "GASP_UPC_NB_PUT_INIT @a.upc:1", 1000000);
	EXPECT("bytes-put", "*", 8 * 1020000);
	EXPECT("visits", "GASP_UPC_NB_SYNC @a.upc:4", 20000);
	return 0;
}
