/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that is off when it forks is off in the child, and each process is switched separately from then on. */
#include "client.h"

#include <sys/wait.h>

#define OFF_NS 50000000 /* long: the child's measured time must not be reduced by it */
#define ON_NS 10000000

int main(void)
{
	gasp_context_t context = init_upc();
	fence(context, "before.upc", 1);
	gasp_control(context, 0);
	spend(OFF_NS);
	pid_t child = fork();
	const char *file = child ? "parent.upc" : "child.upc";
	fence(context, file, 1);
	REQUIRE(gasp_control(context, child ? 5 : 6) == 0);
	REQUIRE(gasp_control_query(context) == (child ? 5 : 6));
	spend(child ? 0 : ON_NS);
	fence(context, file, 2);
	gasp_control(context, !child);
	if (child)
		waitpid(child, NULL, 0);
	else
		exit(0);
	EXPECT("visits", "GASP_UPC_FENCE @parent.upc:2", 1);
	EXPECT("visits", "GASP_UPC_FENCE @child.upc:2", 1);
	EXPECT("visits", "GASP_UPC_FENCE @before.upc:1", 1); /* only the parent's */
	EXPECT("visits", "*", 3);
	EXPECT_MEASURED(ON_NS, UINT64_MAX);
	EXPECT_FILES(2);
	return 0;
}
