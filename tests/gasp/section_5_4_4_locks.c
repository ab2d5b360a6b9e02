/* SPDX-License-Identifier: BSD-3-Clause */
/* Table 6: locks. LOCK's time is waiting; LOCK_ATTEMPT's END has int result. */
#include "client.h"

int main(void)
{
	gasp_context_t context = init_upc();
	void *lock = &context;
	START(context, GASP_UPC_GLOBAL_LOCK_ALLOC, "a.upc", 1, 0);
	END(context, GASP_UPC_GLOBAL_LOCK_ALLOC, "a.upc", 1, 0, lock);
	START(context, GASP_UPC_ALL_LOCK_ALLOC, "a.upc", 2, 0);
	END(context, GASP_UPC_ALL_LOCK_ALLOC, "a.upc", 2, 0, lock);
	START(context, GASP_UPC_LOCK, "a.upc", 3, 0, lock);
	END(context, GASP_UPC_LOCK, "a.upc", 3, 0, lock);
	for (int result = 0; result < 2; result++) {
		START(context, GASP_UPC_LOCK_ATTEMPT, "a.upc", 4, 0, lock);
		END(context, GASP_UPC_LOCK_ATTEMPT, "a.upc", 4, 0, lock, result);
	}
	START(context, GASP_UPC_UNLOCK, "a.upc", 5, 0, lock);
	END(context, GASP_UPC_UNLOCK, "a.upc", 5, 0, lock);
	START(context, GASP_UPC_LOCK_FREE, "a.upc", 6, 0, lock);
	END(context, GASP_UPC_LOCK_FREE, "a.upc", 6, 0, lock);
	EXPECT("visits", "GASP_UPC_GLOBAL_LOCK_ALLOC @a.upc:1", 1);
	EXPECT("visits", "GASP_UPC_ALL_LOCK_ALLOC @a.upc:2", 1);
	EXPECT("visits", "GASP_UPC_LOCK @a.upc:3", 1);
	EXPECT("visits", "GASP_UPC_LOCK_ATTEMPT @a.upc:4", 2);
	EXPECT("visits", "GASP_UPC_UNLOCK @a.upc:5", 1);
	EXPECT("visits", "GASP_UPC_LOCK_FREE @a.upc:6", 1);
	EXPECT("visits", "*", 7);
	return 0;
}
