/* SPDX-License-Identifier: BSD-3-Clause */
/* A file excludes events, by present names and by those of 1.3: all other events are measured. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	fence(context, "a.upc", 1);
	START(context, GASP_UPC_NOTIFY, "a.upc", 2, 0, 0);
	END(context, GASP_UPC_NOTIFY, "a.upc", 2, 0, 0);
	START(context, GASP_UPC_COLLECTIVE_EXIT, "a.upc", 3, 0);
	END(context, GASP_UPC_COLLECTIVE_EXIT, "a.upc", 3, 0);
	ATOMIC(context, GASP_UPC_NONCOLLECTIVE_EXIT, "a.upc", 4, 0);
	EXPECT("visits", "GASP_UPC_NOTIFY @a.upc:2", 1);
	EXPECT("visits", "*", 1);
	return 0;
}
