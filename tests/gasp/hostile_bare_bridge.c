/* SPDX-License-Identifier: BSD-3-Clause */
/* A bridge without upcalls and events, and with an invalid range. */
#include "client.h"

#include <heddle/upc_bridge.h>

const struct heddle_upc_bridge *heddle_upc_bridge(void)
{
	static const struct heddle_upc_bridge bridge = {
		.version = HEDDLE_UPC_BRIDGE_VERSION, .compiler = "bare", .user_first = 10, .user_last = 12};
	return &bridge;
}

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int events[3];
	for (int i = 0; i < 3; i++)
		events[i] = gasp_create_event(context, "user", "%d");
	REQUIRE(events[0] == 10 && events[2] == 12);
	ATOMIC(context, events[2], "a.upc", 1, 0, 7);
	get(context, "a.upc", 2, 8);
	START(context, GASP_UPC_ALL_EXCHANGE, "a.upc", 3, 0, (void *)events, (void *)events, (size_t)8, 0);
	END(context, GASP_UPC_ALL_EXCHANGE, "a.upc", 3, 0, (void *)events, (void *)events, (size_t)8, 0);
	EXPECT("visits", "user", 1);
	EXPECT("bytes-got", "*", 16);
	EXPECT("visits", "*", 3);
	EXPECT_SAID("all 3 numbers", 1);
	EXPECT_OUTCOME("exit 1");
	gasp_create_event(context, "one too many", NULL);
	return 0;
}
