/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads memory of this process that may be unmapped at any time, without faulting. */
#ifndef HEDDLE_CORE_PEEK_H
#define HEDDLE_CORE_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Copies `size` bytes at `address` to `to`; false if not all of them are readable. A system call: some hundred ns.
 * Context: any thread, signal; preserves errno.
 */
bool heddle__peek(uintptr_t address, void *to, size_t size);

/* The same, but may copy a part: returns the number of bytes. Context: any thread, signal; preserves errno. */
size_t heddle__peek_some(uintptr_t address, void *to, size_t size);

#endif
