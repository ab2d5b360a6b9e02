/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of user events that this thread never created (another thread's, the last number): measured as unknown, or
 * ignored. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int event = gasp_create_event(context, "mine", "%d");
	START(context, event + 1, "a.upc", 1, 0, "some text", 2.5);
	END(context, event + 1, "a.upc", 1, 0);
	ATOMIC(context, GASP_UPC_USEREVT_END, "a.upc", 2, 0, 1);
	START(context, event, "a.upc", 3, 0, 1);
	END(context, event, "a.upc", 3, 0, 1);
	EXPECT("visits", "mine", 1);
	EXPECT_VALUES("*", 1, 1, 1, 1, 1);
	return 0;
}
