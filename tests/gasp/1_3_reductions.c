/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 10 of 1.3: the type is a gasp_upc_reduc_t. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	void *any = &context;
	for (int i = 0; i <= GASP_UPC_REDUCE_LD; i++) {
		gasp_upc_reduc_t type = (gasp_upc_reduc_t)i;
		START(context, GASP_UPC_ALL_REDUCE, "a.upc", 1, 0, any, any, 0, (size_t)1, (size_t)1, NULL, 0, type);
		END(context, GASP_UPC_ALL_REDUCE, "a.upc", 1, 0, any, any, 0, (size_t)1, (size_t)1, NULL, 0, type);
	}
	EXPECT("visits", "GASP_UPC_ALL_REDUCE @a.upc:1", 11);
	EXPECT_VALUES("GASP_UPC_ALL_REDUCE @a.upc:1", 0, 11, 1, 16, 1 + 1 + 2 + 2 + 4 + 4 + 8 + 8 + 4 + 8 + 16);
	return 0;
}
