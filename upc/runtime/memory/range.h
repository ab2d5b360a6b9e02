/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether the memory that a pointer-to-shared refers to is inside of the segments. Context: any thread. */
#ifndef HEDDLE_UPC_RUNTIME_RANGE_H
#define HEDDLE_UPC_RUNTIME_RANGE_H

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/nodes.h"
#include "upc/runtime/events/site.h"

/* Returns true if all `size` bytes are inside of the segments. */
static inline bool hupc__in_range(upcrt_shared pointer, uint64_t size)
{
	uint64_t offset = UPCRT_OFFSET(pointer), end = hupc__control->segment_size;
	return UPCRT_THREAD(pointer) < (uint64_t)hupc__threads && offset >= HUPC__PAGE && offset <= end &&
	       size <= end - offset;
}

/* As hupc__in_range, for this thread's own segment. The offset may be any number: another process sent it. */
static inline bool hupc__in_own_range(uint64_t offset, uint64_t size)
{
	uint64_t end = hupc__control->segment_size;
	return offset >= HUPC__PAGE && offset <= end && size <= end - offset;
}

/* As hupc__in_range, and the memory is mapped in this process. */
static inline bool hupc__is_here(upcrt_shared pointer, uint64_t size)
{
	uint64_t offset = UPCRT_OFFSET(pointer), end = hupc__control->segment_size;
	return hupc__mapped[UPCRT_THREAD(pointer)] && offset >= HUPC__PAGE && offset <= end && size <= end - offset;
}

/* hupc__check_range ends the program with a message in the name of `what` if the memory is not in range. */
_Noreturn void hupc__out_of_range(const struct hupc__site *site, const char *what, upcrt_shared pointer, uint64_t size);

static inline void hupc__check_range(
	const struct hupc__site *site, const char *what, upcrt_shared pointer, uint64_t size)
{
	if (__builtin_expect(!hupc__in_range(pointer, size), 0) && size)
		hupc__out_of_range(site, what, pointer, size);
}

#endif
