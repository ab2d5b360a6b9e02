/* SPDX-License-Identifier: BSD-3-Clause */
/* The call site of a call into the run-time system. */
#include "upc/runtime/events/site.h"

#include <limits.h>
#include <string.h>

#include "upc/runtime/events/gasp.h"

_Thread_local struct upcrt_site __upcrt_site;

/* Defined by the linker: the bounds of the program's own file. */
extern const char __executable_start[], _end[];

struct hupc__site hupc__site_take_instrumented(void)
{
	struct hupc__site site = {
		__upcrt_site.file, __upcrt_site.line, hupc__gasp_here(), __upcrt_site.call, __upcrt_site.calls};
	__upcrt_site.file = NULL;
	__upcrt_site.call = __upcrt_site.calls = 0;
	return site;
}

struct hupc__site hupc__site_take_statement(const char *file, int line)
{
	struct hupc__site site = hupc__site_take();
	if (!site.events) {
		site.file = file;
		site.line = line;
	}
	return site;
}

struct hupc__shared_place hupc__place_share(const struct hupc__site *site)
{
	struct hupc__shared_place place = {0, site->line, site->call, site->calls};
	if (site->file >= __executable_start && site->file < _end)
		place.file = site->file - __executable_start;
	return place;
}

struct hupc__site hupc__place_read(const struct hupc__shared_place *place)
{
	const char *file = NULL;
	if (place->file > 0 && place->file < _end - __executable_start)
		file = __executable_start + place->file;
	if (file && !memchr(file, '\0', _end - file < PATH_MAX ? (size_t)(_end - file) : PATH_MAX))
		file = NULL; /* another process sent the place, and it is not a valid name */
	return (struct hupc__site){file, place->line, false, place->call, place->calls};
}
