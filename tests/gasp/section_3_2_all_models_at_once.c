/* SPDX-License-Identifier: BSD-3-Clause */
/* The five models of gasp_model_t, and one that does not exist: no context is NULL, and all differ. */
#include "client.h"

int main(void)
{
	gasp_context_t contexts[5];
	for (int i = 0; i < 5; i++) {
		contexts[i] = gasp_init((gasp_model_t)i, NULL, NULL);
		REQUIRE(contexts[i] != NULL);
		for (int j = 0; j < i; j++)
			REQUIRE(contexts[i] != contexts[j]);
	}
	fence(contexts[GASP_MODEL_UPC], "a.upc", 1);
	/* Events through the context of an unknown model, whatever it is, do no harm. */
	fence(gasp_init((gasp_model_t)99, NULL, NULL), "a.upc", 2);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:1", 1);
	return 0;
}
