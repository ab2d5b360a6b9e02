/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads memory of this process that may be unmapped at any time, without faulting. */
#ifndef HEDDLE_CORE_PEEK_H
#define HEDDLE_CORE_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Copies `size` bytes at `address` to `to`. Returns false if not all of them are readable. Makes a system call, which
 * takes some hundred ns. Context: any thread, signal; preserves errno.
 */
bool heddle__peek(uintptr_t address, void *to, size_t size);

/* Like heddle__peek(), but may copy a part; returns its size. Context: any thread, signal; preserves errno. */
size_t heddle__peek_some(uintptr_t address, void *to, size_t size);

#endif
