/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "The implementation may pass the handle GASP_NB_TRIVIAL to GASP_UPC_NB_{PUT,GET}_INIT to indicate the operation was
 * completed synchronously in the initiation interval. The tool should ignore any DATA or SYNC event callbacks with the
 * handle GASP_NB_TRIVIAL."
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	void *any = &context;
	START(context, GASP_UPC_NB_GET_INIT, "a.upc", 1, 0, 1, any, any, (size_t)8);
	END(context, GASP_UPC_NB_GET_INIT, "a.upc", 1, 0, 1, any, any, (size_t)8, GASP_NB_TRIVIAL);
	spend(1000000);
	START(context, GASP_UPC_NB_GET_DATA, "a.upc", 2, 0, GASP_NB_TRIVIAL);
	END(context, GASP_UPC_NB_GET_DATA, "a.upc", 2, 0, GASP_NB_TRIVIAL);
	START(context, GASP_UPC_NB_PUT_DATA, "a.upc", 3, 0, GASP_NB_TRIVIAL);
	END(context, GASP_UPC_NB_PUT_DATA, "a.upc", 3, 0, GASP_NB_TRIVIAL);
	START(context, GASP_UPC_NB_SYNC, "a.upc", 4, 0, GASP_NB_TRIVIAL);
	END(context, GASP_UPC_NB_SYNC, "a.upc", 4, 0, GASP_NB_TRIVIAL);
	EXPECT("visits", "GASP_UPC_NB_GET_INIT @a.upc:1", 1);
	EXPECT("bytes-got", "GASP_UPC_NB_GET_INIT @a.upc:1", 8);
	EXPECT("flight-time", "*", 0);
	EXPECT("visits", "*", 1);
	return 0;
}
