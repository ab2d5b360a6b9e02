/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "GAS model implementations that do not retain any source-level information during compilation may pass 0 for the
 * filename, linenum, and colnum parameters." Such events have no place; those of a file without a line have the file.
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	fence(context, NULL, 0);
	fence(context, NULL, 0);
	fence(context, "_STARTUP", 0);
	fence(context, "", 0);
	fence(context, "a.upc", -1);
	fence(context, "a.upc", 0x7fffffff);
	EXPECT("visits", "GASP_UPC_FENCE", 2);
	EXPECT("visits", "GASP_UPC_FENCE @_STARTUP:0", 1);
	EXPECT("visits", "GASP_UPC_FENCE*", 6);
	EXPECT("visits", "*", 6);
	return 0;
}
