/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The root's inclusive time equals that of the run within 0.1 %, and so does that of a function that spans it;
 * exclusive values add up to it. The run is long enough for an exact conversion of the clock.
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	uint64_t outer = now();
	START(context, GASP_C_FUNC, "a.upc", 1, 0, "user_main");
	uint64_t inner = now();
	for (int i = 0; i < 30; i++) {
		START(context, GASP_UPC_FORALL, "a.upc", 2, 0);
		spend(5000000);
		fence(context, "a.upc", 3);
		END(context, GASP_UPC_FORALL, "a.upc", 2, 0);
		spend(5000000);
	}
	uint64_t least = now() - inner;
	END(context, GASP_C_FUNC, "a.upc", 4, 0, "user_main");
	uint64_t most = now() - outer;
	EXPECT_BETWEEN("wall-time", "user_main*", least - least / 1000, most + most / 1000);
	EXPECT_BETWEEN("wall-time", "user_main;GASP_UPC_FORALL*", 149850000, most);
	EXPECT_BETWEEN("wall-time", "user_main", 149850000, most);
	return 0;
}
