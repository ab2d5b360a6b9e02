/* SPDX-License-Identifier: BSD-3-Clause */
/* "may call gasp_init one or more times": also for the same language; one thread's contexts share its measurement. */
#include "client.h"

int main(void)
{
	gasp_context_t first = init_upc(), second = init_upc();
	REQUIRE(first && second);
	unsigned int event = gasp_create_event(first, "first", NULL);
	fence(first, "a.upc", 1);
	fence(second, "a.upc", 1);
	ATOMIC(first, event, "a.upc", 2, 0);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:1", 2);
	EXPECT("visits", "first", 1);
	return 0;
}
