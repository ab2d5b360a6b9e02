/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 10: reductions of every type, with size_t nelems and blk_size between the ints, and a function or NULL. */
#include "client.h"

static int add(int a, int b)
{
	return a + b;
}

int main(void)
{
	static const size_t sizes[] = {1, 1, sizeof(short), sizeof(short), sizeof(int), sizeof(int), sizeof(long),
		sizeof(long), sizeof(float), sizeof(double), sizeof(long double)};
	gasp_context_t context = init_upc();
	void *any = &context;
	size_t sum = 0;
	for (int type = GASP_UPC_REDUCTION_C; type <= GASP_UPC_REDUCTION_LD; type++) {
		void *function = type % 2 ? (void *)(uintptr_t)add : NULL;
		gasp_upc_reduction_t its = (gasp_upc_reduction_t)type;
		START(context, GASP_UPC_ALL_REDUCE, "a.upc", 1, 0, any, any, 1 << type, (size_t)1000, (size_t)10,
			function, 3, its);
		END(context, GASP_UPC_ALL_REDUCE, "a.upc", 1, 0, any, any, 1 << type, (size_t)1000, (size_t)10,
			function, 3, its);
		START(context, GASP_UPC_ALL_PREFIX_REDUCE, "a.upc", 10 + type, 0, any, any, -1, (size_t)1000, (size_t)0,
			function, 0, its);
		END(context, GASP_UPC_ALL_PREFIX_REDUCE, "a.upc", 10 + type, 0, any, any, -1, (size_t)1000, (size_t)0,
			function, 0, its);
		sum += 1000 * sizes[type];
		char path[64];
		snprintf(path, sizeof(path), "GASP_UPC_ALL_PREFIX_REDUCE @a.upc:%d", 10 + type);
		EXPECT_VALUES(path, 0, 1, 1000. * sizes[type], 1000. * sizes[type], 1000. * sizes[type]);
	}
	/* An undefined type. */
	START(context, GASP_UPC_ALL_REDUCE, "a.upc", 2, 0, any, any, 0, (size_t)9, (size_t)9, NULL, 0, -5);
	END(context, GASP_UPC_ALL_REDUCE, "a.upc", 2, 0, any, any, 0, (size_t)9, (size_t)9, NULL, 0, -5);
	EXPECT("visits", "GASP_UPC_ALL_REDUCE @a.upc:1", 11);
	EXPECT("visits", "GASP_UPC_ALL_REDUCE @a.upc:2", 1);
	EXPECT("bytes-put", "GASP_UPC_ALL_REDUCE @a.upc:1", sum);
	return 0;
}
