/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * upc_global_exit: ATOMIC on the caller only, and the other processes die silently. The caller's profile is there;
 * theirs are whole or not there.
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
