/* SPDX-License-Identifier: BSD-3-Clause */
/* "shall return the last value for the on parameter the function received from this thread" */
#include "client.h"

int main(void)
{
	static const int values[] = {0, 0, 1, 1, 2, -1, 0, 77, 0x7fffffff, -0x7fffffff - 1, 0, 1};
	gasp_context_t context = init_upc();
	gasp_control(context, 5);
	for (int i = 0, last = 5; i < (int)(sizeof(values) / sizeof(values[0])); i++) {
		REQUIRE(gasp_control(context, values[i]) == last);
		last = values[i];
	}
	fence(context, "a.upc", 1);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:1", 1);
	return 0;
}
