/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "Several outstanding nonblocking get or put operations may be attached to a single gasp_upc_nb_handle_t instance.
 * When a sync callback is received, the tool code shall assume all get and put operations for the corresponding handle
 * in the sync callback have been retired." The handle's value may come back for another access then.
 */
#include "client.h"

static void initiate(gasp_context_t context, int line, gasp_upc_nb_handle_t handle)
{
	void *any = &line;
	START(context, GASP_UPC_NB_PUT_INIT, "a.upc", line, 0, 1, any, any, (size_t)8);
	END(context, GASP_UPC_NB_PUT_INIT, "a.upc", line, 0, 1, any, any, (size_t)8, handle);
}

static void synchronize(gasp_context_t context, gasp_upc_nb_handle_t handle)
{
	START(context, GASP_UPC_NB_SYNC, "a.upc", 9, 0, handle);
	END(context, GASP_UPC_NB_SYNC, "a.upc", 9, 0, handle);
}

int main(void)
{
	gasp_context_t context = init_upc();
	gasp_upc_nb_handle_t one = (void *)0x10, other = (void *)0x20;
	initiate(context, 1, one);
	initiate(context, 2, one);
	initiate(context, 3, other);
	spend(1000000);
	synchronize(context, one); /* retires 1 and 2 */
	uint64_t over = now();
	initiate(context, 4, one); /* another access with that handle */
	synchronize(context, one);
	uint64_t latest = now();
	spend(3000000);
	synchronize(context, one);         /* no access is outstanding: adds nothing to 1, 2 or 4 */
	synchronize(context, other);       /* retires 3 */
	for (int i = 0; i < 100000; i++) { /* handles are reused */
		initiate(context, 5, (void *)(uintptr_t)(0x100 + i % 10));
		synchronize(context, (void *)(uintptr_t)(0x100 + i % 10));
	}
	EXPECT_BETWEEN("flight-time", "GASP_UPC_NB_PUT_INIT @a.upc:1", 990000, 1000000000);
	EXPECT_BETWEEN("flight-time", "GASP_UPC_NB_PUT_INIT @a.upc:2", 990000, 1000000000);
	EXPECT_BETWEEN("flight-time", "GASP_UPC_NB_PUT_INIT @a.upc:3", 3960000, UINT64_MAX);
	EXPECT_BETWEEN("flight-time", "GASP_UPC_NB_PUT_INIT @a.upc:4", 0, (latest - over) * 101 / 100);
	EXPECT("visits", "GASP_UPC_NB_PUT_INIT @a.upc:5", 100000);
	EXPECT("visits", "GASP_UPC_NB_SYNC @a.upc:9", 100004);
	return 0;
}
