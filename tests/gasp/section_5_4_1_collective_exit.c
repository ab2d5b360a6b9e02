/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Table 3: COLLECTIVE_EXIT START and END with int status. The profile is complete by then, even if the process does not
 * end normally afterwards: in this test it ends by SIGKILL.
 */
#include "client.h"

#include <signal.h>

int main(void)
{
	gasp_context_t context = init_upc();
	get(context, "a.upc", 1, 8);
	START(context, GASP_UPC_COLLECTIVE_EXIT, "a.upc", 9, 0, 3);
	START(context, GASP_UPC_BARRIER, "_FINAL_BARRIER", 0, 0, 0, 0);
	END(context, GASP_UPC_BARRIER, "_FINAL_BARRIER", 0, 0, 0, 0);
	EXPECT("visits", "GASP_UPC_GET @a.upc:1", 1);
	EXPECT("visits", "GASP_UPC_COLLECTIVE_EXIT @a.upc:9", 1);
	EXPECT("visits", "GASP_UPC_COLLECTIVE_EXIT @a.upc:9;GASP_UPC_BARRIER @_FINAL_BARRIER:0", 1);
	EXPECT("visits", "*", 3);
	EXPECT_OUTCOME("signal 9");
	EXPECT_FILES(1);
	END(context, GASP_UPC_COLLECTIVE_EXIT, "a.upc", 9, 0, 3);
	kill(getpid(), SIGKILL);
	return 0;
}
