/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that is accessed in random order, such as what many streams need in turn. It has large pages if the kernel
 * provides them, because the processor's TLB has few entries.
 */
#ifndef HEDDLE_PROFILE_PAGES_H
#define HEDDLE_PROFILE_PAGES_H

#include <stddef.h>

/* Returns zeroed memory that begins at a page; NULL: no memory, or `bytes` is 0. */
void *profile_pages_map(size_t bytes);
/* NULL is allowed. */
void profile_pages_unmap(void *at, size_t bytes);

#endif
