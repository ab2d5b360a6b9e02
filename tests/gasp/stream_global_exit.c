/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * upc_global_exit: ATOMIC on the caller only, and the other processes end without events. The caller's profile is
 * present; each of the others is either complete or missing.
 */
#include "client.h"

#include <signal.h>
#include <sys/wait.h>

int main(void)
{
	pid_t other = fork();
	gasp_context_t context = init_upc();
	for (int i = 0; i < 1000; i++)
		get(context, "a.upc", 1, 8);
	if (other == 0) {
		START(context, GASP_UPC_BARRIER, "a.upc", 2, 0, 0, 0);
		for (;;)
			pause();
	}
	EXPECT("visits", "GASP_UPC_NONCOLLECTIVE_EXIT @a.upc:3", 1);
	EXPECT("visits", "GASP_UPC_GET @a.upc:1", 1000);
	EXPECT_FILES(1);
	EXPECT_OUTCOME("exit 7");
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	ATOMIC(context, GASP_UPC_NONCOLLECTIVE_EXIT, "a.upc", 3, 0, 7);
	_exit(7);
}
