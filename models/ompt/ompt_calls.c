/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table of code ranges, filled before the runtime's threads begin. Lock routines are not in it: events report their
 * waits.
 */
#include "models/ompt/ompt_calls.h"

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>

static const char *const names[] = {"get_wtime", "get_wtick", "get_thread_num", "get_num_threads", "get_max_threads",
	"get_num_procs", "in_parallel", "get_dynamic", "get_nested", "get_schedule", "get_thread_limit",
	"get_supported_active_levels", "get_max_active_levels", "get_level", "get_ancestor_thread_num", "get_team_size",
	"get_active_level", "in_final", "get_cancellation", "get_proc_bind", "get_num_places", "get_place_num_procs",
	"get_place_proc_ids", "get_place_num", "get_partition_num_places", "get_partition_place_nums",
	"get_default_device", "get_num_devices", "get_device_num", "get_initial_device", "is_initial_device",
	"get_num_teams", "get_team_num", "get_max_teams", "get_teams_thread_limit", "get_max_task_priority",
	"get_affinity_format", "set_affinity_format", "display_affinity", "capture_affinity", "display_env",
	"set_num_threads", "set_dynamic", "set_nested", "set_schedule", "set_max_active_levels", "set_default_device",
	"alloc", "calloc", "realloc", "aligned_alloc", "aligned_calloc", "free"};
#define COUNT (sizeof(names) / sizeof(names[0]))

/* The address ranges of each routine: one for C, one for Fortran. */
static struct range {
	_Atomic uintptr_t low, size;
} ranges[COUNT][2];

static void know(struct range *range, void *library, const char *format, const char *name)
{
	char whole[64];
	snprintf(whole, sizeof(whole), format, name);
	void *function = dlsym(library, whole);
	const ElfW(Sym) *symbol = NULL;
	Dl_info info;
	if (!function || !dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
		return;
	atomic_store(&range->size, 0);
	atomic_store(&range->low, (uintptr_t)function);
	atomic_store(&range->size, symbol->st_size);
}

void heddle__ompt_know_calls(void *library)
{
	for (size_t i = 0; i < COUNT; i++) {
		know(&ranges[i][0], library ? library : RTLD_DEFAULT, "omp_%s", names[i]);
		know(&ranges[i][1], library ? library : RTLD_DEFAULT, "omp_%s_", names[i]);
	}
}

bool heddle__ompt_is_call(uintptr_t address)
{
	for (size_t i = 0; i < COUNT; i++) {
		for (int k = 0; k < 2; k++) {
			uintptr_t size = atomic_load_explicit(&ranges[i][k].size, memory_order_relaxed);
			if (address - atomic_load_explicit(&ranges[i][k].low, memory_order_relaxed) < size)
				return true;
		}
	}
	return false;
}
