/* SPDX-License-Identifier: BSD-3-Clause */
/* 1.3 only lists gasp_control_query in gasp.h (section 3.5): nonzero first, then the last value. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	int (*const query)(gasp_context_t) = gasp_control_query;
	REQUIRE(query(context) != 0);
	gasp_control(context, 0);
	REQUIRE(query(context) == 0);
	gasp_control(context, 9);
	REQUIRE(query(context) == 9);
	fence(context, "a.upc", 1);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:1", 1);
	return 0;
}
