/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The modules (executable, shared libraries, vdso) of this process, and the translation of an address into a *place*
 * (format/ids.h), which stays valid after dlclose and if another library is loaded at the same address later.
 *
 * A module keeps its id until the process ends: the same file (path and build id) gets the same id when it is loaded
 * again, also at another address. So memory grows only with the number of different files.
 */
#ifndef HEDDLE_CORE_MODULE_H
#define HEDDLE_CORE_MODULE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Values of Module.role of the profile. */
enum heddle_module_role {
	HEDDLE_MODULE_OTHER,
	HEDDLE_MODULE_EXECUTABLE,
	HEDDLE_MODULE_HEDDLE,
	HEDDLE_MODULE_STORED_RUNTIME, /* in profiles only: stands for all values from RUNTIME on */
	HEDDLE_MODULE_LIBC,           /* libc, libpthread, the dynamic linker: they start threads and main */
	HEDDLE_MODULE_VDSO,
	/* Plus a model's number: module of its runtime, by its name (core/modules/model.h) or set by a front end. */
	HEDDLE_MODULE_RUNTIME = 16,
};

static inline bool heddle__is_runtime(uint8_t role)
{
	return role >= HEDDLE_MODULE_RUNTIME;
}

struct heddle_module {
	uint32_t id; /* 1, 2, ... */
	/* Values of the latest load; the next load of the file changes them, so handlers use heddle__module_lookup. */
	uintptr_t base;              /* load bias */
	uintptr_t low, high;         /* executable range, [low, high) */
	const uint8_t *eh_frame_hdr; /* NULL: none */
	uint8_t build_id[20];
	uint8_t build_id_size;
	_Atomic uint8_t role; /* enum heddle_module_role */
	_Atomic bool unloaded;
	void *_Atomic unwind; /* owned by sampling/: the table of this file; stays valid after dlclose */
	const char *path;     /* "[vdso]" for the kernel's */
};

/* The current load of a module; a copy, so it stays consistent when the module moves. */
struct heddle_module_range {
	uintptr_t low, high; /* executable addresses, [low, high) */
	uintptr_t base;      /* load bias of this load */
	uintptr_t eh_frame_hdr;
	uintptr_t build_id; /* address of the build id's bytes in memory, 0: none */
	struct heddle_module *module;
};

/*
 * Called for each module that is new or loaded again, inside dl_iterate_phdr (so dlclose cannot unmap it meanwhile).
 * May set module->unwind. Context: the thread that called heddle__modules_refresh.
 */
typedef void heddle_module_loaded(struct heddle_module *module);

/*
 * Sets the function to call for newly loaded modules (NULL: none) and calls it for those already registered. Context:
 * init. Returns 0, or -ENOMEM.
 */
int heddle__modules_init(heddle_module_loaded *loaded);

/*
 * Updates the list of modules. Takes some hundred ns if nothing was loaded or unloaded since the last call. Context:
 * any thread, never a signal handler. Locks: its own, and the loader's inside dl_iterate_phdr.
 */
void heddle__modules_refresh(void);

/*
 * Like heddle__modules_refresh(), for a signal handler in a process of one thread that was not interrupted in the C
 * library or the dynamic linker: so no thread holds their locks, and nothing is unloaded meanwhile. Returns false if
 * the registry or the dynamic linker was interrupted: try again later. Context: signal.
 */
bool heddle__modules_refresh_alone(void);

/* `role`: enum heddle_module_role, or HEDDLE_MODULE_RUNTIME + a model's number. Context: any thread. */
void heddle__module_set_role(struct heddle_module *module, unsigned int role);

/*
 * Enumerate all modules ever registered, by id, for the writer; ids of provisional modules (module_provisional.h) are
 * valid, too. Context: any thread, signal.
 */
uint32_t heddle__modules_count(void);
const struct heddle_module *heddle__module_by_id(uint32_t id);

/*
 * Prevents refreshes until heddle__modules_after_fork_parent, which must be called if this returns true. Otherwise the
 * dynamic linker's lock could stay held in the child forever, by a thread that does not exist there. Context: before
 * fork.
 */
bool heddle__modules_before_fork(void);
void heddle__modules_after_fork_parent(void);

/* In the child, before anything else of this file. Context: the child's only thread. */
void heddle__modules_after_fork(void);

#endif
