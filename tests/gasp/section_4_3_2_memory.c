/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 2, as a compiler would send it: malloc, realloc, free with their arguments, failures too. */
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
	START(context, GASP_C_FREE, "a.c", 5, 0, (void *)NULL);
	END(context, GASP_C_FREE, "a.c", 5, 0, (void *)NULL);
	EXPECT("visits", "GASP_C_MALLOC @a.c:1", 1);
	EXPECT("visits", "GASP_C_REALLOC @a.c:2", 1);
	EXPECT("visits", "GASP_C_FREE @a.c:3", 1);
	EXPECT("visits", "GASP_C_MALLOC @a.c:4", 1);
	EXPECT("visits", "GASP_C_FREE @a.c:5", 1);
	EXPECT("visits", "*", 5);
	return 0;
}
