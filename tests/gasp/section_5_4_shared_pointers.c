/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "The content of any gasp_upc_PTS_t or gasp_upc_lock_t location passed to an event is only guaranteed to remain valid
 * for the duration of the gasp_event_notify call, and must not be modified by the tool": each is in a read-only page,
 * which is unmapped after the call. Without a bridge, they are never dereferenced, so they may be anything.
 */
#include "bridge.h"

#include <sys/mman.h>

static void *page;

static void *lent(void)
{
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	memcpy(page, SHARED_POINTER(2), sizeof(struct shared_pointer));
	mprotect(page, 4096, PROT_READ);
	return page;
}

static void taken_back(void)
{
	munmap(page, 4096);
}

int main(void)
{
	static const unsigned int pairs[] = {GASP_UPC_FREE, GASP_UPC_LOCK_FREE, GASP_UPC_LOCK, GASP_UPC_UNLOCK};
	gasp_context_t context = init_upc();
	int local = 0;
	for (int type = GASP_START; type <= GASP_END; type++) {
		for (int i = 0; i < 4; i++) {
			gasp_event_notify(context, pairs[i], (gasp_evttype_t)type, "a.upc", 1, 0, lent());
			taken_back();
		}
		gasp_event_notify(
			context, GASP_UPC_MEMGET, (gasp_evttype_t)type, "a.upc", 2, 0, &local, lent(), (size_t)8);
		taken_back();
		gasp_event_notify(
			context, GASP_UPC_MEMPUT, (gasp_evttype_t)type, "a.upc", 3, 0, lent(), &local, (size_t)8);
		taken_back();
		gasp_event_notify(context, GASP_UPC_ALL_BROADCAST, (gasp_evttype_t)type, "a.upc", 4, 0, lent(), page,
			(size_t)8, 0);
		taken_back();
	}
	REQUIRE(bridge_bad_pointers == 0);
	EXPECT("visits", "GASP*", 7);
	return 0;
}
