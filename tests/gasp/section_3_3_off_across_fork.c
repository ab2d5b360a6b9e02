/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that is off when it forks is off in the child, and each process switches for itself from then on. */
#include "client.h"

#include <sys/wait.h>

int main(void)
{
	gasp_context_t context = init_upc();
	fence(context, "before.upc", 1);
	gasp_control(context, 0);
	pid_t child = fork();
	const char *file = child ? "parent.upc" : "child.upc";
	fence(context, file, 1);
	REQUIRE(gasp_control(context, child ? 5 : 6) == 0);
	REQUIRE(gasp_control_query(context) == (child ? 5 : 6));
	fence(context, file, 2);
	if (child)
		waitpid(child, NULL, 0);
	else
		exit(0);
	EXPECT("visits", "GASP_UPC_FENCE @parent.upc:2", 1);
	EXPECT("visits", "GASP_UPC_FENCE @child.upc:2", 1);
	EXPECT("visits", "GASP_UPC_FENCE @before.upc:1", 1); /* the parent's alone */
	EXPECT("visits", "*", 3);
	EXPECT_FILES(2);
	return 0;
}
