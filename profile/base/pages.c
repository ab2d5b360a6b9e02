/* SPDX-License-Identifier: BSD-3-Clause */
/* If the kernel has no large pages, the mapping has normal ones. */
#include "profile/base/pages.h"

#include <sys/mman.h>

void *profile_pages_map(size_t bytes)
{
	void *at = bytes ? mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
			 : MAP_FAILED;
	if (at == MAP_FAILED)
		return NULL;
	madvise(at, bytes, MADV_HUGEPAGE);
	return at;
}

void profile_pages_unmap(void *at, size_t bytes)
{
	if (at)
		munmap(at, bytes);
}
