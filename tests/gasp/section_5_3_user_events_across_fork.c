/* SPDX-License-Identifier: BSD-3-Clause */
/* Events created before a fork are valid in the child, too; regions that are open at the fork are on its paths. */
#include "client.h"

#include <sys/wait.h>

int main(void)
{
	gasp_context_t context = init_upc();
	unsigned int outer = gasp_create_event(context, "outer", NULL),
		     inner = gasp_create_event(context, "inner", "%d");
	START(context, outer, "a.upc", 1, 0);
	pid_t child = fork();
	START(context, inner, "a.upc", 2, 0, child != 0);
	END(context, inner, "a.upc", 3, 0, child != 0);
	END(context, outer, "a.upc", 4, 0);
	REQUIRE(gasp_create_event(context, "next", NULL) == inner + 1);
	if (child)
		waitpid(child, NULL, 0);
	else
		exit(0);
	EXPECT("visits", "outer;inner", 2);
	EXPECT_VALUES("outer;inner", 1, 2, 0, 1, 1);
	EXPECT_FILES(2);
	return 0;
}
