/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 4: NOTIFY, WAIT, BARRIER with int named, int expr (any value); FENCE without. Their time is waiting. */
#include "client.h"

#include <limits.h>

static void pair(gasp_context_t context, unsigned int event, int line, int named, int expr)
{
	START(context, event, "a.upc", line, 0, named, expr);
	spend(100000);
	END(context, event, "a.upc", line, 0, named, expr);
}

int main(void)
{
	gasp_context_t context = init_upc();
	pair(context, GASP_UPC_NOTIFY, 1, 0, INT_MIN);
	pair(context, GASP_UPC_WAIT, 2, 1, 42);
	pair(context, GASP_UPC_BARRIER, 3, -1, -1);
	pair(context, GASP_UPC_BARRIER, 3, 0, 0);
	START(context, GASP_UPC_FENCE, "a.upc", 4, 0);
	spend(100000);
	END(context, GASP_UPC_FENCE, "a.upc", 4, 0);
	EXPECT("visits", "GASP_UPC_NOTIFY @a.upc:1", 1);
	EXPECT("visits", "GASP_UPC_WAIT @a.upc:2", 1);
	EXPECT("visits", "GASP_UPC_BARRIER @a.upc:3", 2);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:4", 1);
	EXPECT("visits", "*", 5);
	EXPECT_BETWEEN("wall-time", "GASP_UPC_NOTIFY @a.upc:1", 99900, UINT64_MAX);
	EXPECT_BETWEEN("wall-time", "GASP_UPC_WAIT @a.upc:2", 99900, UINT64_MAX);
	EXPECT_BETWEEN("wall-time", "GASP_UPC_BARRIER @a.upc:3", 199800, UINT64_MAX);
	EXPECT_BETWEEN("wall-time", "GASP_UPC_FENCE @a.upc:4", 99900, UINT64_MAX);
	return 0;
}
