/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "This pointer shall only be used in event callbacks for events corresponding to the model": the same number means
 * another event in another model.
 */
#include "client.h"

int main(void)
{
	gasp_context_t upc = gasp_init(GASP_MODEL_UPC, NULL, NULL), caf = gasp_init(GASP_MODEL_CAF, NULL, NULL);
	START(upc, 3000, "a.upc", 1, 0);
	START(caf, 3000, "a.caf", 2, 0);
	END(upc, 3000, "a.upc", 1, 0); /* interleaved with CAF's event 3000: each is closed by its own END */
	END(caf, 3000, "a.caf", 2, 0);
	fence(upc, "a.upc", 3);
	EXPECT("visits", "* @a.upc:1", 1);
	EXPECT("visits", "* @a.upc:1;* @a.caf:2", 1);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:3", 1);
	EXPECT("visits", "*", 3);
	EXPECT_GENERATED("*3000", 2);
	return 0;
}
