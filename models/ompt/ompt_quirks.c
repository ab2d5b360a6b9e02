/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LLVM 14 and 16 report omp_test_lock and omp_test_nest_lock with the kinds of a lock and a nest lock. A failed test
 * has no further event, so a test must be distinguished from a wait, by the runtime function that sends the event.
 * GCC's `sections` are reported with the kind of a loop.
 */
#include "models/ompt/ompt_quirks.h"

#include <dlfcn.h>
#include <link.h>
#include <stddef.h>

#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "models/ompt/ompt_calls.h"

struct heddle_ompt_function heddle__ompt_test_lock, heddle__ompt_test_nest_lock;
static uint64_t sections_low, sections_high; /* places of the function that begins GCC's `sections` */

/* Returns the code range of a function that the runtime exports; empty: no function of that name. */
static struct heddle_ompt_function function_range(void *runtime, const char *name)
{
	void *function = runtime ? dlsym(runtime, name) : NULL;
	const ElfW(Sym) *symbol = NULL;
	Dl_info info;
	if (!function || !dladdr1(function, &info, (void **)&symbol, RTLD_DL_SYMENT) || !symbol)
		return (struct heddle_ompt_function){0, 0};
	return (struct heddle_ompt_function){(uintptr_t)function, symbol->st_size};
}

void heddle__ompt_know_runtime(ompt_function_lookup_t lookup)
{
	Dl_info info;
	if (!dladdr((void *)(uintptr_t)lookup, &info) || !info.dli_fname)
		return;
	void *runtime = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	heddle__ompt_test_lock = function_range(runtime, "__kmpc_test_lock");
	heddle__ompt_test_nest_lock = function_range(runtime, "__kmpc_test_nest_lock");
	struct heddle_ompt_function sections = function_range(runtime, "GOMP_sections_start");
	sections_low = sections.size ? heddle__place_of(sections.low) : 0;
	sections_high = sections_low + sections.size;
	if (runtime)
		heddle__ompt_know_calls(runtime);
	if (runtime)
		dlclose(runtime);
}

bool heddle__ompt_begins_sections(uint64_t place)
{
	return place >= sections_low && place < sections_high;
}
