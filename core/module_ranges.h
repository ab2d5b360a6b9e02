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

#include "core/module.h"

#define HEDDLE_RANGES_MAX 4096 /* modules loaded at one time; more stay unknown */

/*
 * Make `count` ranges, sorted by low and disjoint, the ones that are searched.
 * Context: any thread, never a signal handler. Locks: the registry's, held by the caller.
 */
void heddle__ranges_publish(const struct heddle_module_range *sorted, size_t count);

/* The ranges last published. Context and locks: as above. */
const struct heddle_module_range *heddle__ranges_published(size_t *count);

/* An interrupted publication of the parent is undone. Context: the child's only thread. */
void heddle__ranges_after_fork(void);

/* Set by look-ups that met an unknown or replaced module, cleared by the registry. */
extern _Atomic bool heddle__ranges_stale;

#endif
