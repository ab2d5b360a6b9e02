/* SPDX-License-Identifier: BSD-3-Clause */
/* Run with HEDDLE_MODELS=openmp: UPC's events are not measured, and all calls still return what the specification
 * says. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	REQUIRE(context != NULL);
	REQUIRE(gasp_control(context, 0) != 0);
	REQUIRE(gasp_control(context, 3) == 0);
	get(context, "a.upc", 1, 8);
	START(context, 4711, "a.upc", 2, 0);
	END(context, 4711, "a.upc", 2, 0);
	unsigned int user = gasp_create_event(context, "user", "%d"), other = gasp_create_event(context, "other", NULL);
	REQUIRE(user >= GASP_UPC_USEREVT_START && other <= GASP_UPC_USEREVT_END && user != other);
	START(context, GASP_UPC_COLLECTIVE_EXIT, NULL, 0, 0, 0);
	END(context, GASP_UPC_COLLECTIVE_EXIT, NULL, 0, 0, 0);
	EXPECT("visits", "*", 0);
	EXPECT("bytes-got", "*", 0);
	return 0;
}
