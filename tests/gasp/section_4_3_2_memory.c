/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Table 2: malloc, realloc, free with arguments as a compiler passes them. A failed call is not an allocation.
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	void *block = &context, *moved = &block;
	START(context, GASP_C_MALLOC, "a.c", 1, 0, (size_t)1000);
	END(context, GASP_C_MALLOC, "a.c", 1, 0, (size_t)1000, block);
	START(context, GASP_C_REALLOC, "a.c", 2, 0, block, (size_t)3000);
	END(context, GASP_C_REALLOC, "a.c", 2, 0, block, (size_t)3000, moved);
	START(context, GASP_C_FREE, "a.c", 3, 0, moved);
	END(context, GASP_C_FREE, "a.c", 3, 0, moved);
	START(context, GASP_C_MALLOC, "a.c", 4, 0, (size_t)1 << 62);
	END(context, GASP_C_MALLOC, "a.c", 4, 0, (size_t)1 << 62, (void *)NULL);
	START(context, GASP_C_REALLOC, "a.c", 6, 0, block, (size_t)1 << 62);
	END(context, GASP_C_REALLOC, "a.c", 6, 0, block, (size_t)1 << 62, (void *)NULL);
	START(context, GASP_C_REALLOC, "a.c", 7, 0, block, (size_t)0);
	END(context, GASP_C_REALLOC, "a.c", 7, 0, block, (size_t)0, (void *)NULL);
	START(context, GASP_C_MALLOC, "a.c", 8, 0, (size_t)0);
	END(context, GASP_C_MALLOC, "a.c", 8, 0, (size_t)0, block);
	ATOMIC(context, GASP_C_MALLOC, "a.c", 9, 0, (size_t)10, block);
	ATOMIC(context, GASP_C_MALLOC, "a.c", 10, 0, (size_t)10, (void *)NULL);
	START(context, GASP_C_FREE, "a.c", 5, 0, (void *)NULL);
	END(context, GASP_C_FREE, "a.c", 5, 0, (void *)NULL);
	EXPECT("visits", "GASP_C_MALLOC @a.c:1", 1);
	EXPECT("visits", "GASP_C_REALLOC @a.c:2", 1);
	EXPECT("visits", "GASP_C_FREE @a.c:3", 1);
	EXPECT("visits", "GASP_C_MALLOC @a.c:4", 1);
	EXPECT("visits", "GASP_C_FREE @a.c:5", 1);
	EXPECT("visits", "*", 10);
	EXPECT("allocations", "GASP_C_MALLOC @a.c:1", 1);
	EXPECT_VALUES("GASP_C_MALLOC @a.c:1", 0, 1, 1000, 1000, 1000);
	EXPECT("allocations", "GASP_C_REALLOC @a.c:2", 1);
	EXPECT_VALUES("GASP_C_REALLOC @a.c:2", 0, 1, 3000, 3000, 3000);
	EXPECT("allocations", "GASP_C_MALLOC @a.c:4", 0);
	EXPECT_VALUES("GASP_C_MALLOC @a.c:4", 0, 0, 0, 0, 0);
	EXPECT("allocations", "GASP_C_MALLOC @a.c:8", 1);
	EXPECT("allocations", "GASP_C_MALLOC @a.c:9", 1);
	EXPECT("allocations", "*", 4);
	return 0;
}
