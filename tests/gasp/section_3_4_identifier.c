/* SPDX-License-Identifier: BSD-3-Clause */
/* "The gasp_create_event shall return a tool-generated event identifier", with which the event is then sent. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int a = gasp_create_event(context, "a", NULL), b = gasp_create_event(context, "b", NULL);
	REQUIRE(a != b);
	START(context, a, "x.upc", 1, 0);
	START(context, b, "x.upc", 2, 0);
	END(context, b, "x.upc", 3, 0);
	ATOMIC(context, b, "x.upc", 4, 0);
	END(context, a, "x.upc", 5, 0);
	EXPECT("visits", "a", 1);
	EXPECT("visits", "a;b", 2);
	EXPECT("visits", "*", 3);
	return 0;
}
