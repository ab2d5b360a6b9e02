/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks up in /proc/self/maps which file an address of this process is mapped from. */
#ifndef HEDDLE_CORE_MAPPED_PATH_H
#define HEDDLE_CORE_MAPPED_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Writes the absolute path of the file mapped at `address` into `path` of `size` bytes. Returns false, with `path`
 * undefined, if there is no such file, if its path does not fit, or without /proc. Takes tens of microseconds. Context:
 * any thread, signal; preserves errno.
 */
bool heddle__mapped_path(uintptr_t address, char *path, size_t size);

#endif
