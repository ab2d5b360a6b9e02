/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every number that reaches disk, from one list each. The writer (in the measured process) and the reader (post-mortem)
 * include this file; it names nothing of either. Numbers are never reused or renumbered: a new meaning gets a new
 * number.
 */
#ifndef HEDDLE_FORMAT_IDS_H
#define HEDDLE_FORMAT_IDS_H

#include <stdint.h>

/* File header: 8 bytes of magic, then u32 version, u32 zero (little endian). */
#define HEDDLE_FILE_MAGIC "\x89HDL\r\n\x1a\n"
#define HEDDLE_FILE_MAGIC_SIZE 8
#define HEDDLE_FILE_VERSION 1u
#define HEDDLE_FILE_SUFFIX ".heddle"

struct heddle_file_header {
	char magic[HEDDLE_FILE_MAGIC_SIZE];
	uint32_t version;
	uint32_t zero;
};
_Static_assert(sizeof(struct heddle_file_header) == 16, "the file header is 16 bytes");

/* Sections follow each other; the payload is one Protocol Buffers message of heddle_profile.proto. */
struct heddle_section_header {
	uint32_t type;   /* enum heddle_section */
	uint32_t crc32;  /* of the payload, zlib's polynomial */
	uint64_t length; /* of the payload, bytes */
};
_Static_assert(sizeof(struct heddle_section_header) == 16, "a section header is 16 bytes");

/* number, NAME, message */
#define HEDDLE_SECTIONS(X)        \
	X(1, PROCESS, Process)    \
	X(2, MODULES, ModuleList) \
	X(3, TREE, Tree)          \
	X(4, THREAD, Thread)      \
	X(5, END, End)

enum heddle_section {
#define X(number, name, message) HEDDLE_SECTION_##name = number,
	HEDDLE_SECTIONS(X)
#undef X
};

/*
 * Kinds of call-path tree nodes. `place` below is a 64-bit code place: module id << 48 | offset from the module's load
 * base; module 0 holds absolute addresses that belong to no known module (JIT code).
 */
#define HEDDLE_NODE_KINDS(X)                                                                                     \
	X(0, NONE, "an entry that was never completed; has no children and no values")                           \
	X(1, ROOT, "the program; node 0 alone")                                                                  \
	X(2, FRAME, "a procedure activation; place = the interrupted instruction, or the last byte of the call") \
	X(3, RUNTIME_FRAME,                                                                                      \
		"a frame of a runtime, of the C library's thread start, of Heddle, or a signal trampoline")      \
	X(4, OUTLINED_FRAME, "the compiler-made function that holds a region's or task's body")                  \
	X(5, REGION, "a region opened by an event; event = its kind, place = where the program opened it")       \
	X(6, STATE, "what the runtime was doing; event = enum heddle_state")                                     \
	X(7, PHASE, "a user phase; place = index into Process.strings")

enum heddle_node_kind {
#define X(number, name, text) HEDDLE_NODE_##name = number,
	HEDDLE_NODE_KINDS(X)
#undef X
};

/* Metrics: number, NAME, name on the command line, unit, what one unit of it means. All values are exclusive. */
#define HEDDLE_METRICS(X)                                                                                         \
	X(0, SAMPLES, "samples", "count", "sampling periods that ended here")                                     \
	X(1, CPU_TIME, "cpu-time", "ns", "CPU time of the thread, from samples")                                  \
	X(2, WALL_TIME, "wall-time", "ns", "elapsed time of the thread: from samples, and from events for waits") \
	X(3, VISITS, "visits", "count", "times a region was entered, from events")

enum heddle_metric {
#define X(number, name, text, unit, meaning) HEDDLE_METRIC_##name = number,
	HEDDLE_METRICS(X)
#undef X
		HEDDLE_METRIC_COUNT
};

/* What a thread was doing: number, NAME, label in reports. */
#define HEDDLE_STATES(X)                   \
	X(0, WORK, "work")                 \
	X(1, OVERHEAD, "overhead")         \
	X(2, IDLE, "idle")                 \
	X(3, BARRIER_WAIT, "barrier wait") \
	X(4, LOCK_WAIT, "lock wait")       \
	X(5, TASK_WAIT, "task wait")       \
	X(6, HEDDLE, "heddle")             \
	X(7, OFF_CPU, "off cpu")           \
	X(8, PARTIAL, "partial path") /* frames below it are the innermost; the outer ones could not be had */

enum heddle_state {
#define X(number, name, label) HEDDLE_STATE_##name = number,
	HEDDLE_STATES(X)
#undef X
		HEDDLE_STATE_COUNT
};

/* Categories of event kinds: number, NAME, the state that time in such a region counts as. */
#define HEDDLE_CATEGORIES(X)        \
	X(0, OTHER, WORK)           \
	X(1, PARALLEL, WORK)        \
	X(2, TASK, WORK)            \
	X(3, WORKSHARE, WORK)       \
	X(4, BARRIER, BARRIER_WAIT) \
	X(5, LOCK, LOCK_WAIT)       \
	X(6, TASK_SYNC, TASK_WAIT)  \
	X(7, PHASE, WORK)

enum heddle_category {
#define X(number, name, state) HEDDLE_CATEGORY_##name = number,
	HEDDLE_CATEGORIES(X)
#undef X
		HEDDLE_CATEGORY_COUNT
};

/* A place is one word. */
#define HEDDLE_PLACE_OFFSET_BITS 48
#define HEDDLE_PLACE_MODULE(place) ((uint32_t)((uint64_t)(place) >> HEDDLE_PLACE_OFFSET_BITS))
#define HEDDLE_PLACE_OFFSET(place) ((uint64_t)(place) & (((uint64_t)1 << HEDDLE_PLACE_OFFSET_BITS) - 1))
#define HEDDLE_PLACE(module, offset) ((uint64_t)(module) << HEDDLE_PLACE_OFFSET_BITS | HEDDLE_PLACE_OFFSET(offset))

#endif
