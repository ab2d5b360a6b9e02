/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interface between libheddle-annotations.so, which implements other tools' interfaces for annotations, and
 * libheddle.so, which measures names, ranges and values.
 */
#ifndef HEDDLE_MODELS_ANNOTATION_CALLS_H
#define HEDDLE_MODELS_ANNOTATION_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/frame.h"
#include "core/tree/event.h"

/* Changed with the structure below: the two libraries must be of one build. */
#define HEDDLE_ANNOTATIONS_INTERFACE 1u

/* A value that belongs to an annotation. `text` describes it as in GASP's user events: "payload=%g". */
struct heddle_annotation_value {
	uint32_t text; /* number returned by `name` */
	double value;
};

/* How a range ended. */
enum heddle_annotation_end {
	HEDDLE_ANNOTATION_ENDED,
	HEDDLE_ANNOTATION_INTERLEAVED, /* ranges that began within this one are still open, and stay open */
	HEDDLE_ANNOTATION_NOT_BEGUN,
};

/* Context of all: any thread, not a signal handler. All preserve errno. `from` is the program's call. */
struct heddle_annotation_interface {
	/* Returns the number of a text plus 1, never 0. If there are too many texts, that of "(another label)". */
	uint32_t (*name)(const char *text);

	/* Begins a range of the calling thread. If `value` is not NULL, it is counted with the range. */
	void (*begin)(const struct heddle_call *from, uint32_t name, const struct heddle_annotation_value *value);

	/* Ends the innermost range of that name. */
	enum heddle_annotation_end (*end)(uint32_t name);

	/* Counts an annotation without duration at the program's path. */
	void (*mark)(const struct heddle_call *from, uint32_t name, const struct heddle_annotation_value *value);

	/* Begin and end a wait: a region of that event, within the innermost range. */
	void (*wait_begin)(const struct heddle_call *from, const struct heddle_event *event);
	void (*wait_end)(const struct heddle_event *event);

	/* Returns elapsed nanoseconds, for ranges that may end in another thread. */
	uint64_t (*now)(void);

	/* Sets the name of the calling thread. */
	void (*thread_name)(const char *name);

	/* Pauses (false) or continues (true) measurement of the process. */
	void (*control)(bool on);

	/* Prints a message on standard error, each one once; `format` has one %s. */
	void (*warn)(const char *format, const char *about);
};

/*
 * Registers the events, which must stay valid, and returns the interface; NULL: annotations are not measured, or
 * `version` is not HEDDLE_ANNOTATIONS_INTERFACE. Context: init.
 */
const struct heddle_annotation_interface *heddle_annotations_attach(
	unsigned int version, struct heddle_event *events, unsigned int count);

#endif
