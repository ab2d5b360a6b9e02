/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the range of a place that an access belongs to. Compiled code's own range costs least: it is set to the part
 * of a static object that is accessed most. A range is only changed between the tool's `begin` and `end` for its count,
 * when the tool has added the accesses that were counted for the old range.
 */
#include "upc/runtime/move/counts.h"

#include <stddef.h>

#define WELL_USED 64 /* accesses that cost more than a change of the range */

_Static_assert(offsetof(struct upcrt_count, low) == sizeof(struct heddle_upc_count) &&
		       offsetof(struct upcrt_count, number) == offsetof(struct heddle_upc_count, number),
	"compiled code and the tool mean the same");

static const volatile uint64_t always;

static bool is_static(upcrt_shared pointer)
{
	return UPCRT_OFFSET(pointer) < hupc__control->global_heap.low;
}

/* Returns the further ranges of a count; NULL: no memory, or accesses are not counted by object. */
static struct hupc__ranges *ranges_of(struct upcrt_count *count)
{
	struct hupc__ranges *ranges = count->further;
	if (!hupc__counting->memory)
		return NULL;
	if (ranges && ranges->of == count)
		return ranges;
	ranges = hupc__counting->memory(sizeof(*ranges));
	if (ranges)
		ranges->of = count;
	count->further = ranges;
	return ranges;
}

/* Chooses a range to replace: one whose memory was freed, an unused one, or each in turn. */
static struct hupc__range *replaced(struct hupc__ranges *ranges, upcrt_shared pointer)
{
	struct hupc__range *unused = NULL;
	for (uint32_t i = 0; i < ranges->used; i++) {
		struct hupc__range *range = &ranges->range[i];
		if (pointer - range->low < range->size)
			return range;
		unused = range->size ? unused : range;
	}
	if (unused)
		return unused;
	if (ranges->used < HUPC__RANGES)
		return &ranges->range[ranges->used++];
	return &ranges->range[ranges->next++ % HUPC__RANGES];
}

/*
 * Returns true if the range of POINTER becomes that of compiled code. RANGE is that range, and has counted many
 * accesses; NULL: the range is new, and the program may no longer access the old one.
 */
static bool takes_own(const struct upcrt_count *count, struct hupc__ranges *ranges, const struct hupc__range *range)
{
	bool well_used = ranges->own_left - count->left >= WELL_USED;
	ranges->own_left = count->left;
	return !count->size || well_used == !range;
}

struct hupc__chosen hupc__choose_count(struct upcrt_count *count, upcrt_shared pointer, bool same_node)
{
	struct hupc__ranges *ranges = same_node ? ranges_of(count) : NULL;
	struct hupc__chosen chosen = {(struct heddle_upc_count *)count, NULL, false};
	upcrt_shared address = pointer & UPCRT_ADDRESS_MASK;
	if (!ranges || address - count->low < count->size)
		return chosen;
	struct hupc__range *range = hupc__find_range(ranges, address);
	chosen.is_new = !range;
	if (is_static(pointer) && takes_own(count, ranges, range)) {
		chosen.is_new = true;
		return chosen;
	}
	chosen.range = range ? range : replaced(ranges, address);
	chosen.count = &chosen.range->count;
	return chosen;
}

void hupc__leave_range(struct upcrt_count *count, struct hupc__chosen chosen)
{
	if (chosen.range)
		chosen.range->size = 0;
	else
		count->size = 0;
}

/* Sets compiled code's range: all of the node's memory, or RANGE, in the memory of the pointer's thread. */
static void set_own(struct upcrt_count *count, upcrt_shared pointer, const struct heddle_upc_range *range)
{
	struct hupc__ranges *ranges = count->further;
	bool whole = !range->high && (!ranges || count->left > 0);
	count->low = whole ? 0 - __upcrt_node_shift : UPCRT_POINTER(0, UPCRT_THREAD(pointer), range->low);
	count->size = whole ? __upcrt_node_size : range->now ? 0 : range->high - range->low;
	if (ranges)
		ranges->own_left = count->left;
}

void hupc__set_range(struct upcrt_count *count, struct hupc__chosen chosen, upcrt_shared pointer,
	const struct heddle_upc_range *range)
{
	struct hupc__range *further = chosen.range;
	if (further && !range->high && further->count.left > 0) {
		count->left = further->count.left; /* accesses are not measured, whatever memory they go to */
		further->count.left = 0;
		further->size = 0;
		further = NULL;
	}
	if (!further) {
		set_own(count, pointer, range);
		return;
	}
	further->low = UPCRT_POINTER(0, UPCRT_THREAD(pointer), range->low);
	further->size = range->high - range->low;
	further->now = range->now ? range->now : &always;
	further->version = range->now ? range->version : 0;
}
