/* SPDX-License-Identifier: BSD-3-Clause */
/* Time while off is not time in flight: switched off and on between INIT and SYNC, and waited for while off. */
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
	uint64_t most = now();
	initiate(context, 1, one);
	initiate(context, 2, other);
	spend(1000000);
	gasp_control(context, 0);
	most = now() - most;
	spend(5000000);
	synchronize(context, other);
	uint64_t on = now();
	gasp_control(context, 1);
	spend(1000000);
	synchronize(context, one);
	uint64_t end = now();
	EXPECT_BETWEEN("flight-time", "GASP_UPC_NB_PUT_INIT @a.upc:1", 1980000, (most + end - on) * 101 / 100);
	EXPECT_BETWEEN("flight-time", "GASP_UPC_NB_PUT_INIT @a.upc:2", 0, most * 101 / 100);
	return 0;
}
