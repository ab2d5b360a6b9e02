/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 7: GET and PUT of all widths, with is_relaxed zero or nonzero. */
#include "bridge.h"

int main(void)
{
	static const size_t widths[] = {1, 2, 4, 8, 16, 4096, 1u << 20};
	gasp_context_t context = init_upc();
	bridge_mythread = 2;
	size_t sum = 0;
	char local[16];
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		for (int relaxed = -1; relaxed < 2; relaxed++) {
			void *shared = SHARED_POINTER(i % 4), *memory = local;
			START(context, GASP_UPC_GET, "a.upc", 1, 0, relaxed, memory, shared, widths[i]);
			END(context, GASP_UPC_GET, "a.upc", 1, 0, relaxed, memory, shared, widths[i]);
			START(context, GASP_UPC_PUT, "a.upc", 2, 0, relaxed, shared, memory, widths[i]);
			END(context, GASP_UPC_PUT, "a.upc", 2, 0, relaxed, shared, memory, widths[i]);
			sum += widths[i];
		}
	}
	EXPECT("visits", "GASP_UPC_GET @a.upc:1", 21);
	EXPECT("visits", "GASP_UPC_PUT @a.upc:2", 21);
	EXPECT("bytes-got", "*", sum);
	EXPECT("bytes-got", "GASP_UPC_GET @a.upc:1", sum);
	EXPECT("bytes-put", "*", sum);
	EXPECT("bytes-put", "GASP_UPC_PUT @a.upc:2", sum);
	EXPECT_VALUES("GASP_UPC_GET @a.upc:1", 0, 21, 1, 1u << 20, sum);
	EXPECT("local-accesses", "GASP_UPC_GET @a.upc:1", 6); /* widths 4 and 1 MB are on thread 2 */
	EXPECT("remote-accesses", "GASP_UPC_GET @a.upc:1", 15);
	EXPECT("remote-bytes", "GASP_UPC_GET @a.upc:1", sum - 3 * (4 + (1u << 20)));
	return 0;
}
