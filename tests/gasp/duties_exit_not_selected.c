/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Run with HEDDLE_EVENTS naming only GASP_UPC_GET: the exit of the last UPC thread still writes the profile, as the
 * process may not end normally afterwards; in this test it ends by SIGKILL.
 */
#include "client.h"

#include <signal.h>

int main(int argc, char **argv)
{
	gasp_context_t context = init_upc();
	get(context, "a.upc", 1, 8);
	(void)argv;
	EXPECT("visits", "GASP_UPC_GET @a.upc:1", 1);
	EXPECT("visits", "*", 1);
	EXPECT_OUTCOME("signal 9");
	EXPECT_FILES(1);
	if (argc > 1) {
		ATOMIC(context, GASP_UPC_NONCOLLECTIVE_EXIT, "a.upc", 9, 0, 3);
	} else {
		START(context, GASP_UPC_COLLECTIVE_EXIT, "a.upc", 9, 0, 3);
		END(context, GASP_UPC_COLLECTIVE_EXIT, "a.upc", 9, 0, 3);
	}
	kill(getpid(), SIGKILL);
	return 0;
}
