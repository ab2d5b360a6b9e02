/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With sampling: a region that was opened while off appears in the paths of samples like one opened while on, once the
 * thread is on again.
 */
#include "../programs/burn.h"
#include "client.h"

static __attribute__((noinline)) void burn(void)
{
	burn_ms(200);
}

static __attribute__((noinline)) void in_region(gasp_context_t context, const char *file, int off)
{
	if (off)
		gasp_control(context, 0);
	START(context, GASP_UPC_FORALL, file, 1, 0);
	gasp_control(context, 1);
	burn();
	END(context, GASP_UPC_FORALL, file, 1, 0);
}

int main(void)
{
	gasp_context_t context = init_upc();
	in_region(context, "on.upc", 0);
	in_region(context, "off.upc", 1);
	EXPECT("visits", "*GASP_UPC_FORALL @on.upc:1", 1);
	EXPECT("visits", "*GASP_UPC_FORALL @off.upc:1", 0);
	EXPECT_BETWEEN("samples", "frame*;GASP_UPC_FORALL @on.upc:1;*", 20, UINT64_MAX);
	EXPECT_BETWEEN("samples", "frame*;GASP_UPC_FORALL @off.upc:1;*", 20, UINT64_MAX);
	EXPECT("samples", "GASP_UPC_FORALL*", 0);
	return 0;
}
