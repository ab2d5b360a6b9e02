/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses that are counted by the object that they go to (heddle/upc_bridge.h). Compiled code counts those to one
 * range of memory by itself, which is part of a static object: it does not test whether the range is valid. For others,
 * which it calls for, a place has further ranges. Context of all: the accessing thread.
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
	uint64_t version; /* the range is valid while *now is that */
};

/* The counts of a place and thread, in the tool's memory. */
struct hupc__ranges {
	const struct upcrt_count *of; /* another one's: the tool has given the memory to a new thread */
	int32_t own_left;             /* `left` of that when its range was last chosen */
	uint32_t used, next;          /* `next` is replaced next */
	struct hupc__range range[HUPC__RANGES];
};

/* What an access that is reported is counted by. */
struct hupc__chosen {
	struct heddle_upc_count *count;
	struct hupc__range *range; /* NULL: the range of compiled code */
	bool is_new;               /* it will have another range */
};

/* The valid range of the pointer, without its phase; NULL: none. */
static inline struct hupc__range *hupc__find_range(struct hupc__ranges *ranges, upcrt_shared pointer)
{
	const struct hupc__range *end = ranges->range + ranges->used;
	for (struct hupc__range *range = ranges->range; range < end; range++)
		if (pointer - range->low < range->size && *range->now == range->version)
			return range;
	return NULL;
}

/*
 * Counts an access for which compiled code has decremented COUNT and called. False: it is to be reported, and the
 * decrement stays.
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

/* Before an access is reported, whose place has that count. */
struct hupc__chosen hupc__choose_count(struct upcrt_count *count, upcrt_shared pointer, bool same_node);

/* The tool has added what was counted: nothing is, in the old range, until the new one is set. */
void hupc__leave_range(struct upcrt_count *count, struct hupc__chosen chosen);

/* After it: what is counted from now on, as the tool says. */
void hupc__set_range(struct upcrt_count *count, struct hupc__chosen chosen, upcrt_shared pointer,
	const struct heddle_upc_range *range);

#endif
