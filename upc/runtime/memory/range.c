/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "upc/runtime/memory/range.h"

#include "upc/runtime/end/fatal.h"

void hupc__out_of_range(const struct hupc__site *site, const char *what, upcrt_shared pointer, uint64_t size)
{
	if (!UPCRT_OFFSET(pointer))
		hupc__fatal(site, "%s with a null pointer-to-shared", what);
	if (UPCRT_THREAD(pointer) >= (uint64_t)hupc__threads)
		hupc__fatal(site, "%s with a pointer-to-shared to thread %u, but the threads are 0 to %d", what,
			(unsigned int)UPCRT_THREAD(pointer), hupc__threads - 1);
	hupc__fatal(site, "%s out of range: %lu bytes at address field 0x%lx of thread %u", what, (unsigned long)size,
		(unsigned long)UPCRT_OFFSET(pointer), (unsigned int)UPCRT_THREAD(pointer));
}
