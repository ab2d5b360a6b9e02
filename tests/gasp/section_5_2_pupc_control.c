/* SPDX-License-Identifier: BSD-3-Clause */
/* "The pupc_control function shall behave in the same manner as the gasp_control function": tested in a C program. */
#define __UPC_PUPC_INST__ 1
#include <heddle/pupc.h>

#include "client.h"

int main(void)
{
	REQUIRE(pupc_control(0) != 0);
	unsigned int event = pupc_create_event("user", NULL);
	pupc_event_atomic(event);
	REQUIRE(pupc_control(7) == 0);
	pupc_event_atomic(event);
	REQUIRE(pupc_control(-1) == 7);
	gasp_context_t context = init_upc();
	REQUIRE(gasp_control(context, 0) == -1); /* there is one switch for each thread */
	pupc_event_atomic(event);
	REQUIRE(pupc_control(1) == 0);
	EXPECT("visits", "user", 1);
	EXPECT("visits", "*", 1);
	return 0;
}
