/* SPDX-License-Identifier: BSD-3-Clause */
/* "may pass 0 in place of the colnum parameter": a place is file and line, whatever the column says. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	for (int column = -1; column < 4; column++) {
		START(context, GASP_UPC_FENCE, "a.upc", 5, column);
		END(context, GASP_UPC_FENCE, "a.upc", 5, 80 - column);
	}
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:5", 5);
	EXPECT_PATHS("*FENCE*", 1);
	return 0;
}
