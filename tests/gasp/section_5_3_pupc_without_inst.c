/* SPDX-License-Identifier: BSD-3-Clause */
/* "When a compiler does not receive any --inst arguments, the pupc_event function calls shall be excluded". */
#include <heddle/pupc.h>

#include "client.h"

static int evaluated;

static inline int count(void)
{
	return ++evaluated;
}

int main(void)
{
	unsigned int event = pupc_create_event("none", "%d");
	pupc_event_start(event, count());
	pupc_event_atomic(event, count());
	pupc_event_end(event, count());
	REQUIRE(pupc_control(0) != 0);
	fence(init_upc(), "a.upc", 1);
	REQUIRE(evaluated == 0);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:1", 1);
	EXPECT("visits", "*", 1);
	return 0;
}
