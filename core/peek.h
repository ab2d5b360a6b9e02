/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading memory of this process that may be unmapped at any time, without faulting. */
#ifndef HEDDLE_CORE_PEEK_H
#define HEDDLE_CORE_PEEK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Copy `size` bytes at `address` to `to`; false when not all of them are readable. A system call: some hundred ns.
 * Context: any thread, signal; keeps errno.
 */
bool heddle__peek(uintptr_t address, void *to, size_t size);

/* The same, but a part may be copied: returns the number of bytes. Context: any thread, signal; keeps errno. */
size_t heddle__peek_some(uintptr_t address, void *to, size_t size);

#endif
