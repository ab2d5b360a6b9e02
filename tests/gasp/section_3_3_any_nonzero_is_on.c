/* SPDX-License-Identifier: BSD-3-Clause */
/* "a nonzero value for the on parameter": -1 and INT_MIN switch on as 1 does. */
#include "client.h"

int main(void)
{
	static const int values[] = {1, -1, 2, 256, 65536, -0x7fffffff - 1};
	gasp_context_t context = init_upc();
	for (int i = 0; i < 6; i++) {
		gasp_control(context, 0);
		fence(context, "off.upc", 1);
		gasp_control(context, values[i]);
		fence(context, "on.upc", 1);
	}
	EXPECT("visits", "GASP_UPC_FENCE @on.upc:1", 6);
	EXPECT("visits", "*", 6);
	return 0;
}
