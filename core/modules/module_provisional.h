/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Modules that samples find before the registry's next refresh: just loaded, perhaps soon unloaded. Their addresses
 * come from the dynamic linker, and the kernel copies their headers, so nothing in this file can fault.
 */
#ifndef HEDDLE_CORE_MODULE_PROVISIONAL_H
#define HEDDLE_CORE_MODULE_PROVISIONAL_H

#include "core/modules/module.h"

#define HEDDLE_FIRST_PROVISIONAL 0xf000u /* provisional modules have this id or higher ones */

/*
 * Finds the module at `address`: the registry's, if the file (path and build id) is registered from an earlier load,
 * else a provisional one with its own id. Returns false if the dynamic linker has none there, or without memory. Takes
 * some microseconds. Context: any thread, signal.
 */
bool heddle__module_find_provisional(uintptr_t address, struct heddle_module_range *range);

/* The number of provisional modules, and one by number (NULL while it is created). Context: any thread, signal. */
uint32_t heddle__provisional_count(void);
const struct heddle_module *heddle__provisional_module(uint32_t number);

#endif
