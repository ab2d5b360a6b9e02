/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * User events and measurement control for UPC and C programs: GASP 1.5, sections 5.2 and 5.3. `heddle cc` and `heddle
 * upcc` add this file's directory to the search path. The calls are compiled in with one of their --inst options;
 * otherwise they expand to nothing.
 *
 *     unsigned int step = pupc_create_event("time step", "step=%d residual=%g");
 *     pupc_event_start(step, i, r);
 *     ...
 *     pupc_event_end(step, i, r);
 *
 * C programs are not linked with Heddle: like those of heddle.h, the calls look for the library in the running process,
 * and do nothing without it. Context: any thread; not a signal handler, except pupc_control.
 */
#ifndef HEDDLE_PUPC_H
#define HEDDLE_PUPC_H

#ifdef __cplusplus
extern "C" {
#endif

#if !defined(__UPC_PUPC_INST__)

__attribute__((no_instrument_function)) static __inline__ int pupc_control(int on)
{
	(void)on;
	return 1;
}

__attribute__((no_instrument_function)) static __inline__ unsigned int pupc_create_event(
	const char *name, const char *desc)
{
	(void)name, (void)desc;
	return 0;
}

__attribute__((no_instrument_function)) static __inline__ void pupc_event_start(unsigned int evttag, ...)
{
	(void)evttag;
}

__attribute__((no_instrument_function)) static __inline__ void pupc_event_end(unsigned int evttag, ...)
{
	(void)evttag;
}

__attribute__((no_instrument_function)) static __inline__ void pupc_event_atomic(unsigned int evttag, ...)
{
	(void)evttag;
}

#define pupc_event_start(...) (0 ? (pupc_event_start)(__VA_ARGS__) : (void)0)
#define pupc_event_end(...) (0 ? (pupc_event_end)(__VA_ARGS__) : (void)0)
#define pupc_event_atomic(...) (0 ? (pupc_event_atomic)(__VA_ARGS__) : (void)0)

#else

/* These follow the arguments of each event, so that Heddle does not read more arguments than were passed. */
#define HEDDLE__PUPC_LAST_WORD 0xb5ad4eceda1ce2a9UL
#define HEDDLE__PUPC_LAST_NUMBER (-6.02214076543219876e-287)
#define HEDDLE__PUPC_LAST HEDDLE__PUPC_LAST_WORD, HEDDLE__PUPC_LAST_NUMBER

#if defined(__UPC__)

/*
 * Defined by the UPC run-time system, which calls GASP's functions. hupc_event takes file and line; evttype is
 * gasp_evttype_t.
 */
int pupc_control(int on);
unsigned int pupc_create_event(const char *name, const char *desc);
void pupc_event_start(unsigned int evttag, ...);
void pupc_event_end(unsigned int evttag, ...);
void pupc_event_atomic(unsigned int evttag, ...);
void hupc_event(int evttype, const char *filename, int linenum, unsigned int evttag, ...);

#define pupc_event_start(...) hupc_event(0, __FILE__, __LINE__, __VA_ARGS__, HEDDLE__PUPC_LAST)
#define pupc_event_end(...) hupc_event(1, __FILE__, __LINE__, __VA_ARGS__, HEDDLE__PUPC_LAST)
#define pupc_event_atomic(...) hupc_event(2, __FILE__, __LINE__, __VA_ARGS__, HEDDLE__PUPC_LAST)

#else

#include <stdarg.h>

#include "heddle.h"

/* The functions behind the calls, which libheddle.so defines. Programs use the calls below. */
int heddle_pupc_control(int on);
unsigned int heddle_pupc_create_event(const char *name, const char *desc);
void heddle_pupc_event(int evttype, const char *filename, int linenum, unsigned int evttag, const void *frame,
	va_list arguments); /* frame: that of the function that the program calls */

/*
 * Switches measurement of the calling thread off (0) or on (any other value); returns the previous value passed, or 1
 * if there is none.
 */
HEDDLE__INLINE int pupc_control(int on)
{
	static heddle__function *known;
	heddle__function *function = heddle__find(&known, "heddle_pupc_control");

	return function ? ((int (*)(int))function)(on) : 1;
}

/*
 * Creates a user event of the calling thread. Both texts are copied; `desc` is NULL or a printf format for the
 * arguments of its events. Returns its number, or 0 if the program is not measured.
 */
HEDDLE__INLINE unsigned int pupc_create_event(const char *name, const char *desc)
{
	static heddle__function *known;
	heddle__function *function = heddle__find(&known, "heddle_pupc_create_event");

	return function ? ((unsigned int (*)(const char *, const char *))function)(name, desc) : 0;
}

#define HEDDLE__PUPC_CALL __attribute__((unused, noinline, no_instrument_function)) static void

/* `frame`: frame of the function that the program called, to which `arguments` belongs. */
HEDDLE__INLINE void heddle__pupc_notify(
	int evttype, const char *filename, int linenum, unsigned int evttag, const void *frame, va_list arguments)
{
	static heddle__function *known;
	heddle__function *function = heddle__find(&known, "heddle_pupc_event");

	if (function)
		((void (*)(int, const char *, int, unsigned int, const void *, va_list))function)(
			evttype, filename, linenum, evttag, frame, arguments);
}

HEDDLE__PUPC_CALL heddle__pupc_event(int evttype, const char *filename, int linenum, unsigned int evttag, ...)
{
	va_list arguments;

	va_start(arguments, evttag);
	heddle__pupc_notify(evttype, filename, linenum, evttag, __builtin_frame_address(0), arguments);
	va_end(arguments);
}

/* Report that the event begins, ends or happens; the macros below pass file and line, which these functions cannot. */
HEDDLE__PUPC_CALL pupc_event_start(unsigned int evttag, ...)
{
	va_list arguments;

	va_start(arguments, evttag);
	heddle__pupc_notify(0, (const char *)0, 0, evttag, __builtin_frame_address(0), arguments);
	va_end(arguments);
}

HEDDLE__PUPC_CALL pupc_event_end(unsigned int evttag, ...)
{
	va_list arguments;

	va_start(arguments, evttag);
	heddle__pupc_notify(1, (const char *)0, 0, evttag, __builtin_frame_address(0), arguments);
	va_end(arguments);
}

HEDDLE__PUPC_CALL pupc_event_atomic(unsigned int evttag, ...)
{
	va_list arguments;

	va_start(arguments, evttag);
	heddle__pupc_notify(2, (const char *)0, 0, evttag, __builtin_frame_address(0), arguments);
	va_end(arguments);
}

#define pupc_event_start(...) heddle__pupc_event(0, __FILE__, __LINE__, __VA_ARGS__, HEDDLE__PUPC_LAST)
#define pupc_event_end(...) heddle__pupc_event(1, __FILE__, __LINE__, __VA_ARGS__, HEDDLE__PUPC_LAST)
#define pupc_event_atomic(...) heddle__pupc_event(2, __FILE__, __LINE__, __VA_ARGS__, HEDDLE__PUPC_LAST)

#endif
#endif

#ifdef __cplusplus
}
#endif

#endif
