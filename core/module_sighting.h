/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Modules that a sample meets before the registry has looked: loaded a moment ago, maybe gone in the next. The dynamic
 * linker tells where they are, the kernel reads their headers for us, so that nothing here can fault.
 */
#ifndef HEDDLE_CORE_MODULE_SIGHTING_H
#define HEDDLE_CORE_MODULE_SIGHTING_H

#include "core/module.h"

#define HEDDLE_FIRST_SIGHTING 0xf000u /* ids from here on are sightings', below it the registry's */

/*
 * The module at `address`: the registry's, when it knows the file (by path and build id) from an earlier load, else a
 * sighting with an id of its own. False when the dynamic linker knows none there, or memory is short. Some us.
 * Context: any thread, signal.
 */
bool heddle__module_sight(uintptr_t address, struct heddle_module_range *range);

/* Sightings so far, and the one with that number (NULL while it is being made). Context: any thread, signal. */
uint32_t heddle__sightings(void);
const struct heddle_module *heddle__sighting(uint32_t number);

#endif
