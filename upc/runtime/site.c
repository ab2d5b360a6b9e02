/* SPDX-License-Identifier: BSD-3-Clause */
#include "upc/runtime/site.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "upc/runtime/finish.h"
#include "upc/runtime/gasp.h"
#include "upc/runtime/say.h"

_Thread_local struct upcrt_site __upcrt_site;

/* The linker's: first and last address of the program's own file. */
extern const char __executable_start[], _end[];

struct hupc__site hupc__site_take(void)
{
	struct hupc__site site = {__upcrt_site.file, __upcrt_site.line, false};

	if (site.file) {
		__upcrt_site.file = NULL;
		site.events = hupc__gasp_here();
	}
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
	struct hupc__shared_place place = {0, site->line};

	if (site->file >= __executable_start && site->file < _end)
		place.file = site->file - __executable_start;
	return place;
}

struct hupc__site hupc__place_read(const struct hupc__shared_place *place)
{
	const char *file = place->file ? __executable_start + place->file : NULL;

	return (struct hupc__site){file, place->line, false};
}

/* Ask for the end; the first that does has the word. */
static void ask_and_say(int status, const struct hupc__site *site, const char *format, va_list arguments)
{
	char prefix[512];

	if (!hupc__ask_to_end(status))
		return;
	if (site && site->file)
		hupc__format(prefix, sizeof(prefix), "thread %d: %s:%d: ", hupc__mythread, site->file, site->line);
	else
		hupc__format(prefix, sizeof(prefix), "thread %d: ", hupc__mythread);
	hupc__vsay(prefix, format, arguments);
}

void hupc__fatal_with_status(int status, const struct hupc__site *site, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	ask_and_say(status, site, format, arguments);
	va_end(arguments);
	fflush(NULL);
	_exit(status);
}

void hupc__fatal_in_signal(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	ask_and_say(1, NULL, format, arguments);
	va_end(arguments);
	hupc__flush_in_signal();
	_exit(1);
}
