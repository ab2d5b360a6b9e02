/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The address ranges of the loaded modules: published by the registry (module.c), searched in signal handlers. An
 * answer is validated against the dynamic linker and the memory itself, because a module may have been replaced by
 * another of the same size since the registry last looked.
 */
#ifndef HEDDLE_CORE_MODULE_RANGES_H
#define HEDDLE_CORE_MODULE_RANGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/modules/module.h"

/* ---- for all callers ---- */

/* True after a look-up of an address in an unknown module: a refresh is due. Context: any thread, signal. */
bool heddle__modules_stale(void);

/*
 * Copies the range that contains `address`. Returns false if no module is registered there (and then
 * heddle__modules_stale() becomes true if the dynamic linker has one). The answer is checked against the dynamic linker
 * and the build id in memory, so a module is not confused with a former one at the same address. `certain`: the address
 * is of code that runs or will be returned to, so its module cannot be unmapped meanwhile; otherwise the check costs a
 * system call. Lock-free, allocation-free, never faults. Context: any thread, signal.
 */
bool heddle__module_lookup(uintptr_t address, bool certain, struct heddle_module_range *range);

/* Address of .eh_frame_hdr at `address` according to the dynamic linker; 0: none. Context: any thread, signal. */
uintptr_t heddle__linker_eh_frame_hdr(uintptr_t address);

/* Returns the module of the code at `address`, looked up as `certain`, or NULL. Context: any thread, signal. */
struct heddle_module *heddle__module_find(uintptr_t address);

/*
 * The place of an address; if no module is registered there, module 0 and the address itself. Context: any thread,
 * signal.
 */
uint64_t heddle__place_of(uintptr_t address);

/* Changes with the list. While it is unchanged, places that were looked up are valid. Context: any thread, signal. */
extern _Atomic uint64_t heddle__ranges_version;

static inline uint64_t heddle__modules_version(void)
{
	return atomic_load_explicit(&heddle__ranges_version, memory_order_relaxed);
}

/* ---- for the registry ---- */

#define HEDDLE_RANGES_MAX 4096 /* modules loaded at the same time; further ones are not registered */

/*
 * Publishes `count` ranges, sorted by low and disjoint, for look-ups. Context: any thread, never a signal handler.
 * Locks: the registry's, held by the caller.
 */
void heddle__ranges_publish(const struct heddle_module_range *sorted, size_t count);

/* The ranges last published. Context and locks: as above. */
const struct heddle_module_range *heddle__ranges_published(size_t *count);

/* Undoes a publication that was interrupted in the parent. Context: the child's only thread, after a fork. */
void heddle__ranges_after_fork(void);

/* Set by look-ups that find an unregistered or replaced module, cleared by the registry. */
extern _Atomic bool heddle__ranges_stale;

#endif
