/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 6 of 1.3: MEMPUT's src is a gasp_upc_PTS_t *, which is a pointer, too; it is not dereferenced. */
#include "bridge.h"

int main(void)
{
	gasp_context_t context = init_upc();
	void *dst = SHARED_POINTER(1), *src = (void *)16;
	START(context, GASP_UPC_MEMPUT, "a.upc", 1, 0, dst, src, (size_t)64);
	END(context, GASP_UPC_MEMPUT, "a.upc", 1, 0, dst, src, (size_t)64);
	REQUIRE(bridge_bad_pointers == 0);
	EXPECT("bytes-put", "GASP_UPC_MEMPUT @a.upc:1", 64);
	EXPECT("remote-accesses", "GASP_UPC_MEMPUT @a.upc:1", 1);
	return 0;
}
