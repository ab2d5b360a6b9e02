/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every event of tables 1 to 10, as START, END and ATOMIC, with arguments whose bits are all set: each is measured
 * under its own name, no name is generated, and no event affects another.
 */
#include "client.h"

#define NAMES(X)                      \
	X(GASP_C_MALLOC)              \
	X(GASP_C_REALLOC)             \
	X(GASP_C_FREE)                \
	X(GASP_UPC_NOTIFY)            \
	X(GASP_UPC_WAIT)              \
	X(GASP_UPC_BARRIER)           \
	X(GASP_UPC_FENCE)             \
	X(GASP_UPC_FORALL)            \
	X(GASP_UPC_GLOBAL_ALLOC)      \
	X(GASP_UPC_ALL_ALLOC)         \
	X(GASP_UPC_ALLOC)             \
	X(GASP_UPC_FREE)              \
	X(GASP_UPC_GLOBAL_LOCK_ALLOC) \
	X(GASP_UPC_ALL_LOCK_ALLOC)    \
	X(GASP_UPC_LOCK_FREE)         \
	X(GASP_UPC_LOCK)              \
	X(GASP_UPC_LOCK_ATTEMPT)      \
	X(GASP_UPC_UNLOCK)            \
	X(GASP_UPC_MEMCPY)            \
	X(GASP_UPC_MEMGET)            \
	X(GASP_UPC_MEMPUT)            \
	X(GASP_UPC_MEMSET)            \
	X(GASP_UPC_GET)               \
	X(GASP_UPC_PUT)               \
	X(GASP_UPC_NB_GET_INIT)       \
	X(GASP_UPC_NB_PUT_INIT)       \
	X(GASP_UPC_NB_SYNC)           \
	X(GASP_UPC_CACHE_MISS)        \
	X(GASP_UPC_CACHE_HIT)         \
	X(GASP_UPC_CACHE_INVALIDATE)  \
	X(GASP_UPC_ALL_BROADCAST)     \
	X(GASP_UPC_ALL_SCATTER)       \
	X(GASP_UPC_ALL_GATHER)        \
	X(GASP_UPC_ALL_GATHER_ALL)    \
	X(GASP_UPC_ALL_EXCHANGE)      \
	X(GASP_UPC_ALL_PERMUTE)       \
	X(GASP_UPC_ALL_REDUCE)        \
	X(GASP_UPC_ALL_PREFIX_REDUCE)

static const struct {
	const char *name;
	unsigned int number;
} events[] = {
#define X(name) {#name, name},
	NAMES(X)
#undef X
};

#define ALL_ONES (void *)-1, (void *)-1, (void *)-1, (void *)-1, (void *)-1, (void *)-1, (void *)-1, (void *)-1

int main(void)
{
	gasp_context_t context = init_upc();
	int count = sizeof(events) / sizeof(events[0]);
	char path[128];
	START(context, GASP_C_FUNC, "a.upc", 1, 0, "all of them");
	for (int i = 0; i < count; i++) {
		START(context, events[i].number, "a.upc", 1000 + i, 0, ALL_ONES);
		END(context, events[i].number, "a.upc", 1000 + i, 0, ALL_ONES);
		ATOMIC(context, events[i].number, "a.upc", 2000 + i, 0, ALL_ONES);
		snprintf(path, sizeof(path), "all of them;%s @a.upc:%d", events[i].name, 1000 + i);
		EXPECT("visits", path, 1);
		snprintf(path, sizeof(path), "all of them;%s @a.upc:%d", events[i].name, 2000 + i);
		EXPECT("visits", path, 1);
	}
	END(context, GASP_C_FUNC, "a.upc", 1, 0, "all of them");
	EXPECT("visits", "*", 1 + 2 * count);
	EXPECT_GENERATED("*", 0);
	return 0;
}
