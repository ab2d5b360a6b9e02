/* SPDX-License-Identifier: BSD-3-Clause */
/* Exit events write the profile even if their thread is off; the events themselves are not counted. */
#include "client.h"

#include <signal.h>

int main(void)
{
	gasp_context_t context = init_upc();
	get(context, "a.upc", 1, 8);
	gasp_control(context, 0);
	EXPECT("visits", "GASP_UPC_GET @a.upc:1", 1);
	EXPECT("visits", "*", 1);
	EXPECT_FILES(1);
	EXPECT_OUTCOME("signal 9");
	START(context, GASP_UPC_COLLECTIVE_EXIT, "a.upc", 2, 0, 0);
	END(context, GASP_UPC_COLLECTIVE_EXIT, "a.upc", 2, 0, 0);
	kill(getpid(), SIGKILL);
	return 0;
}
