/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 3 of 1.3: COLLECTIVE_EXIT's START has no arguments, its END int status. "Tool code may perform upcalls". */
#include "bridge.h"

#include <signal.h>

int main(void)
{
	gasp_context_t context = init_upc();
	bridge_context = context;
	get(context, "a.upc", 1, 8);
	START(context, GASP_COLLECTIVE_EXIT, "a.upc", 2, 0);
	EXPECT("visits", "GASP_UPC_GET @a.upc:1", 1);
	EXPECT("visits", "GASP_UPC_COLLECTIVE_EXIT @a.upc:2", 1);
	EXPECT("visits", "*", 2);
	EXPECT_OUTCOME("signal 9");
	END(context, GASP_COLLECTIVE_EXIT, "a.upc", 2, 0, 1);
	kill(getpid(), SIGKILL);
	return 0;
}
