/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses that are counted by the object that they go to (heddle/upc_bridge.h). Compiled code itself counts those to
 * one range of memory, which is part of a static object, because it does not test whether the range is valid. For other
 * accesses it calls the runtime, which has further ranges for each place. Context of all: the accessing thread.
 */
#ifndef HEDDLE_UPC_RUNTIME_COUNTS_H
#define HEDDLE_UPC_RUNTIME_COUNTS_H

#include <heddle/upc_bridge.h>

#include "upc/runtime/base/control.h"

#define HUPC__RANGES 8

/* Part of an object, with one owner. */
struct hupc__range {
	struct heddle_upc_count count;
	uint64_t low, size; /* as in struct upcrt_count; size 0: unused */
	const volatile uint64_t *now;
	uint64_t version; /* the range is valid while *now has this value */
};

/* The counts of a place and thread, in memory of the tool. */
struct hupc__ranges {
	const struct upcrt_count *of; /* that count; another: the tool has given the memory to a new thread */
	int32_t own_left;             /* `left` of that count when its range was last chosen */
	uint32_t used, next;          /* `next`: the range to replace next */
	struct hupc__range range[HUPC__RANGES];
};

/* The count and range for an access that is reported. */
struct hupc__chosen {
	struct heddle_upc_count *count;
	struct hupc__range *range; /* NULL: the range of compiled code */
	bool is_new;               /* the count will get another range */
};

/* The valid range that contains the pointer, which has no phase; NULL: none. */
static inline struct hupc__range *hupc__find_range(struct hupc__ranges *ranges, upcrt_shared pointer)
{
	const struct hupc__range *end = ranges->range + ranges->used;
	for (struct hupc__range *range = ranges->range; range < end; range++)
		if (pointer - range->low < range->size && *range->now == range->version)
			return range;
	return NULL;
}

/*
 * Counts an access for which compiled code has decremented COUNT and called. Returns false if the access must be
 * reported; the decrement then remains.
 */
static inline bool hupc__count_further(struct upcrt_count *count, upcrt_shared pointer)
{
	struct hupc__ranges *ranges = count->further;
	if (!ranges || ranges->of != count)
		return false;
	struct hupc__range *range = hupc__find_range(ranges, pointer & UPCRT_ADDRESS_MASK);
	if (!range)
		return false;
	if (__builtin_expect(--range->count.left < 0, 0)) {
		range->count.left++;
		return false;
	}
	count->left++;
	return true;
}

/* Called before an access is reported: chooses the count for it. COUNT: that of the access's place. */
struct hupc__chosen hupc__choose_count(struct upcrt_count *count, upcrt_shared pointer, bool same_node);

/* Called when the tool has added what was counted: stops counting in the old range until the new one is set. */
void hupc__leave_range(struct upcrt_count *count, struct hupc__chosen chosen);

/* Called after hupc__leave_range: sets the range in which the tool wants accesses to be counted from now on. */
void hupc__set_range(struct upcrt_count *count, struct hupc__chosen chosen, upcrt_shared pointer,
	const struct heddle_upc_range *range);

#endif
