/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "A single running instance of an executable may collectively call gasp_init multiple times ... with at most one call
 * per model". Each call returns a separate context, and both are measured in one call path.
 */
#include "client.h"

int main(void)
{
	gasp_context_t upc = gasp_init(GASP_MODEL_UPC, NULL, NULL);
	gasp_context_t shmem = gasp_init(GASP_MODEL_SHMEM, NULL, NULL);
	REQUIRE(upc && shmem && upc != shmem);
	START(upc, GASP_UPC_FORALL, "a.upc", 1, 0);
	START(shmem, 77, "b.c", 2, 0);
	END(shmem, 77, "b.c", 2, 0);
	END(upc, GASP_UPC_FORALL, "a.upc", 1, 0);
	EXPECT("visits", "GASP_UPC_FORALL @a.upc:1", 1);
	EXPECT("visits", "GASP_UPC_FORALL @a.upc:1;* @b.c:2", 1);
	EXPECT("visits", "*", 2);
	EXPECT_FILES(1);
	EXPECT_GENERATED("*77", 1);
	return 0;
}
