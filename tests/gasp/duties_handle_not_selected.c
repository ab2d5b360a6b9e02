/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Run with HEDDLE_EVENTS naming only GASP_UPC_NB_GET_INIT: an access is in flight until its data has arrived or was
 * waited for, though neither of these events is measured.
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	void *local = &context, *shared = &local;
	gasp_upc_nb_handle_t handles[] = {(void *)0x1000, (void *)0x2000, GASP_NB_TRIVIAL};
	uint64_t begun = now();
	for (int i = 0; i < 3; i++) {
		START(context, GASP_UPC_NB_GET_INIT, "a.upc", i, 0, 1, local, shared, (size_t)800);
		END(context, GASP_UPC_NB_GET_INIT, "a.upc", i, 0, 1, local, shared, (size_t)800, handles[i]);
	}
	uint64_t in_flight = now();
	spend(1000000);
	uint64_t over = now();
	START(context, GASP_UPC_NB_GET_DATA, "a.upc", 10, 0, handles[0]);
	END(context, GASP_UPC_NB_GET_DATA, "a.upc", 10, 0, handles[0]);
	for (int i = 0; i < 3; i++) {
		START(context, GASP_UPC_NB_SYNC, "a.upc", 20, 0, handles[i]);
		END(context, GASP_UPC_NB_SYNC, "a.upc", 20, 0, handles[i]);
	}
	uint64_t ended = now();
	/* 1 % for the conversion of clock ticks in such a short run. */
	uint64_t least = (over - in_flight) * 99 / 100, most = (ended - begun) * 101 / 100;
	EXPECT_BETWEEN("flight-time", "GASP_UPC_NB_GET_INIT @a.upc:0", least, most);
	EXPECT_BETWEEN("flight-time", "GASP_UPC_NB_GET_INIT @a.upc:1", least, most);
	EXPECT("flight-time", "GASP_UPC_NB_GET_INIT @a.upc:2", 0);
	EXPECT("visits", "*", 3);
	return 0;
}
