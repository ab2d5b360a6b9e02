/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Run with HEDDLE_TRACE=1: the clock of the first thread's machine is read when a UPC thread starts and when it ends,
 * whatever is sampled, selected or switched on.
 */
#include "client.h"

static int read_first_clock(uint64_t *ns);
#define BRIDGE_FIRST_CLOCK read_first_clock
#include "bridge.h"

static int reads;

static int read_first_clock(uint64_t *ns)
{
	reads++;
	*ns = now() + 1000000000;
	return 1;
}

int main(void)
{
	gasp_context_t context = init_upc();
	int first = reads;
	REQUIRE(first > 0);
	START(context, GASP_UPC_BARRIER, "a.upc", 1, 0, 0, 0);
	END(context, GASP_UPC_BARRIER, "a.upc", 1, 0, 0, 0);
	REQUIRE(reads == first); /* not long ago */
	if (getenv("OFF"))
		gasp_control(context, 0);
	START(context, GASP_UPC_COLLECTIVE_EXIT, "a.upc", 9, 0, 0);
	REQUIRE(reads == 2 * first);
	END(context, GASP_UPC_COLLECTIVE_EXIT, "a.upc", 9, 0, 0);
	REQUIRE(reads == 2 * first);
	EXPECT_FILES(1);
	return 0;
}
