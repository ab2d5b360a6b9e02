/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Run with HEDDLE_TRACE=1: the clock of the first thread's machine is read when a UPC thread starts, at a barrier after
 * a while, and when the thread ends, whatever is sampled, selected or switched on.
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

static void barrier(gasp_context_t context)
{
	START(context, GASP_UPC_BARRIER, "a.upc", 1, 0, 0, 0);
	END(context, GASP_UPC_BARRIER, "a.upc", 1, 0, 0, 0);
}

int main(void)
{
	uint64_t begun = now();
	gasp_context_t context = init_upc();
	int first = reads;
	REQUIRE(first > 0);
	barrier(context);
	int before = reads;
	REQUIRE(before == first || now() - begun > 900000000); /* it is not read again so soon */
	usleep(1200000);
	barrier(context);
	REQUIRE(reads == before + first);
	if (getenv("OFF"))
		gasp_control(context, 0);
	START(context, GASP_UPC_COLLECTIVE_EXIT, "a.upc", 9, 0, 0);
	REQUIRE(reads == before + 2 * first);
	END(context, GASP_UPC_COLLECTIVE_EXIT, "a.upc", 9, 0, 0);
	REQUIRE(reads == before + 2 * first);
	EXPECT_FILES(1);
	return 0;
}
