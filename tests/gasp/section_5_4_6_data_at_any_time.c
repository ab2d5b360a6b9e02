/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * DATA events "correspond to when the data starts to arrive and completely arrives": they do not nest with the
 * program's regions, and are ignored for unknown handles.
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	void *any = &context;
	gasp_upc_nb_handle_t handle = (void *)0x1000;
	START(context, GASP_UPC_NB_PUT_INIT, "a.upc", 1, 0, 1, any, any, (size_t)8);
	END(context, GASP_UPC_NB_PUT_INIT, "a.upc", 1, 0, 1, any, any, (size_t)8, handle);
	START(context, GASP_UPC_FORALL, "a.upc", 2, 0);
	START(context, GASP_UPC_NB_PUT_DATA, "a.upc", 3, 0, handle);
	END(context, GASP_UPC_FORALL, "a.upc", 2, 0);
	fence(context, "a.upc", 4);
	END(context, GASP_UPC_NB_PUT_DATA, "a.upc", 3, 0, handle);
	END(context, GASP_UPC_NB_GET_DATA, "a.upc", 3, 0, (void *)0x3333);
	START(context, GASP_UPC_NB_SYNC, "a.upc", 5, 0, (void *)0x4444);
	END(context, GASP_UPC_NB_SYNC, "a.upc", 5, 0, (void *)0x4444);
	fence(context, "a.upc", 6);
	EXPECT("visits", "GASP_UPC_FORALL @a.upc:2", 1);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:4", 1);
	EXPECT("visits", "GASP_UPC_NB_SYNC @a.upc:5", 1);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:6", 1);
	return 0;
}
