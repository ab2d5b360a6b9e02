/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the run-time system was called from, and the messages that end a program. */
#include "upc/runtime/events/site.h"

#include <execinfo.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "upc/runtime/base/say.h"
#include "upc/runtime/end/claim.h"
#include "upc/runtime/end/finish.h"
#include "upc/runtime/end/source.h"
#include "upc/runtime/events/gasp.h"
#include "upc/runtime/start/ranks.h"

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
		file = NULL; /* another process sent the place, and it is of no name */
	return (struct hupc__site){file, place->line, false, place->call, place->calls};
}

/* The call stack; every address but the first is a return address. */
static void describe_callers(char *text, size_t size)
{
	void *addresses[12];
	int count = backtrace(addresses, 12);
	for (int i = 0; i < count; i++)
		addresses[i] = (char *)addresses[i] - 1;
	hupc__source_describe(text, size, addresses, count);
}

static void say(const char *place, const char *format, va_list arguments)
{
	char prefix[512];
	hupc__format(prefix, sizeof(prefix), "thread %d: %s", hupc__mythread, place);
	hupc__vsay(prefix, format, arguments);
}

/* Only the first thread that requests the end prints its message. */
void hupc__fatal_with_status(int status, const struct hupc__site *site, const char *format, ...)
{
	va_list arguments;
	char place[400];
	bool first = hupc__claim_end(status);
	if (first) {
		if (site->file)
			hupc__format(place, sizeof(place), "%s:%d: ", site->file, site->line);
		else
			describe_callers(place, sizeof(place));
		va_start(arguments, format);
		say(place, format, arguments);
		va_end(arguments);
	}
	fflush(NULL);
	hupc__leave(first, status);
}

void hupc__fatal_in_signal(void *code, const char *format, ...)
{
	va_list arguments;
	char place[400];
	bool first = hupc__claim_end(1);
	if (first) {
		hupc__source_describe(place, sizeof(place), &code, 1);
		if (!place[0])
			describe_callers(place, sizeof(place));
		va_start(arguments, format);
		say(place, format, arguments);
		va_end(arguments);
	}
	hupc__flush_in_signal(code);
	hupc__leave(first, 1);
}
