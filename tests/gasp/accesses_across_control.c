/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * HEDDLE_ACCESSES: accesses during which control is switched off, on, or both. The time of a pair of threads is that of
 * its accesses' regions, without time while off, and without the time after an access that ended while off.
 */
#define BRIDGE_EVENTS                                                                               \
	{"GASP_HUPC_STATIC_SHARED", GASP_HUPC_STATIC_SHARED}, {"GASP_UPC_FORALL", GASP_UPC_FORALL}, \
	{                                                                                           \
		"GASP_UPC_GET", GASP_UPC_GET                                                        \
	}
#define BRIDGE_USER 100, 999
#define BRIDGE_TRIVIAL 0, 0
#include "bridge.h"

static gasp_context_t context;
static char local[8];

static void start(const char *file)
{
	START(context, GASP_UPC_GET, file, 1, 0, 1, (void *)local, SHARED_AT(1, 8192), (size_t)8);
}

static void end(const char *file)
{
	END(context, GASP_UPC_GET, file, 1, 0, 1, (void *)local, SHARED_AT(1, 8192), (size_t)8);
}

static void pass_time(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

int main(void)
{
	context = init_upc();
	ATOMIC(context, GASP_HUPC_STATIC_SHARED, "a.upc", 3, 0, (size_t)6, (size_t)16, (void *)SHARED_AT(0, 8192),
		(size_t)8, "own", "int");
	start("on.upc");
	pass_time();
	gasp_control(context, 0);
	end("on.upc");
	gasp_control(context, 1);
	pass_time(); /* outside any access */
	gasp_control(context, 0);
	start("off.upc");
	gasp_control(context, 1);
	end("off.upc");

	start("on.upc");
	gasp_control(context, 0);
	pass_time();
	gasp_control(context, 1);
	end("on.upc");
	EXPECT("visits", "GASP_UPC_GET @on.upc:1;variable own", 2);
	EXPECT_PAIRS("*GASP_UPC_GET @on.upc*", "*GASP_UPC_GET*");
	return 0;
}
