/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurement control and handles: an access that was initiated while off is not measured, but is still retired. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	void *any = &context;
	gasp_upc_nb_handle_t on = (void *)0x10, off = (void *)0x20;
	START(context, GASP_UPC_NB_PUT_INIT, "on.upc", 1, 0, 1, any, any, (size_t)8);
	END(context, GASP_UPC_NB_PUT_INIT, "on.upc", 1, 0, 1, any, any, (size_t)8, on);
	gasp_control(context, 0);
	START(context, GASP_UPC_NB_PUT_INIT, "off.upc", 1, 0, 1, any, any, (size_t)8);
	END(context, GASP_UPC_NB_PUT_INIT, "off.upc", 1, 0, 1, any, any, (size_t)8, off);
	START(context, GASP_UPC_NB_SYNC, "off.upc", 2, 0, on); /* waited for while off */
	END(context, GASP_UPC_NB_SYNC, "off.upc", 2, 0, on);
	gasp_control(context, 1);
	START(context, GASP_UPC_NB_SYNC, "on.upc", 2, 0, off);
	END(context, GASP_UPC_NB_SYNC, "on.upc", 2, 0, off);
	START(context, GASP_UPC_NB_SYNC, "on.upc", 3, 0, on); /* retired: no time in flight is added */
	END(context, GASP_UPC_NB_SYNC, "on.upc", 3, 0, on);
	EXPECT("visits", "GASP_UPC_NB_PUT_INIT @on.upc:1", 1);
	EXPECT("visits", "GASP_UPC_NB_SYNC @on.upc:*", 2);
	EXPECT("visits", "*", 3);
	EXPECT("bytes-put", "*", 8);
	EXPECT("flight-time", "*off.upc*", 0);
	return 0;
}
