/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Berkeley's own events (GASP_BUPC_*), handles passed to START, too, its two trivial handles, and TRYSYNC, which
 * retires accesses only if its result is not 0.
 */
#include "stream.h"

void _pupc_create_event(void);
void _pupc_create_event(void)
{
}

int main(void)
{
	gasp_context_t context = init_upc();
	void *any = &context, *handle = (void *)0x1000, *nbi = (void *)-1;
	for (int type = GASP_START; type <= GASP_END; type++)
		gasp_event_notify(context, 1120, (gasp_evttype_t)type, "a.upc", 1, 0, 1, any, any, (size_t)8, handle);
	for (int type = GASP_START; type <= GASP_END; type++)
		gasp_event_notify(context, 1131, (gasp_evttype_t)type, "a.upc", 2, 0, any, any, (size_t)100, handle);
	for (int type = GASP_START; type <= GASP_END; type++)
		gasp_event_notify(context, 1132, (gasp_evttype_t)type, "a.upc", 3, 0, any, any, (size_t)200, handle);
	for (int type = GASP_START; type <= GASP_END; type++)
		gasp_event_notify(context, 1133, (gasp_evttype_t)type, "a.upc", 4, 0, any, any, (size_t)300, nbi);
	spend(1000000);
	for (int result = 0; result < 2; result++) {
		START(context, 1130, "a.upc", 5, 0, handle);
		END(context, 1130, "a.upc", 5, 0, handle, result);
		spend(1000000);
	}
	START(context, 1122, "a.upc", 6, 0, nbi);
	END(context, 1122, "a.upc", 6, 0, nbi);
	ATOMIC(context, 1140, "a.upc", 7, 0, (size_t)4, (size_t)1000, any, any, (size_t)8, "table", "A4_i");
	EXPECT("bytes-got", "*GASP_UPC_NB_GET_INIT @a.upc:1", 8);
	EXPECT("bytes-got", "*GASP_BUPC_NB_MEMGET_INIT @a.upc:2", 100);
	EXPECT("bytes-put", "*GASP_BUPC_NB_MEMPUT_INIT @a.upc:3", 200);
	EXPECT("bytes-put", "*GASP_BUPC_NB_MEMCPY_INIT @a.upc:4", 300);
	EXPECT_BETWEEN("flight-time", "*GASP_BUPC_NB_MEMGET_INIT @a.upc:2", 1980000, UINT64_MAX);
	EXPECT("flight-time", "*GASP_BUPC_NB_MEMCPY_INIT*", 0);
	EXPECT("visits", "GASP_BUPC_NB_TRYSYNC @a.upc:5", 2);
	EXPECT("visits", "*GASP_UPC_NB_SYNC*", 0);
	EXPECT("shared-bytes", "GASP_BUPC_STATIC_SHARED @a.upc:7", 4000);
	return 0;
}
