/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events that GASP clients of real compilers send, as tables: a stream is an array of steps, replayed once or several
 * times. The event numbers are those of the compiler that the test simulates.
 */
#ifndef HEDDLE_TESTS_GASP_STREAM_H
#define HEDDLE_TESTS_GASP_STREAM_H

#include "client.h"

enum shape {
	NOTHING,   /* no arguments */
	INTS,      /* a, b */
	SIZE,      /* a */
	SIZES,     /* a, b */
	POINTER,   /* to an object of the client */
	ALLOCATED, /* size a, then a pointer */
	COPY,      /* pointer, pointer, size a */
	ACCESS,    /* int 1, pointer, pointer, size a */
	HANDLED,   /* as ACCESS, and handle b */
	HANDLE,    /* b */
	NAME,      /* of the step */
};

struct step {
	unsigned int number;
	gasp_evttype_t type;
	const char *file;
	int line;
	enum shape shape;
	long a, b;
	const char *name;
};

static void through_va(gasp_context_t context, const struct step *step, const char *file, ...)
{
	va_list arguments;
	va_start(arguments, file);
	gasp_event_notifyVA(context, step->number, step->type, file, step->line, 0, arguments);
	va_end(arguments);
}

static void through_dots(gasp_context_t context, const struct step *step, const char *file, ...)
{
	/* Berkeley's clients do so for system events: only this function has the arguments. */
	va_list arguments;
	va_start(arguments, file);
	void *p = va_arg(arguments, void *), *q = va_arg(arguments, void *), *r = va_arg(arguments, void *);
	void *s = va_arg(arguments, void *), *t = va_arg(arguments, void *);
	va_end(arguments);
	gasp_event_notify(context, step->number, step->type, file, step->line, 0, p, q, r, s, t);
}

/* Passes five words, in the same way on x86-64 and AArch64: each int occupies a whole word. */
static inline void play_step(gasp_context_t context, const struct step *step, const char *file, int va)
{
	void (*tell)(gasp_context_t, const struct step *, const char *, ...) = va ? through_va : through_dots;
	static long long memory[4] = {0x5348415245445054, 0, 0, 4096}; /* also a pointer-to-shared of bridge.h */
	void *p = memory, *nil = NULL;
	switch (step->shape) {
	case NOTHING:
		tell(context, step, file, nil, nil, nil, nil, nil);
		break;
	case INTS:
	case SIZES:
		tell(context, step, file, (size_t)step->a, (size_t)step->b, nil, nil, nil);
		break;
	case SIZE:
		tell(context, step, file, (size_t)step->a, nil, nil, nil, nil);
		break;
	case POINTER:
		tell(context, step, file, p, nil, nil, nil, nil);
		break;
	case ALLOCATED:
		tell(context, step, file, (size_t)step->a, p, nil, nil, nil);
		break;
	case COPY:
		tell(context, step, file, p, p, (size_t)step->a, nil, nil);
		break;
	case ACCESS:
	case HANDLED:
		tell(context, step, file, (size_t)1, p, p, (size_t)step->a, (size_t)step->b);
		break;
	case HANDLE:
		tell(context, step, file, (size_t)step->b, (size_t)1, nil, nil, nil);
		break;
	case NAME:
		tell(context, step, file, step->name, nil, nil, nil, nil);
		break;
	}
}

#define PLAY(context, steps, va)                                                   \
	do {                                                                       \
		for (size_t at = 0; at < sizeof(steps) / sizeof((steps)[0]); at++) \
			play_step(context, &(steps)[at], (steps)[at].file, va);    \
	} while (0)

#endif
