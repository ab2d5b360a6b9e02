/* SPDX-License-Identifier: BSD-3-Clause */
/* Two accesses are waited for while the thread is off and the program has stopped measurement: both were in flight. */
#include "client.h"

#include <heddle/heddle.h>

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
	heddle_stop();
	synchronize(context, other);
	heddle_start();
	heddle_stop();
	gasp_control(context, 1);
	synchronize(context, one);
	heddle_start();
	EXPECT_BETWEEN("flight-time", "GASP_UPC_NB_PUT_INIT @a.upc:1", 990000, most * 101 / 100);
	EXPECT_BETWEEN("flight-time", "GASP_UPC_NB_PUT_INIT @a.upc:2", 990000, most * 101 / 100);
	return 0;
}
