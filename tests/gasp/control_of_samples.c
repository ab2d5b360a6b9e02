/* SPDX-License-Identifier: BSD-3-Clause */
/* The row of docs/control.md about samples; run with HEDDLE_SAMPLE_HZ. No samples are taken while either switch is
 * off. */
#include "../programs/burn.h"
#include "client.h"

#include <heddle/heddle.h>

static void burn(gasp_context_t context, const char *file)
{
	START(context, GASP_UPC_FORALL, file, 1, 0);
	burn_ms(200);
	END(context, GASP_UPC_FORALL, file, 1, 0);
}

int main(void)
{
	gasp_context_t context = init_upc();
	burn(context, "on.upc");
	gasp_control(context, 0);
	burn(context, "off.upc");
	gasp_control(context, 1);
	heddle_stop();
	burn(context, "stopped.upc");
	heddle_start();
	burn(context, "again.upc");
	EXPECT_BETWEEN("samples", "*GASP_UPC_FORALL @on.upc:1*", 20, UINT64_MAX);
	EXPECT("samples", "*off.upc*", 0);
	EXPECT("samples", "*stopped.upc*", 0);
	EXPECT_BETWEEN("samples", "*GASP_UPC_FORALL @again.upc:1*", 20, UINT64_MAX);
	EXPECT_BETWEEN("samples", "*", 40, 600); /* 200 in each of two states, and the program's start */
	EXPECT_BETWEEN(
		"cpu-time", "*", 40000000, 700000000); /* time since the last sample before a switch is not charged */
	return 0;
}
