/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "upc/runtime/end/fatal.h"

#include <execinfo.h>
#include <stdarg.h>
#include <stdio.h>

#include "upc/runtime/base/say.h"
#include "upc/runtime/end/claim.h"
#include "upc/runtime/end/ending.h"
#include "upc/runtime/end/leave.h"
#include "upc/runtime/end/source.h"

/* Describes the call stack; every address except the first is a return address. */
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
