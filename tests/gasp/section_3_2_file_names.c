/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "it is also permitted for different filename pointers (passed in different calls) to indicate the same file name":
 * one file in the profile. Different names and different lines are different places.
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	for (int i = 0; i < 1000; i++)
		fence(context, strdup("same.upc"), 10); /* valid "for the remainder of the program execution" */
	fence(context, "same.upc", 11);
	fence(context, "dir/same.upc", 10);
	EXPECT("visits", "GASP_UPC_FENCE @same.upc:10", 1000);
	EXPECT("visits", "GASP_UPC_FENCE @same.upc:11", 1);
	EXPECT("visits", "GASP_UPC_FENCE @dir/same.upc:10", 1);
	EXPECT_PATHS("*FENCE*", 3);
	return 0;
}
