/* SPDX-License-Identifier: BSD-3-Clause */
/* Small files below /proc and /sys, in which the kernel describes itself and the machine. */
#ifndef HEDDLE_CLI_SYSTEM_FILE_H
#define HEDDLE_CLI_SYSTEM_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* Reads the first line of `path`, cut at `size`; "" if it cannot be read. */
void heddle__first_line(const char *path, char *line, size_t size);

/* True if a line of `path` begins with `key` and contains `word`. */
bool heddle__file_says(const char *path, const char *key, const char *word);

#endif
