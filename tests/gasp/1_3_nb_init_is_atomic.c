/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 8 of 1.3: the INIT events are ATOMIC, with the handle; DATA and SYNC as in 1.5. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	void *any = &context;
	gasp_upc_nb_handle_t handle = (void *)0x1000;
	ATOMIC(context, GASP_UPC_NB_GET_INIT, "a.upc", 1, 0, 1, any, any, (size_t)100, handle);
	ATOMIC(context, GASP_UPC_NB_PUT_INIT, "a.upc", 2, 0, 0, any, any, (size_t)10, handle);
	ATOMIC(context, GASP_UPC_NB_PUT_INIT, "a.upc", 3, 0, 0, any, any, (size_t)1, GASP_NB_TRIVIAL);
	spend(1000000);
	START(context, GASP_UPC_NB_SYNC, "a.upc", 4, 0, handle);
	END(context, GASP_UPC_NB_SYNC, "a.upc", 4, 0, handle);
	EXPECT("visits", "GASP_UPC_NB_GET_INIT @a.upc:1", 1);
	EXPECT("bytes-got", "GASP_UPC_NB_GET_INIT @a.upc:1", 100);
	EXPECT("bytes-put", "GASP_UPC_NB_PUT_INIT @a.upc:2", 10);
	EXPECT("bytes-put", "GASP_UPC_NB_PUT_INIT @a.upc:3", 1);
	EXPECT_BETWEEN("flight-time", "GASP_UPC_NB_GET_INIT @a.upc:1", 990000, UINT64_MAX);
	EXPECT_BETWEEN("flight-time", "GASP_UPC_NB_PUT_INIT @a.upc:2", 990000, UINT64_MAX);
	EXPECT("flight-time", "GASP_UPC_NB_PUT_INIT @a.upc:3", 0);
	EXPECT("visits", "*", 4);
	return 0;
}
