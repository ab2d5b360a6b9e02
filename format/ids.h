/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All numbers that are written to disk, one list for each kind. The writer (in the measured process) and the reader
 * (post-mortem) include this file; it depends on neither. Numbers are never reused or changed: a new meaning gets a new
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
#define HEDDLE_FILE_ROOM 320 /* the longest name of a file in a measurement's directory, with the slash before it */

/*
 * A symbolic link beside the profiles, named by this prefix and a process id, reports that the process could not write
 * its profile; its target is an errno in digits.
 */
#define HEDDLE_FAILED_PREFIX ".failed."

/* A note of a profile that begins with this text names a program that the process executed, and that ran unmeasured. */
#define HEDDLE_NOTE_UNMEASURED "not measured: "

/* Begins the note of a process whose OpenMP runtime started another tool. */
#define HEDDLE_NOTE_OTHER_TOOL "OpenMP context is missing: another OpenMP tool is active"

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
 * base. Module 0 has absolute addresses that belong to no known module (JIT code), module HEDDLE_PLACE_SOURCE the
 * source lines that events report.
 */
#define HEDDLE_NODE_KINDS(X)                                                                                     \
	X(0, NONE, "an entry that was never completed; has no children and no values")                           \
	X(1, ROOT, "the program; node 0 alone")                                                                  \
	X(2, FRAME, "a procedure activation; place = the interrupted instruction, or the last byte of the call") \
	X(3, RUNTIME_FRAME,                                                                                      \
		"a frame of a runtime, of the C library's thread start, of Heddle, or a signal trampoline")      \
	X(4, OUTLINED_FRAME, "the compiler-made function that holds a region's or task's body")                  \
	X(5, REGION, "a region opened by an event; event = its kind, place = where the program opened it")       \
	X(6, STATE, "what a runtime was doing; event = enum heddle_state, place = Model.id, or 0")               \
	X(7, PHASE, "a user phase or GASP user event; place = index into Process.strings")                       \
	X(8, FUNCTION, "a function that events give by its name; place = index into Process.strings")            \
	X(9, OBJECT, "below an access's REGION: the shared variable; place = index into Process.strings")

enum heddle_node_kind {
#define X(number, name, text) HEDDLE_NODE_##name = number,
	HEDDLE_NODE_KINDS(X)
#undef X
};

/* Origins of metrics: NAME, and what to do if a measurement has no values of such a metric. */
#define HEDDLE_ORIGINS(X)                                                                                        \
	X(SAMPLES, "it comes from samples: measure with `heddle run`, without --sample-hz 0")                    \
	X(ELAPSED, "measure with `heddle run --sample-clock wall`")                                              \
	X(EVENTS, "it comes from events: of an LLVM OpenMP runtime, `heddle cc --inst-functions`, `heddle upcc " \
		  "--inst`")                                                                                     \
	X(WAITS, "no event reported waiting")                                                                    \
	X(MPI, "it comes from calls of MPI: measure a program that uses MPI with `heddle run`")                  \
	X(UPC, "it comes from accesses of OpenSHMEM and UPC programs: compile UPC with `heddle upcc --inst`")    \
	X(ACCESSES, "measure with `heddle run --accesses`; or no upc_forall accessed remote memory")             \
	X(BRIEF, "measure functions with `heddle run --inst-min-time TIME`; or none was switched off")           \
	X(MEMORY, "measure with `heddle run --memory`")                                                          \
	X(BLAME, "measure with `heddle run --blame`; or no thread waited in this way")

enum heddle_origin {
#define X(name, hint) HEDDLE_ORIGIN_##name,
	HEDDLE_ORIGINS(X)
#undef X
};

/* How the values of a metric are obtained. */
enum heddle_metric_kind {
	HEDDLE_METRIC_KIND_UNKNOWN, /* not a metric of this version */
	HEDDLE_METRIC_KIND_COUNTED, /* stored; counted in the metric's unit */
	HEDDLE_METRIC_KIND_TICKED,  /* stored; counted in clock ticks, which the writer converts to the metric's unit */
	HEDDLE_METRIC_KIND_DERIVED, /* computed by the reader from stored ones, for each thread */
	HEDDLE_METRIC_KIND_BALANCE, /* computed by the reader from sums over all threads: no thread has values of it */
};

/*
 * Metrics: number, NAME, name on the command line, unit, kind, origin, meaning of one unit. All values are exclusive.
 * Numbers are consecutive; rows are in the order in which help lists them. A new metric is a row here and the code that
 * counts it (heddle__slot_add), or derives it (profile_call_tree_derive).
 */
#define HEDDLE_METRICS(X)                                                                                              \
	X(0, SAMPLES, "samples", "count", COUNTED, SAMPLES, "sampling periods that ended here")                        \
	X(1, CPU_TIME, "cpu-time", "ns", COUNTED, SAMPLES, "CPU time of the thread, from samples")                     \
	X(2, WALL_TIME, "wall-time", "ns", TICKED, ELAPSED,                                                            \
		"elapsed time of the thread: from samples, and from events for waits")                                 \
	X(3, VISITS, "visits", "count", COUNTED, EVENTS, "times a region was entered, from events")                    \
	X(4, BYTES_GOT, "bytes-got", "bytes", COUNTED, UPC,                                                            \
		"read from shared memory or a device, or received in a collective")                                    \
	X(5, BYTES_PUT, "bytes-put", "bytes", COUNTED, UPC,                                                            \
		"written to shared memory or a device, or sent in a collective")                                       \
	X(6, LOCAL, "local-accesses", "count", COUNTED, UPC, "to shared memory with affinity to the accessing thread") \
	X(22, SAME_NODE, "same-node-accesses", "count", COUNTED, UPC,                                                  \
		"to memory of another thread of the same shared-memory node")                                          \
	X(7, REMOTE, "remote-accesses", "count", COUNTED, UPC,                                                         \
		"to memory of another shared-memory node; if these are unknown, of any other thread")                  \
	X(23, SAME_NODE_BYTES, "same-node-bytes", "bytes", COUNTED, UPC, "moved by same-node accesses")                \
	X(8, REMOTE_BYTES, "remote-bytes", "bytes", COUNTED, UPC, "moved by remote accesses")                          \
	X(9, FLIGHT_TIME, "flight-time", "ns", TICKED, UPC,                                                            \
		"from initiation of nonblocking accesses until their data arrived or was waited for")                  \
	X(10, SHARED_BYTES, "shared-bytes", "bytes", COUNTED, UPC, "shared memory allocated here")                     \
	X(11, ALLOCATIONS, "allocations", "count", COUNTED, MEMORY, "blocks of memory allocated here")                 \
	X(12, ALLOCATED, "bytes-allocated", "bytes", COUNTED, MEMORY, "memory allocated here")                         \
	X(13, FREED, "bytes-freed", "bytes", COUNTED, MEMORY, "memory allocated here and freed, by any code")          \
	X(14, WAITING, "waiting", "ns", DERIVED, WAITS, "elapsed time in regions that wait; derived from wall-time")   \
	X(15, HELD, "bytes-held", "bytes", BALANCE, MEMORY,                                                            \
		"allocated here and not freed: bytes-allocated minus bytes-freed")                                     \
	X(16, BLAME, "blame", "ns", TICKED, BLAME,                                                                     \
		"elapsed time that others waited because of this code: the sum of the kinds below")                    \
	X(17, IDLENESS, "idleness", "ns", TICKED, BLAME,                                                               \
		"the part of blame while this code worked: all but lock-blame")                                        \
	X(18, LOCK_BLAME, "lock-blame", "ns", TICKED, BLAME, "blame by threads that waited for a lock held here")      \
	X(19, BARRIER_BLAME, "barrier-blame", "ns", TICKED, BLAME, "blame by threads that waited at a barrier")        \
	X(20, TASK_BLAME, "task-blame", "ns", TICKED, BLAME, "blame by threads that waited for tasks")                 \
	X(21, IDLE_BLAME, "idle-blame", "ns", TICKED, BLAME, "blame by idle OpenMP threads")                           \
	X(24, LOOP_EXECUTIONS, "loop-executions", "count", COUNTED, ACCESSES,                                          \
		"executions of a upc_forall with accesses to remote elements of a variable")                           \
	X(25, LOOP_GETS, "loop-gets", "count", COUNTED, ACCESSES, "gets of single elements in such loops")             \
	X(26, LOOP_PUTS, "loop-puts", "count", COUNTED, ACCESSES, "puts of single elements in such loops")             \
	X(27, LOOP_ELEMENTS, "loop-elements", "count", COUNTED, ACCESSES,                                              \
		"distinct elements accessed in an execution, estimated")                                               \
	X(28, LOOP_ELEMENTS_GOT, "loop-elements-got", "count", COUNTED, ACCESSES, "those that were got")               \
	X(29, LOOP_ELEMENTS_PUT, "loop-elements-put", "count", COUNTED, ACCESSES, "those that were put")               \
	X(30, LOOP_LINES, "loop-lines", "count", COUNTED, ACCESSES,                                                    \
		"distinct 4-KiB blocks of threads' memory accessed in an execution, estimated")                        \
	X(31, LOOP_RUNS, "loop-runs", "count", COUNTED, ACCESSES,                                                      \
		"gets and puts in such loops that are not adjacent to the previous one in memory")                     \
	X(32, LOOP_REGULAR, "loop-regular", "count", COUNTED, ACCESSES,                                                \
		"gets and puts in such loops with the stride of the previous one")                                     \
	X(33, LOOP_NEAR, "loop-near", "count", COUNTED, ACCESSES,                                                      \
		"gets and puts in such loops 2 to 7 elements from the previous one in memory")                         \
	X(34, LOOP_FAR, "loop-far", "count", COUNTED, ACCESSES, "the same, 8 to 63 elements")                          \
	X(35, LOOP_FARTHER, "loop-farther", "count", COUNTED, ACCESSES, "the same, 64 to 511 elements")                \
	X(36, MESSAGES_SENT, "messages-sent", "count", COUNTED, MPI, "messages sent by calls made here")               \
	X(37, MESSAGES_RECEIVED, "messages-received", "count", COUNTED, MPI, "messages received here")                 \
	X(38, BYTES_SENT, "bytes-sent", "bytes", COUNTED, MPI,                                                         \
		"sent in messages, contributed to collectives, put to windows, written to files")                      \
	X(39, BYTES_RECEIVED, "bytes-received", "bytes", COUNTED, MPI,                                                 \
		"received in messages and collectives, got from windows, read from files")                             \
	X(40, MESSAGE_WAIT, "message-wait", "ns", TICKED, MPI,                                                         \
		"elapsed time of calls beyond the shortest one here of the same size")                                 \
	X(41, OVERLAPPED_TIME, "overlapped-time", "ns", TICKED, MPI,                                                   \
		"the part of flight-time before the call that completes the operation")                                \
	X(42, ACCESS_TIME_ERROR, "access-time-error", "ns", TICKED, UPC,                                               \
		"standard error of the wall-time of counted accesses; of several places, an upper bound")              \
	X(43, UNCOUNTED_CALLS, "uncounted-calls", "count", COUNTED, BRIEF,                                             \
		"calls of functions that --inst-min-time had switched off, below what was not")                        \
	X(44, RANK_BLAME, "rank-blame", "ns", TICKED, BLAME,                                                           \
		"blame by ranks that waited in collectives or for messages, found by `heddle report --blame`")

enum heddle_metric {
#define X(number, name, ...) HEDDLE_METRIC_##name = number,
	HEDDLE_METRICS(X)
#undef X
#define X(...) +1
		HEDDLE_METRIC_COUNT = 0 HEDDLE_METRICS(X)
#undef X
};

#define X(number, ...) _Static_assert(number < HEDDLE_METRIC_COUNT, "numbers of metrics are consecutive");
HEDDLE_METRICS(X)
#undef X

/* Rows of one kind are equal branches. NOLINTBEGIN(bugprone-branch-clone) */
static inline enum heddle_metric_kind heddle__metric_kind(uint32_t metric)
{
	switch (metric) {
#define X(number, name, text, unit, kind, ...) \
	case number:                           \
		return HEDDLE_METRIC_KIND_##kind;
		HEDDLE_METRICS(X)
#undef X
	default:
		return HEDDLE_METRIC_KIND_UNKNOWN;
	}
}
/* NOLINTEND(bugprone-branch-clone) */

/* True if values of the metric are stored in files. */
static inline int heddle__metric_is_stored(uint32_t metric)
{
	enum heddle_metric_kind kind = heddle__metric_kind(metric);
	return kind == HEDDLE_METRIC_KIND_COUNTED || kind == HEDDLE_METRIC_KIND_TICKED;
}

/* Slots always have room for metrics with lower numbers; for the others only if these occur. */
#define HEDDLE_METRIC_COMMON 4

/*
 * Counters (perf/counter.h) have columns too, with numbers from this one on: Process.counters lists them. The reader
 * gives them other numbers, from HEDDLE_METRIC_COUNT on.
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
	X(8, PARTIAL, "partial path") /* frames below it are the innermost; the outer frames were not found */ \
	X(9, FENCE_WAIT, "fence wait")                                                                         \
	X(10, COLLECTIVE_WAIT, "collective wait")                                                              \
	X(11, COMMUNICATION, "communication")                                                                  \
	X(12, NO_WORKER, "no thread worked") /* blame only: all threads waited */                              \
	X(13, NO_HOLDER, "no holder")        /* blame only: the holder is not known */                         \
	X(14, HAND_OFF, "hand-off")          /* blame only: lock released, next holder not yet running */

enum heddle_state {
#define X(number, name, label) HEDDLE_STATE_##name = number,
	HEDDLE_STATES(X)
#undef X
		HEDDLE_STATE_COUNT
};

/* Categories of event kinds: number, NAME, the state of time in such a region. */
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

/* What threads do in a region, if its category does not define it. Stored. */
enum heddle_event_role {
	HEDDLE_EVENT_NO_ROLE,
	HEDDLE_EVENT_NOTIFY,    /* BARRIER: arrives, and does not wait */
	HEDDLE_EVENT_AWAIT,     /* BARRIER: waits for the barrier at which the thread arrived by NOTIFY */
	HEDDLE_EVENT_ATTEMPT,   /* COMMUNICATION: acquires a lock if it is free */
	HEDDLE_EVENT_UNLOCK,    /* COMMUNICATION: releases a lock */
	HEDDLE_EVENT_MEMBERS,   /* BARRIER: among the ranks that its record in a trace names, not all ranks */
	HEDDLE_EVENT_MUTUAL,    /* COLLECTIVE: no rank leaves it before all have entered */
	HEDDLE_EVENT_FROM_ROOT, /* COLLECTIVE: no rank leaves it before the root has entered */
	HEDDLE_EVENT_TO_ROOT,   /* COLLECTIVE: the root does not leave it before all have entered */
	HEDDLE_EVENT_PREFIX,    /* COLLECTIVE: no rank leaves it before all lower ranks have entered */
	HEDDLE_EVENT_MOVES,     /* COMMUNICATION: gets or puts memory of a rank */
	HEDDLE_EVENT_SHARES,    /* ALLOCATION: concerns memory that all ranks access */
	HEDDLE_EVENT_HIT,       /* OTHER: a get finds its data in a cache of ranks' memory */
	HEDDLE_EVENT_MISS,      /* OTHER: a get does not find its data in such a cache */
	HEDDLE_EVENT_SETUP,     /* COMMUNICATION: before or after all communication of the process */
};

/* Kinds of code that a model describes by names: number, NAME, meaning (of functions, by the linker's name). */
#define HEDDLE_NAMED_CODE(X)                                                                                   \
	X(1, OUTLINED, "made by the compiler: the body of a construct")                                        \
	X(2, EVENT, "called by compiled code only to report an event: its time is its caller's")               \
	X(3, SERVICE, "called by compiled code for the user, to report an event or to access memory")          \
	X(4, RUNTIME, "of a runtime that is linked into the program; those that the user calls, too")          \
	X(5, MAIN, "what the compiler makes of the program's main")                                            \
	X(6, PROOF, "a symbol that only programs with that runtime linked in have; MAIN holds in those alone") \
	X(7, START, "runs before the program's main")                                                          \
	X(8, SHOWN, "has another name for people")                                                             \
	X(9, FILE, "no function but a file: what has no name in it is shown under this one")                   \
	X(10, CALLED, "of a runtime, called by the user for what it returns: shown as the user's call")        \
	X(11, ANNOTATES, "of the program's own code, inlined or not: called only to report an annotation")

enum heddle_named_code {
#define X(number, name, text) HEDDLE_NAMED_##name = number,
	HEDDLE_NAMED_CODE(X)
#undef X
		HEDDLE_NAMED_CODE_COUNT
};

/* What a row of Exchanges counts: number, NAME, meaning. */
#define HEDDLE_EXCHANGE_KINDS(X)                                                         \
	X(1, SENT, "messages to the partner")                                            \
	X(2, RECEIVED, "messages from the partner")                                      \
	X(3, COLLECTIVE, "collectives; bytes are the larger of those sent and received") \
	X(4, PUT, "bytes to the partner's window")                                       \
	X(5, GOT, "bytes from the partner's window")                                     \
	X(6, UNFINISHED, "operations that were never completed, with the partner")       \
	X(7, FILE_OPENED, "calls that opened the file")                                  \
	X(8, FILE_CLOSED, "calls that closed the file")                                  \
	X(9, FILE_READ, "reads from the file that are complete")                         \
	X(10, FILE_WRITTEN, "writes to the file, begun or complete")                     \
	X(11, FILE_READING, "calls of reads that another call counts")                   \
	X(12, FILE_WRITING, "calls of writes that another call counts")                  \
	X(13, FILE_OTHER, "other calls with the file")                                   \
	X(14, UNFINISHED_FILE, "accesses to the file that were never completed")         \
	X(15, UNFINISHED_COLLECTIVE, "collectives that were never completed")

enum heddle_exchange_kind {
#define X(number, name, text) HEDDLE_EXCHANGE_##name = number,
	HEDDLE_EXCHANGE_KINDS(X)
#undef X
		HEDDLE_EXCHANGE_KIND_COUNT
};

/* Completed calls with a file: the row has the file's name instead of a communicator's, and no partner. */
#define HEDDLE_EXCHANGE_IS_OF_FILE(kind) ((kind) >= HEDDLE_EXCHANGE_FILE_OPENED && (kind) <= HEDDLE_EXCHANGE_FILE_OTHER)

#define HEDDLE_EXCHANGE_IS_UNFINISHED(kind) \
	((kind) == HEDDLE_EXCHANGE_UNFINISHED || (kind) >= HEDDLE_EXCHANGE_UNFINISHED_FILE)

/* Ids of models in a profile are less than this. */
#define HEDDLE_MODEL_LIMIT 64

/* A place is one word. */
#define HEDDLE_PLACE_OFFSET_BITS 48
#define HEDDLE_PLACE_MODULE(place) ((uint32_t)((uint64_t)(place) >> HEDDLE_PLACE_OFFSET_BITS))
#define HEDDLE_PLACE_OFFSET(place) ((uint64_t)(place) & (((uint64_t)1 << HEDDLE_PLACE_OFFSET_BITS) - 1))
#define HEDDLE_PLACE(module, offset) ((uint64_t)(module) << HEDDLE_PLACE_OFFSET_BITS | HEDDLE_PLACE_OFFSET(offset))

/* Places in source files, from events with file and line: index into Process.strings << 24 | line. */
#define HEDDLE_PLACE_SOURCE 0xffffu
#define HEDDLE_SOURCE_LINE_BITS 24
#define HEDDLE_SOURCE_PLACE(file, line) \
	HEDDLE_PLACE(HEDDLE_PLACE_SOURCE, (uint64_t)(file) << HEDDLE_SOURCE_LINE_BITS | (line))
#define HEDDLE_SOURCE_FILE(place) ((uint32_t)(HEDDLE_PLACE_OFFSET(place) >> HEDDLE_SOURCE_LINE_BITS))
#define HEDDLE_SOURCE_LINE(place) ((uint32_t)((place) & ((1u << HEDDLE_SOURCE_LINE_BITS) - 1)))

/* The tag of an allocation's call path (docs/format.md): one step for each frame, innermost first. */
static inline uint64_t heddle__path_tag_step(uint64_t hash, uint64_t place)
{
	return ((hash ^ HEDDLE_PLACE_OFFSET(place)) + 1) * UINT64_C(0x9e3779b97f4a7c15);
}
static inline uint32_t heddle__path_tag(uint64_t hash)
{
	return (uint32_t)(hash >> 32);
}

/* Distributions of message sizes: bucket 0 counts zeros, bucket k sizes from 2^(k-1) to 2^k - 1; the last, all else. */
#define HEDDLE_SIZE_BUCKETS 34

/* Distributions of arguments of user events: added to the number of an argument of End. */
#define HEDDLE_ARGUMENT_OF_END 64u

/*
 * A string argument has a distribution for each different string. Its description is followed by the first of these
 * marks and the string; or by the second one, for all further strings. They are U+FDD0 and U+FDD1 in UTF-8, which
 * Unicode reserves for internal use: no text has them, and readers that replace control characters keep them.
 */
#define HEDDLE_TEXT_BEGINS "\xef\xb7\x90"
#define HEDDLE_TEXT_IS_ANOTHER "\xef\xb7\x91"
#define HEDDLE_TEXT_MARK_BYTES 3

#endif
