/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory that is read in no order, such as what many streams need in turn: in large pages, if the kernel has them, as
 * the processor's table of pages has few entries.
 */
#ifndef HEDDLE_PROFILE_PAGES_H
#define HEDDLE_PROFILE_PAGES_H

#include <stddef.h>

/* Zeroed; begins at a page. NULL: no memory, or no bytes. */
void *profile_pages_map(size_t bytes);
/* NULL is allowed. */
void profile_pages_unmap(void *at, size_t bytes);

#endif
