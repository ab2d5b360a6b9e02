/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Table 8: a nonblocking get and put from INIT (END has the handle) through DATA to SYNC. Bytes count at INIT; time in
 * flight is from INIT until the data has arrived or was waited for; SYNC's own time belongs to its region.
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	void *local = &context, *shared = &local;
	gasp_upc_nb_handle_t a = (void *)0x1000, b = (void *)0x2000;
	uint64_t outer_a = now();
	START(context, GASP_UPC_NB_GET_INIT, "a.upc", 1, 0, 1, local, shared, (size_t)800);
	END(context, GASP_UPC_NB_GET_INIT, "a.upc", 1, 0, 1, local, shared, (size_t)800, a);
	uint64_t inner_a = now();
	START(context, GASP_UPC_NB_PUT_INIT, "a.upc", 2, 0, 1, shared, local, (size_t)80);
	END(context, GASP_UPC_NB_PUT_INIT, "a.upc", 2, 0, 1, shared, local, (size_t)80, b);
	uint64_t inner_b = now();
	spend(1000000);
	START(context, GASP_UPC_NB_GET_DATA, "a.upc", 1, 0, a);
	END(context, GASP_UPC_NB_GET_DATA, "a.upc", 1, 0, a);
	uint64_t arrived_a = now();
	spend(1000000);
	START(context, GASP_UPC_NB_SYNC, "a.upc", 3, 0, a);
	END(context, GASP_UPC_NB_SYNC, "a.upc", 3, 0, a);
	uint64_t before_b = now();
	START(context, GASP_UPC_NB_SYNC, "a.upc", 4, 0, b);
	END(context, GASP_UPC_NB_SYNC, "a.upc", 4, 0, b);
	EXPECT("bytes-got", "GASP_UPC_NB_GET_INIT @a.upc:1", 800);
	EXPECT("bytes-put", "GASP_UPC_NB_PUT_INIT @a.upc:2", 80);
	EXPECT("bytes-got", "*", 800);
	EXPECT("visits", "GASP_UPC_NB_GET_INIT @a.upc:1", 1);
	EXPECT("visits", "*GASP_UPC_NB_GET_DATA*", 1);
	EXPECT("visits", "GASP_UPC_NB_SYNC*", 2);
	/* 1 % for the conversion of clock ticks in such a short run. */
	EXPECT_BETWEEN("flight-time", "GASP_UPC_NB_GET_INIT @a.upc:1", 990000, (arrived_a - outer_a) * 101 / 100);
	EXPECT_BETWEEN("flight-time", "GASP_UPC_NB_PUT_INIT @a.upc:2", (before_b - inner_b) * 99 / 100, UINT64_MAX);
	REQUIRE(inner_a >= outer_a);
	return 0;
}
