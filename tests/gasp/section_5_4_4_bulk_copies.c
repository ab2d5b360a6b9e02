/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 6: MEMCPY, MEMGET, MEMPUT, MEMSET: size_t n of any value, counted once for a pair, got and put separately. */
#include "client.h"

#define BOTH(event, line, ...)                                        \
	do {                                                          \
		START(context, event, "a.upc", line, 0, __VA_ARGS__); \
		END(context, event, "a.upc", line, 0, __VA_ARGS__);   \
	} while (0)

int main(void)
{
	gasp_context_t context = init_upc();
	void *shared_pointer = &context, *local = &shared_pointer;
	size_t large = (size_t)6000000000;
	BOTH(GASP_UPC_MEMCPY, 1, shared_pointer, shared_pointer, (size_t)100);
	BOTH(GASP_UPC_MEMGET, 2, local, shared_pointer, large);
	BOTH(GASP_UPC_MEMPUT, 3, shared_pointer, local, large + 1);
	BOTH(GASP_UPC_MEMSET, 4, shared_pointer, 0xff, (size_t)50);
	BOTH(GASP_UPC_MEMGET, 5, local, shared_pointer, (size_t)0);
	EXPECT("bytes-got", "GASP_UPC_MEMCPY @a.upc:1", 100);
	EXPECT("bytes-put", "GASP_UPC_MEMCPY @a.upc:1", 100);
	EXPECT("bytes-got", "GASP_UPC_MEMGET @a.upc:2", large);
	EXPECT("bytes-put", "GASP_UPC_MEMPUT @a.upc:3", large + 1);
	EXPECT("bytes-put", "GASP_UPC_MEMSET @a.upc:4", 50);
	EXPECT("bytes-got", "*", 100 + large);
	EXPECT("bytes-put", "*", 100 + large + 1 + 50);
	EXPECT_VALUES("GASP_UPC_MEMGET*", 0, 2, 0, large, large);
	/* Without the compiler's bridge, the owner is unknown: accesses are neither local nor remote. */
	EXPECT("local-accesses", "*", 0);
	EXPECT("remote-accesses", "*", 0);
	EXPECT("visits", "*", 5);
	return 0;
}
