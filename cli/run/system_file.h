/* SPDX-License-Identifier: BSD-3-Clause */
/* Small files below /proc and /sys, in which the kernel describes itself and the machine. */
#ifndef HEDDLE_CLI_SYSTEM_FILE_H
#define HEDDLE_CLI_SYSTEM_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* The first line of `path`, cut at `size`; "" when it can't be read. */
void heddle__first_line(const char *path, char *line, size_t size);

/* Returns true if a line of `path` begins with `key` and holds `word`. */
bool heddle__file_says(const char *path, const char *key, const char *word);

#endif
