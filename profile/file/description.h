/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Descriptions of user events: printf formats given by the program. They are parsed here, and never passed to printf.
 */
#ifndef HEDDLE_PROFILE_DESCRIPTION_H
#define HEDDLE_PROFILE_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Large enough for any name; the measured process cuts longer ones. */
#define HEDDLE_NAME_LIMIT 1100

/*
 * What an argument (1, 2, ...) is called: the words before its conversion ("step" of "step=%d"), "argument 2" without
 * any. A format that printf would not take, or not safely (%n, positions), is its own name, raw (with the argument's
 * number, from the second). Returns `name`, cut to `size`; control characters become '?'. "step at end": of an End. The
 * string in the description of a string argument (format/ids.h) is left out.
 */
char *profile_argument_name(char *name, size_t size, const char *description, uint32_t argument);

/* The string that a distribution with that text counts; "": further strings; NULL: numbers. */
const char *profile_argument_string(const char *description, bool *further);

#endif
