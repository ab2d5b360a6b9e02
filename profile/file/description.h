/* SPDX-License-Identifier: BSD-3-Clause */
/* Descriptions of user events: printf formats that the program gives. Parsed here, and never passed to printf. */
#ifndef HEDDLE_PROFILE_DESCRIPTION_H
#define HEDDLE_PROFILE_DESCRIPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Large enough for any name: the measured process truncates longer ones. */
#define HEDDLE_NAME_LIMIT 1100

/*
 * Returns `name`, cut to `size`: the name of an argument (1, 2, ...), which is the words before its conversion ("step"
 * of "step=%d"), or "argument 2" without any. If printf would not accept the format, or not safely (%n, positions), the
 * name is the format itself, with the argument's number from the second argument on. Control characters become '?'. An
 * argument of an end event is "step at end". The string in the description of a string argument (format/ids.h) is left
 * out.
 */
char *profile_argument_name(char *name, size_t size, const char *description, uint32_t argument);

/* Returns the string that a distribution with that text counts; "": further strings; NULL: it is of numbers. */
const char *profile_argument_string(const char *description, bool *further);

#endif
