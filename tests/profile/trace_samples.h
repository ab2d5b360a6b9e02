/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurements with traces, made in the test's own directory. */
#ifndef HEDDLE_TESTS_TRACE_SAMPLES_H
#define HEDDLE_TESTS_TRACE_SAMPLES_H

#include "profile/trace/trace.h"
#include "tests/profile/samples.h"
#include "tests/profile/trace_builder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

/* Returns the path of a file in a measurement's directory, which is created. */
static inline const char *traced_path(const char *directory, const char *name)
{
	static char path[1024];
	snprintf(path, sizeof(path), "%s", scratch(directory));
	mkdir(path, 0777);
	size_t length = strlen(path);
	snprintf(path + length, sizeof(path) - length, "/%s", name);
	return path;
}

/* A profile of frames that form a chain, and threads without values; `more` are lines of profile_text.h. */
static inline void write_traced_profile(
	const char *directory, const char *name, size_t nodes, size_t threads, const char *more)
{
	size_t room = 200 + nodes * 40 + threads * 20 + strlen(more), at = 0;
	char *text = malloc(room);
	assert_non_null(text);
	at += (size_t)snprintf(
		text, room, "process program /opt/cg\nmodule 1 1 - /nowhere/cg\n%snode 0 ROOT 0 0 0\n", more);
	for (size_t i = 1; i < nodes; i++)
		at += (size_t)snprintf(text + at, room - at, "node %zu FRAME 0 1 %zx\n", i - 1, i * 16);
	for (size_t t = 0; t < threads; t++)
		at += (size_t)snprintf(text + at, room - at, "thread %zu -1 thread\n", t);
	assert_int_equal(write_profile_from_text(text, traced_path(directory, name)), 0);
	free(text);
}

static inline void write_trace(const struct trace_builder *builder, const char *directory, const char *name)
{
	assert_int_equal(trace_write(builder, traced_path(directory, name)), 0);
}

static inline void open_traced(struct profile_measurement *measurement, const char *directory)
{
	struct profile_load_options options = {.workers = 1, .keep_threads = true};
	assert_int_equal(profile_measurement_open(measurement, scratch(directory), &options, NULL), 0);
}

struct traced {
	struct profile_measurement measurement;
	struct profile_trace trace;
};

static inline void open_program(struct traced *traced, const char *directory)
{
	open_traced(&traced->measurement, directory);
	assert_int_equal(profile_trace_open(&traced->trace, &traced->measurement, NULL), 0);
}

static inline void close_program(struct traced *traced)
{
	profile_trace_close(&traced->trace);
	profile_measurement_close(&traced->measurement);
}

#endif
