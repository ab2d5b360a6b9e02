/* SPDX-License-Identifier: BSD-3-Clause */
/* "events generated on the calling thread": control through one model's context affects all models of the thread. */
#include "client.h"

int main(void)
{
	gasp_context_t upc = gasp_init(GASP_MODEL_UPC, NULL, NULL), shmem = gasp_init(GASP_MODEL_SHMEM, NULL, NULL);
	gasp_control(shmem, 0);
	REQUIRE(gasp_control_query(upc) == 0);
	fence(upc, "off.upc", 1);
	REQUIRE(gasp_control(upc, 3) == 0);
	REQUIRE(gasp_control_query(shmem) == 3);
	fence(upc, "on.upc", 1);
	EXPECT("visits", "*", 1);
	EXPECT("visits", "GASP_UPC_FENCE @on.upc:1", 1);
	return 0;
}
