/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The modules (executable, shared libraries, vdso) of this process, and the translation of an address into a *place*
 * (format/ids.h) that stays true after dlclose, or when another library is loaded at the same address later.
 *
 * A module keeps its id for ever: the same file (path and build id) loaded again, at another address too, gets the id
 * it had. So memory grows with the number of different files only.
 */
#ifndef HEDDLE_CORE_MODULE_H
#define HEDDLE_CORE_MODULE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As in Module.role of the profile. */
enum heddle_module_role {
	HEDDLE_MODULE_OTHER,
	HEDDLE_MODULE_EXECUTABLE,
	HEDDLE_MODULE_HEDDLE,
	HEDDLE_MODULE_OPENMP, /* set by heddle__module_set_role; libomp, libgomp and the like by name at loading */
	HEDDLE_MODULE_LIBC,   /* libc, libpthread, the dynamic linker: where threads and main are started from */
	HEDDLE_MODULE_VDSO,
};

struct heddle_module {
	uint32_t id; /* 1, 2, ... */
	/* Of the latest load; they change when the file is loaded again: in a signal handler use heddle__module_lookup.
	 */
	uintptr_t base;              /* load bias */
	uintptr_t low, high;         /* its executable range, [low, high) */
	const uint8_t *eh_frame_hdr; /* NULL: none */
	uint8_t build_id[20];
	uint8_t build_id_size;
	_Atomic uint8_t role; /* enum heddle_module_role */
	_Atomic bool unloaded;
	void *_Atomic unwind; /* owned by sampling/: its table for this file; survives dlclose */
	const char *path;     /* "[vdso]" for the kernel's */
};

/* Where a module is loaded now; a copy, so it stays whole when the module moves. */
struct heddle_module_range {
	uintptr_t low, high; /* its executable addresses, [low, high) */
	uintptr_t base;      /* load bias of this load */
	uintptr_t eh_frame_hdr;
	uintptr_t build_id; /* where the build id's bytes are in memory, 0: none */
	struct heddle_module *module;
};

/*
 * Called for each module that became known or came back, inside dl_iterate_phdr (so dlclose can't unmap it meanwhile).
 * May set module->unwind. Context: the thread that called heddle__modules_refresh.
 */
typedef void heddle_module_loaded(struct heddle_module *module);

/*
 * Set the function to call for newly loaded modules (NULL: none) and call it for those already known.
 * Context: init. Returns 0, or -ENOMEM.
 */
int heddle__modules_init(heddle_module_loaded *loaded);

/*
 * Bring the list up to date; cheap (some hundred ns) when nothing was loaded or unloaded since.
 * Context: any thread, never a signal handler. Locks: its own, and the loader's inside dl_iterate_phdr.
 */
void heddle__modules_refresh(void);

/* True when somebody met an address of a module not yet known: a refresh is due. Context: any, signal. */
bool heddle__modules_stale(void);

/*
 * The range that holds `address`, as a copy; false when no module is known there (and then heddle__modules_stale()
 * becomes true if the dynamic linker knows that address). The answer is checked against the dynamic linker and the
 * build id in memory: a module that replaced another at the same address is not taken for it. `certain`: the address is
 * of code that runs or will be returned to, so its module can't be unmapped meanwhile; else the check costs a system
 * call. Lock-free, allocation-free, never faults. Context: any thread, signal.
 */
bool heddle__module_lookup(uintptr_t address, bool certain, struct heddle_module_range *range);

/* .eh_frame_hdr of the module at `address` as the dynamic linker knows it, 0: none. Context: any thread, signal. */
uintptr_t heddle__linker_eh_frame_hdr(uintptr_t address);

/* The module that holds the code `address` (which is certain, as above), or NULL. Context: any thread, signal. */
struct heddle_module *heddle__module_find(uintptr_t address);

/* The place of an address; module 0 and the address itself when no module is known there. Context: any thread, signal.
 */
uint64_t heddle__place_of(uintptr_t address);

/* Changes with the list: places that were looked up before still hold while it is the same. Context: any, signal. */
extern _Atomic uint64_t heddle__ranges_version; /* module_ranges.c's */

static inline uint64_t heddle__modules_version(void)
{
	return atomic_load_explicit(&heddle__ranges_version, memory_order_relaxed);
}

/* Context: any thread. */
void heddle__module_set_role(struct heddle_module *module, enum heddle_module_role role);

/*
 * Walk all modules that the registry ever entered, by id, for the writer; sightings (module_sighting.h) can be asked
 * for by id too. Context: any thread, signal. */
uint32_t heddle__modules_count(void);
const struct heddle_module *heddle__module_by_id(uint32_t id);

/* In the child, before anything else of this file. Context: the child's only thread. */
void heddle__modules_after_fork(void);

#endif
