/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Patterns for names of functions and files, used by the descriptors of models: a letter stands for itself, `*` for
 * any text, `#` for a digit, `{get,put}` for one of several texts (not nested). Shared by the measured process and the
 * reader, so it must not allocate, and must take bounded time: the reader's patterns come from files.
 */
#ifndef HEDDLE_FORMAT_PATTERN_H
#define HEDDLE_FORMAT_PATTERN_H

#include <stdbool.h>

#define HEDDLE_PATTERN_LIMIT 127 /* letters; longer patterns match no text */

/* True if the whole of `text` matches. Time: at most the product of the lengths. Context: any thread, signal. */
bool heddle__pattern_matches(const char *pattern, const char *text);

#endif
