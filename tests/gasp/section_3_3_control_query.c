/* SPDX-License-Identifier: BSD-3-Clause */
/* gasp_control_query returns what gasp_control would return, and changes nothing. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	REQUIRE(gasp_control_query(context) != 0);
	gasp_control(context, 0);
	REQUIRE(gasp_control_query(context) == 0);
	REQUIRE(gasp_control_query(context) == 0);
	fence(context, "off.upc", 1);
	REQUIRE(gasp_control(context, 42) == 0);
	REQUIRE(gasp_control_query(context) == 42);
	fence(context, "on.upc", 1);
	EXPECT("visits", "GASP_UPC_FENCE @on.upc:1", 1);
	EXPECT("visits", "*", 1);
	return 0;
}
