/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Table 2 of 1.3: REALLOC's END has no returnptr, and after a failure "the size argument of the end events shall be set
 * to 0": such a call does not count as an allocation.
 */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	void *block = &context;
	START(context, GASP_C_REALLOC, "a.c", 1, 0, block, (size_t)10);
	END(context, GASP_C_REALLOC, "a.c", 1, 0, block, (size_t)10);
	START(context, GASP_C_REALLOC, "a.c", 1, 0, block, (size_t)1 << 62);
	END(context, GASP_C_REALLOC, "a.c", 1, 0, block, (size_t)0);
	START(context, GASP_C_MALLOC, "a.c", 2, 0, (size_t)1 << 62);
	END(context, GASP_C_MALLOC, "a.c", 2, 0, (size_t)0, (void *)NULL);
	EXPECT("visits", "GASP_C_REALLOC @a.c:1", 2);
	EXPECT("visits", "GASP_C_MALLOC @a.c:2", 1);
	EXPECT("visits", "*", 3);
	EXPECT_BETWEEN("allocations", "GASP_C_REALLOC @a.c:1", 0, 1); /* the missing pointer may be read as null */
	EXPECT("allocations", "GASP_C_MALLOC @a.c:2", 0);
	return 0;
}
