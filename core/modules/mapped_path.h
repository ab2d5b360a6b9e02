/* SPDX-License-Identifier: BSD-3-Clause */
/* The file that an address of this process is mapped from, by the kernel's list. */
#ifndef HEDDLE_CORE_MAPPED_PATH_H
#define HEDDLE_CORE_MAPPED_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Writes the absolute path of the file mapped at `address` into `path` of `size` bytes. False, and `path` is undefined,
 * if there is none, if it does not fit, or without /proc. Takes tens of microseconds. Context: any thread, signal;
 * preserves errno.
 */
bool heddle__mapped_path(uintptr_t address, char *path, size_t size);

#endif
