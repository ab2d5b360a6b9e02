/* SPDX-License-Identifier: BSD-3-Clause */
/* Events that compiled code itself reports: direct accesses, upc_forall, functions (GASP 1.5, tables 1, 5 and 7). */
#include "upc/runtime/events/gasp.h"
#include "upc/runtime/events/site.h"

/* The site of an instrumented access; file and line are arguments of the call. */
static struct hupc__site site_of(const char *file, int line)
{
	return (struct hupc__site){.file = file, .line = line, .events = hupc__gasp_here()};
}

void __upcrt_get_start(upcrt_shared from, uint64_t size, void *local, int flags, const char *file, int line)
{
	struct hupc__site site = site_of(file, line);
	hupc__event(&site, GASP_UPC_GET, GASP_START, !(flags & UPCRT_ACCESS_STRICT), local, &from, (size_t)size);
}

void __upcrt_get_end(upcrt_shared from, uint64_t size, void *local, int flags, const char *file, int line)
{
	struct hupc__site site = site_of(file, line);
	hupc__event(&site, GASP_UPC_GET, GASP_END, !(flags & UPCRT_ACCESS_STRICT), local, &from, (size_t)size);
}

void __upcrt_put_start(upcrt_shared to, uint64_t size, void *local, int flags, const char *file, int line)
{
	struct hupc__site site = site_of(file, line);
	hupc__event(&site, GASP_UPC_PUT, GASP_START, !(flags & UPCRT_ACCESS_STRICT), &to, local, (size_t)size);
}

void __upcrt_put_end(upcrt_shared to, uint64_t size, void *local, int flags, const char *file, int line)
{
	struct hupc__site site = site_of(file, line);
	hupc__event(&site, GASP_UPC_PUT, GASP_END, !(flags & UPCRT_ACCESS_STRICT), &to, local, (size_t)size);
}

void __upcrt_forall_start(const char *file, int line)
{
	struct hupc__site site = site_of(file, line);
	hupc__event(&site, GASP_UPC_FORALL, GASP_START);
}

void __upcrt_forall_end(const char *file, int line)
{
	struct hupc__site site = site_of(file, line);
	hupc__event(&site, GASP_UPC_FORALL, GASP_END);
}

void __upcrt_function_start(const char *name, const char *file, int line)
{
	struct hupc__site site = site_of(file, line);
	hupc__event(&site, GASP_C_FUNC, GASP_START, name);
}

void __upcrt_function_end(const char *name, const char *file, int line)
{
	struct hupc__site site = site_of(file, line);
	hupc__event(&site, GASP_C_FUNC, GASP_END, name);
}
