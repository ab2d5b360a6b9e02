/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds a GASP tool when the program starts, and passes events to it. Works with any tool; threads that are not UPC
 * threads are only reported to Heddle.
 */
#include "upc/runtime/events/gasp.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stddef.h>

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/library.h"
#include "upc/runtime/events/site.h"

/*
 * A tool that is linked into the program is found by weak references. A preloaded tool may not be found this way,
 * because linkers may permanently resolve weak references to zero, so it is also looked up by name.
 */
#pragma weak gasp_init
#pragma weak gasp_event_notify
#pragma weak gasp_event_notifyVA
#pragma weak gasp_control
#pragma weak gasp_create_event

static __typeof__(gasp_init) *init;
static __typeof__(gasp_event_notifyVA) *notify_list;
static __typeof__(gasp_control) *control;
static __typeof__(gasp_create_event) *create_event;
extern int *const hupc__checked_variable;
static bool joinable; /* the tool accepts threads that are not UPC threads */

hupc__gasp_notify_function *hupc__gasp_notify;
_Thread_local gasp_context_t hupc__gasp_context;

/*
 * 1: events are wanted, or it is not known yet. Threads that the program creates itself, such as OpenMP's, determine it
 * at their first event.
 */
_Thread_local int __upcrt_gasp = 1;

#define FIND(name) (name ? name : (__typeof__(name) *)dlsym(RTLD_DEFAULT, #name))

void hupc__gasp_start(int *argc, char ***argv)
{
	init = FIND(gasp_init);
	hupc__gasp_notify = FIND(gasp_event_notify);
	notify_list = FIND(gasp_event_notifyVA);
	control = FIND(gasp_control);
	create_event = FIND(gasp_create_event);
	if (!init || !hupc__gasp_notify)
		init = NULL;
	/* Heddle's header guarantees that it accepts such threads; other tools may count a thread twice. */
	joinable = init && dlsym(RTLD_DEFAULT, "heddle_measure_version");
	if (init)
		hupc__gasp_context = init(GASP_MODEL_UPC, argc, argv);
	__upcrt_gasp = init && hupc__gasp_context;
	if (init)
		*hupc__checked_variable = 1;
}

bool hupc__gasp_here(void)
{
	if (!__upcrt_gasp)
		return false;
	if (!hupc__gasp_context && joinable)
		hupc__gasp_context = init(GASP_MODEL_UPC, NULL, NULL);
	__upcrt_gasp = hupc__gasp_context ? 1 : 0;
	return __upcrt_gasp;
}

int pupc_control(int on)
{
	hupc__site_take();
	return control && hupc__gasp_here() ? control(hupc__gasp_context, on) : 1;
}

unsigned int pupc_create_event(const char *name, const char *description)
{
	hupc__site_take();
	return create_event && hupc__gasp_here() ? create_event(hupc__gasp_context, name, description) : 0;
}

static void user_event(gasp_evttype_t type, const char *file, int line, unsigned int tag, va_list arguments)
{
	if (notify_list && hupc__gasp_here())
		notify_list(hupc__gasp_context, tag, type, file, line, 0, arguments);
}

#define USER_EVENT(name, type)                                          \
	void name(unsigned int tag, ...)                                \
	{                                                               \
		struct hupc__site site = hupc__site_take();             \
		va_list arguments;                                      \
		va_start(arguments, tag);                               \
		user_event(type, site.file, site.line, tag, arguments); \
		va_end(arguments);                                      \
	}

USER_EVENT(pupc_event_start, GASP_START)
USER_EVENT(pupc_event_end, GASP_END)
USER_EVENT(pupc_event_atomic, GASP_ATOMIC)

void hupc_event(int type, const char *file, int line, unsigned int tag, ...)
{
	va_list arguments;
	hupc__site_take();
	va_start(arguments, tag);
	user_event((gasp_evttype_t)type, file, line, tag, arguments);
	va_end(arguments);
}
