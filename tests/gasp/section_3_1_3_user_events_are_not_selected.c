/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "Any model-specific instrumentation control shall not have any effect on user events or on the state of measurement
 * control": run with HEDDLE_EVENTS naming only GASP_UPC_GET.
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int phase = gasp_create_event(context, "phase", NULL);
	START(context, phase, "a.upc", 1, 0);
	REQUIRE(gasp_control(context, 0) != 0);
	get(context, "a.upc", 2, 8);
	REQUIRE(gasp_control(context, 1) == 0);
	get(context, "a.upc", 3, 8);
	END(context, phase, "a.upc", 4, 0);
	EXPECT("visits", "phase", 1);
	EXPECT("visits", "phase;GASP_UPC_GET @a.upc:3", 1);
	EXPECT("visits", "*", 2);
	return 0;
}
