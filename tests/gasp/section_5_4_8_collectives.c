/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 10: dst, src, size_t nbytes, int upc_flags; PERMUTE has perm after src. Bytes by the library's definitions. */
#include "bridge.h"

#define BOTH(event, line, ...)                                        \
	do {                                                          \
		START(context, event, "a.upc", line, 0, __VA_ARGS__); \
		END(context, event, "a.upc", line, 0, __VA_ARGS__);   \
	} while (0)

int main(void)
{
	gasp_context_t context = init_upc();
	void *dst = SHARED_POINTER(0), *src = SHARED_POINTER(1), *perm = SHARED_POINTER(2);
	int flags = 0x7fffffff;
	BOTH(GASP_UPC_ALL_BROADCAST, 1, dst, src, (size_t)100, flags);
	BOTH(GASP_UPC_ALL_SCATTER, 2, dst, src, (size_t)100, flags);
	BOTH(GASP_UPC_ALL_GATHER, 3, dst, src, (size_t)100, flags);
	BOTH(GASP_UPC_ALL_GATHER_ALL, 4, dst, src, (size_t)100, flags);
	BOTH(GASP_UPC_ALL_EXCHANGE, 5, dst, src, (size_t)100, flags);
	BOTH(GASP_UPC_ALL_PERMUTE, 6, dst, src, perm, (size_t)100, flags);
	EXPECT("visits", "GASP_UPC_ALL_BROADCAST @a.upc:1", 1);
	EXPECT("visits", "GASP_UPC_ALL_SCATTER @a.upc:2", 1);
	EXPECT("visits", "GASP_UPC_ALL_GATHER @a.upc:3", 1);
	EXPECT("visits", "GASP_UPC_ALL_GATHER_ALL @a.upc:4", 1);
	EXPECT("visits", "GASP_UPC_ALL_EXCHANGE @a.upc:5", 1);
	EXPECT("visits", "GASP_UPC_ALL_PERMUTE @a.upc:6", 1);
	EXPECT("bytes-got", "GASP_UPC_ALL_BROADCAST*", 100);
	EXPECT("bytes-got", "GASP_UPC_ALL_SCATTER*", 100);
	EXPECT("bytes-put", "GASP_UPC_ALL_GATHER @*", 100);
	EXPECT("bytes-got", "GASP_UPC_ALL_GATHER_ALL*", 100 * BRIDGE_THREADS);
	EXPECT("bytes-got", "GASP_UPC_ALL_EXCHANGE*", 100 * BRIDGE_THREADS);
	EXPECT("bytes-put", "GASP_UPC_ALL_EXCHANGE*", 100 * BRIDGE_THREADS);
	EXPECT("bytes-got", "GASP_UPC_ALL_PERMUTE*", 100);
	EXPECT("bytes-put", "GASP_UPC_ALL_PERMUTE*", 100);
	REQUIRE(bridge_bad_pointers == 0);
	return 0;
}
