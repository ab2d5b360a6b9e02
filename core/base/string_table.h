/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The string table of the profile: texts that a program passes (names of phases, functions, files), each stored once
 * and known by its number. Strings are never removed.
 */
#ifndef HEDDLE_CORE_STRING_TABLE_H
#define HEDDLE_CORE_STRING_TABLE_H

#include <stdint.h>

/*
 * Returns the number of `text`, which is added if necessary, or UINT32_MAX if there is no room. Only the first 1,000
 * bytes of a text are stored and compared. Context: any thread, signal.
 */
uint32_t heddle__string_number(const char *text);

/* Returns the number of `text`, or UINT32_MAX if it was not added. Context: any thread, signal. */
uint32_t heddle__string_known(const char *text);

/* The number of strings. Context: any thread, signal. */
uint32_t heddle__string_count(void);

/* The string with that number; "" if there is none. Context: any thread, signal. */
const char *heddle__string(uint32_t number);

#endif
