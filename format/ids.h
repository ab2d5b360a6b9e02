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
	X(5, END, End)            \
	X(6, MEMBER, Member)      \
	X(7, STATISTICS, Statistics)

enum heddle_section {
#define X(number, name, message) HEDDLE_SECTION_##name = number,
	HEDDLE_SECTIONS(X)
#undef X
};

/*
 * Kinds of call-path tree nodes. `place` below is a 64-bit code place: module id << 48 | offset from the module's load
 * base; module 0 holds absolute addresses that belong to no known module (JIT code), module HEDDLE_PLACE_SOURCE source
 * lines that events tell themselves.
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
	X(7, PHASE, "a user phase or GASP user event; place = index into Process.strings")                       \
	X(8, FUNCTION, "a function that events tell by its name; place = index into Process.strings")

enum heddle_node_kind {
#define X(number, name, text) HEDDLE_NODE_##name = number,
	HEDDLE_NODE_KINDS(X)
#undef X
};

/* Metrics: number, NAME, name on the command line, unit, what one unit of it means. All values are exclusive. */
#define HEDDLE_METRICS(X)                                                                                            \
	X(0, SAMPLES, "samples", "count", "sampling periods that ended here")                                        \
	X(1, CPU_TIME, "cpu-time", "ns", "CPU time of the thread, from samples")                                     \
	X(2, WALL_TIME, "wall-time", "ns", "elapsed time of the thread: from samples, and from events for waits")    \
	X(3, VISITS, "visits", "count", "times a region was entered, from events")                                   \
	X(4, BYTES_GOT, "bytes-got", "bytes", "read from shared memory or a device, or received in a collective")    \
	X(5, BYTES_PUT, "bytes-put", "bytes", "written to shared memory or a device, or sent in a collective")       \
	X(6, LOCAL, "local-accesses", "count", "to shared memory with affinity to the accessing thread")             \
	X(7, REMOTE, "remote-accesses", "count", "to shared memory with affinity to another thread")                 \
	X(8, REMOTE_BYTES, "remote-bytes", "bytes", "moved by remote accesses")                                      \
	X(9, FLIGHT_TIME, "flight-time", "ns", "from initiation of nonblocking accesses until they were waited for") \
	X(10, SHARED_BYTES, "shared-bytes", "bytes", "of shared memory allocated")                                   \
	X(11, ALLOCATIONS, "allocations", "count", "blocks of memory allocated here")                                \
	X(12, ALLOCATED, "bytes-allocated", "bytes", "of memory allocated here")                                     \
	X(13, FREED, "bytes-freed", "bytes", "of the memory allocated here, given back, wherever that happened")     \
	X(14, WAITING, "waiting", "ns", "elapsed time in regions that wait; the reader makes it from wall-time")     \
	X(15, HELD, "bytes-held", "bytes", "allocated here and not freed; the reader makes it of the two above")     \
	X(16, BLAME, "blame", "ns", "elapsed time that others waited because of this; of the four kinds below")      \
	X(17, IDLENESS, "idleness", "ns", "the part of it while this was worked on: all but lock-blame")             \
	X(18, LOCK_BLAME, "lock-blame", "ns", "blame by those who waited for a lock that was held here")             \
	X(19, BARRIER_BLAME, "barrier-blame", "ns", "blame by those who waited at a barrier")                        \
	X(20, TASK_BLAME, "task-blame", "ns", "blame by those who waited for tasks")                                 \
	X(21, IDLE_BLAME, "idle-blame", "ns", "blame by threads of OpenMP's that had nothing to do")

enum heddle_metric {
#define X(number, name, text, unit, meaning) HEDDLE_METRIC_##name = number,
	HEDDLE_METRICS(X)
#undef X
		HEDDLE_METRIC_COUNT
};

/* Kept for each call path of a thread; the others only where they occur. */
#define HEDDLE_METRIC_COMMON 4

/* Those in files are below this, but for WAITING and HELD. */
#define HEDDLE_METRIC_STORED 22
#define HEDDLE_METRIC_IS_DERIVED(metric) ((metric) == HEDDLE_METRIC_WAITING || (metric) == HEDDLE_METRIC_HELD)

/*
 * Counters (format/counter.h) have columns too, whose numbers begin here: Process.counters says which is what. The
 * reader gives them numbers of its own, from HEDDLE_METRIC_COUNT on.
 */
#define HEDDLE_COUNTER_FIRST 1024u

/* What a thread was doing: number, NAME, label in reports. */
#define HEDDLE_STATES(X)                                                                                       \
	X(0, WORK, "work")                                                                                     \
	X(1, OVERHEAD, "overhead")                                                                             \
	X(2, IDLE, "idle")                                                                                     \
	X(3, BARRIER_WAIT, "barrier wait")                                                                     \
	X(4, LOCK_WAIT, "lock wait")                                                                           \
	X(5, TASK_WAIT, "task wait")                                                                           \
	X(6, HEDDLE, "heddle")                                                                                 \
	X(7, OFF_CPU, "off cpu")                                                                               \
	X(8, PARTIAL, "partial path") /* frames below it are the innermost; the outer ones could not be had */ \
	X(9, FENCE_WAIT, "fence wait")                                                                         \
	X(10, COLLECTIVE_WAIT, "collective wait")                                                              \
	X(11, COMMUNICATION, "communication")                                                                  \
	X(12, NO_WORKER, "no thread worked") /* blame only: all waited */                                      \
	X(13, NO_HOLDER, "no holder")        /* blame only: a lock was free, or its holder is not known */

enum heddle_state {
#define X(number, name, label) HEDDLE_STATE_##name = number,
	HEDDLE_STATES(X)
#undef X
		HEDDLE_STATE_COUNT
};

/* Categories of event kinds: number, NAME, the state that time in such a region counts as. */
#define HEDDLE_CATEGORIES(X)               \
	X(0, OTHER, WORK)                  \
	X(1, PARALLEL, WORK)               \
	X(2, TASK, WORK)                   \
	X(3, WORKSHARE, WORK)              \
	X(4, BARRIER, BARRIER_WAIT)        \
	X(5, LOCK, LOCK_WAIT)              \
	X(6, TASK_SYNC, TASK_WAIT)         \
	X(7, PHASE, WORK)                  \
	X(8, COMMUNICATION, COMMUNICATION) \
	X(9, FENCE, FENCE_WAIT)            \
	X(10, COLLECTIVE, COLLECTIVE_WAIT) \
	X(11, ALLOCATION, WORK)            \
	X(12, FUNCTION, WORK)              \
	X(13, EXIT, BARRIER_WAIT)

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

/* Places in source files, of events that tell file and line: index into Process.strings << 24 | line. */
#define HEDDLE_PLACE_SOURCE 0xffffu
#define HEDDLE_SOURCE_LINE_BITS 24
#define HEDDLE_SOURCE_PLACE(file, line) \
	HEDDLE_PLACE(HEDDLE_PLACE_SOURCE, (uint64_t)(file) << HEDDLE_SOURCE_LINE_BITS | (line))
#define HEDDLE_SOURCE_FILE(place) ((uint32_t)(HEDDLE_PLACE_OFFSET(place) >> HEDDLE_SOURCE_LINE_BITS))
#define HEDDLE_SOURCE_LINE(place) ((uint32_t)((place) & ((1u << HEDDLE_SOURCE_LINE_BITS) - 1)))

/* Distributions of message sizes: bucket 0 counts zeros, bucket k the sizes from 2^(k-1) to below 2^k; the last all
 * above. */
#define HEDDLE_SIZE_BUCKETS 34

#endif
