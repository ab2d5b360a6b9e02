/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between libheddle-annotations.so, which knows other tools' interfaces for annotations, and
 * libheddle.so, which measures and knows only names, ranges and values.
 */
#ifndef HEDDLE_MODELS_ANNOTATION_CALLS_H
#define HEDDLE_MODELS_ANNOTATION_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/frame.h"
#include "core/tree/event.h"

/* Changed with the structure below: the two libraries must be of one build. */
#define HEDDLE_ANNOTATIONS_INTERFACE 1u

/* A value that belongs to an annotation; `text` is its description as of GASP's user events: "payload=%g". */
struct heddle_annotation_value {
	uint32_t text; /* as `name` gave it */
	double value;
};

/* How a range ended. */
enum heddle_annotation_end {
	HEDDLE_ANNOTATION_ENDED,
	HEDDLE_ANNOTATION_INTERLEAVED, /* ranges that began in it are still open, and stay */
	HEDDLE_ANNOTATION_NOT_BEGUN,
};

/* Context of all: any thread, not a signal handler. errno stays. `from`: the program's call. */
struct heddle_annotation_interface {
	/* The number of a text + 1, never 0: of too many different texts, the number of "(another label)". */
	uint32_t (*name)(const char *text);

	/* A range of the calling thread begins; `value`, or NULL, is counted with it. */
	void (*begin)(const struct heddle_call *from, uint32_t name, const struct heddle_annotation_value *value);

	/* The innermost range of that name ends. */
	enum heddle_annotation_end (*end)(uint32_t name);

	/* Something that has no duration, at the program's path. */
	void (*mark)(const struct heddle_call *from, uint32_t name, const struct heddle_annotation_value *value);

	/* A wait begins and ends: a region of that event, within the innermost range. */
	void (*wait_begin)(const struct heddle_call *from, const struct heddle_event *event);
	void (*wait_end)(const struct heddle_event *event);

	/* Elapsed nanoseconds, for ranges that may end in another thread. */
	uint64_t (*now)(void);

	/* The calling thread has that name from now on. */
	void (*thread_name)(const char *name);

	/* Measurement of the process pauses (false) or goes on (true). */
	void (*control)(bool on);

	/* One message on standard error, each once; `format` has one %s. */
	void (*warn)(const char *format, const char *about);
};

/*
 * Register the events, which must stay valid, and get the interface; NULL: annotations are not measured, or `version`
 * is not HEDDLE_ANNOTATIONS_INTERFACE. Context: init.
 */
const struct heddle_annotation_interface *heddle_annotations_attach(
	unsigned int version, struct heddle_event *events, unsigned int count);

#endif
