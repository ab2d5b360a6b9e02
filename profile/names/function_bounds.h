/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bounds of the functions of a stripped file: .eh_frame has them for each function that can be unwound, and `strip`
 * keeps that section.
 */
#ifndef HEDDLE_PROFILE_FUNCTION_BOUNDS_H
#define HEDDLE_PROFILE_FUNCTION_BOUNDS_H

#include <libelf.h>
#include <stddef.h>
#include <stdint.h>

struct profile_function_range {
	uint64_t low, high; /* [low, high): addresses as the file has them */
};

struct profile_function_bounds {
	struct profile_function_range *at; /* ascending */
	size_t count, capacity;
};

/* Reads what can be read: a damaged section ends the list. Returns 0 or -ENOMEM; close the list in any case. */
int profile_function_bounds_open(struct profile_function_bounds *bounds, Elf *elf);
void profile_function_bounds_close(struct profile_function_bounds *bounds);

/* Returns the function that an address belongs to; NULL: unknown. */
const struct profile_function_range *profile_function_bounds_find(
	const struct profile_function_bounds *bounds, uint64_t address);

#endif
