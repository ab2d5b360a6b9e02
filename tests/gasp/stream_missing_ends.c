/* SPDX-License-Identifier: BSD-3-Clause */
/* exit(n) deep inside functions and loops: no END is sent, destructors run, and time is charged where it was spent. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	START(context, GASP_C_FUNC, "a.upc", 1, 0, "user_main");
	START(context, GASP_C_FUNC, "a.upc", 10, 0, "deep");
	START(context, GASP_UPC_FORALL, "a.upc", 11, 0);
	get(context, "a.upc", 12, 8);
	START(context, GASP_UPC_COLLECTIVE_EXIT, NULL, 0, 0, 1);
	spend(1000000);
	EXPECT("visits", "user_main;deep;GASP_UPC_FORALL @a.upc:11;GASP_UPC_GET @a.upc:12", 1);
	EXPECT("visits", "user_main;deep;GASP_UPC_FORALL @a.upc:11;GASP_UPC_COLLECTIVE_EXIT", 1);
	EXPECT_BETWEEN(
		"wall-time", "user_main;deep;GASP_UPC_FORALL @a.upc:11;GASP_UPC_COLLECTIVE_EXIT", 990000, UINT64_MAX);
	EXPECT("visits", "*", 5);
	EXPECT_OUTCOME("exit 1");
	exit(1);
}
