/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the traces of a measurement (format/trace.h): one stream of events for each thread, all of them merged in the
 * order of time, and the profile made from them. Streams decode chunk by chunk: memory is bounded by the number of
 * threads, not of events. Of damaged and truncated files the part before the damage is read; `damage` describes the
 * rest.
 */
#ifndef HEDDLE_PROFILE_TRACE_H
#define HEDDLE_PROFILE_TRACE_H

#include "format/trace.h"
#include "profile/base/progress.h"
#include "profile/file/measurement.h"
#include "profile/trace/trace_shift.h"

#include <stdatomic.h>

/* A chunk of a thread's records, found in its file. */
struct profile_trace_chunk {
	uint64_t offset; /* in the file, of what follows the chunk's header */
	uint32_t length;
	uint32_t order;
	uint64_t first, last, count, paused, sum; /* as in struct heddle_trace_chunk */
};

/* A thread's part of a trace. A thread without events may still have values that no record accounts for. */
struct profile_trace_thread {
	uint32_t id;                        /* as in its profile */
	uint32_t file;                      /* index into `files` */
	const struct profile_thread *row;   /* in the profile; NULL: none */
	struct profile_trace_chunk *chunks; /* by order */
	size_t chunk_count;
	uint64_t records, bytes;
	struct heddle_trace_value *rest; /* values that no record accounts for */
	size_t rest_count;
};

/*
 * How a file's times are converted to the common clock, which is CLOCK_MONOTONIC of the machine of rank 0, or of the
 * first file.
 */
enum profile_trace_clock {
	HEDDLE_TRACE_SAME_MACHINE,     /* the file is of that machine */
	HEDDLE_TRACE_MEASURED_OFFSETS, /* by offsets that the program measured, linear between two of them */
	HEDDLE_TRACE_SYSTEM_CLOCKS,    /* by both machines' CLOCK_REALTIME: as accurate as these are set */
};

/* The trace of a process. Members that decoding needs come first: with many processes they are seldom cached. */
struct profile_trace_file {
	/* Maps the numbers of nodes that records use to nodes of the measurement's tree; HEDDLE_NO_NODE: not in the
	 * profile. */
	const uint32_t *map;
	size_t node_count;
	struct heddle_trace_group *groups; /* by number - 1; identity 0: there is no such group */
	size_t group_count;
	struct heddle_trace_info info;
	enum profile_trace_clock clock;
	int64_t shift_ns;                          /* SYSTEM_CLOCKS: added to its times */
	const struct profile_trace_shifts *shifts; /* of its machine; NULL: times are not corrected */
	char *path;
	const struct profile_process *process; /* in the measurement */
	int fd;
	uint32_t *parents;                   /* of nodes; a parent comes before its children */
	uint32_t *own_map;                   /* `map`, if the file owns it; else NULL */
	struct heddle_trace_offset *offsets; /* by at_ns */
	size_t offset_count;
	const struct profile_trace_file *offsets_of; /* MEASURED_OFFSETS: a file of its machine that has some */
	uint64_t clock_error_ns; /* MEASURED_OFFSETS: largest error, at the measurements and between them; else 0 */
	/* MEASURED_OFFSETS: times of the first and last measurement; outside of them, the error grows by drift. */
	int64_t measured_from_ns, measured_to_ns; /* since zero_ns */
	uint64_t unmeasured_ns;                   /* how far before or after these the farthest event is */
	uint32_t machine;                         /* number of its machine, from 0 on */
	uint32_t *counters; /* their metrics (profile/file/metric.h), by number from HEDDLE_COUNTER_FIRST on */
	size_t counter_count;
	uint64_t size; /* in bytes */
	char *damage;  /* one line: what could not be read and why; NULL: nothing */
};

/* Progress of analyses, some of which read a trace several times. Several threads read chunks. */
struct profile_trace_steps {
	const struct profile_progress *progress; /* NULL: no reports */
	atomic_size_t done;
	size_t count; /* chunks of the trace */
};

struct profile_trace {
	const struct profile_measurement *measurement;
	struct profile_trace_file *files;
	size_t file_count;
	struct profile_trace_thread *threads; /* by process in the measurement's order, then by id */
	size_t thread_count;
	size_t machine_count;
	struct profile_trace_shifts
		*shifts;  /* by machine (profile/trace/trace_correct.h); NULL: times are not corrected */
	uint64_t zero_ns; /* time of the earliest event, on the common clock; times below count from it */
	uint64_t end_ns;  /* of the last event */
	struct profile_trace_steps *steps; /* the caller's; NULL: no reports */
};

/*
 * Opens the traces of all processes of a measurement (opened with keep_threads). Returns 0, -ENOENT if it has none, or
 * another negative error, with the name of the file in *bad_path (freed by the caller). After an error there is nothing
 * to close. The measurement must outlive the trace.
 */
int profile_trace_open(struct profile_trace *trace, const struct profile_measurement *measurement, char **bad_path);
void profile_trace_close(struct profile_trace *trace);

/* ---- one thread's events ---- */

/* An entry of the stack of open regions and tasks. */
struct profile_trace_entry {
	uint32_t node; /* as in the file */
	bool timed;
	bool region;   /* begun by an event; else a task, or an entry with unknown begin */
	uint64_t task; /* the task's number; 0: unknown; always 0 in a merge with helpers */
};

/* One decoded record. `kind` decides which members are set, as in format/trace.h. */
struct profile_trace_event {
	enum heddle_trace_kind kind;
	union {
		/* BEGIN, OPEN, VISIT: `node` in the measurement's tree; HEDDLE_NO_NODE: not in the profile. */
		uint32_t tree_node;
		uint32_t own_rank; /* of a message: the rank, in the program, of its thread */
	};
	uint64_t ticks;   /* measured ticks; of records without time: those of the previous record */
	uint64_t time_ns; /* on the common clock, since zero_ns; never decreases in a stream */
	uint32_t node;    /* as in the file; END: of the entry that ended */
	bool timed;
	uint32_t operand; /* metric (profile/file/metric.h), argument, attribute, mark, access; STACK: entries that stay
			   */
	uint32_t pushed;  /* STACK: entries pushed; they are the stack's last */
	uint64_t value;   /* amount, attribute's and mark's value, bytes of an access; SAMPLE: periods */
	union {
		uint64_t cpu_ns;  /* of a sample */
		uint64_t request; /* of a message; 0: none. Of a collective: bytes received */
	};
	union {
		uint64_t wall_ticks; /* of a sample */
		int64_t tag;         /* of a message; -1: any or none */
	};
	int64_t partner; /* of an access or message; -1: unknown, any or none */
	union {
		uint32_t text;  /* of a distribution */
		uint32_t group; /* of a message or access: its number in the file; 0: none */
	};
	union {
		double real;       /* its value */
		uint64_t identity; /* of that group; 0: it has none, or that is not known */
	};
	/*
	 * Elapsed ticks since the last event that advanced the time, and the node that they are charged to, or
	 * HEDDLE_NO_NODE.
	 */
	uint64_t elapsed;
	uint32_t charged;
};

/* Number of events after the first one of a record that represents several. */
#define PROFILE_TRACE_MORE 2

/* Memory for a chunk. */
struct profile_trace_bytes {
	uint8_t *at;
	size_t room;
	bool lent; /* owned by the caller, not the stream */
};

/* A stream of one thread's events. */
struct profile_trace_stream {
	const struct profile_trace *trace;
	const struct profile_trace_thread *thread;
	size_t chunk; /* being read, or to be read next */
	bool loaded;  /* `bytes` has this chunk */
	struct profile_trace_bytes bytes;
	size_t size, at;
	uint64_t ticks, paused, time_ns;
	uint64_t peeked_ns; /* the next record's time, if `peeked` */
	bool peeked;
	uint32_t last_node;
	uint64_t last_lock; /* of a NUMBER in this chunk; 0: none */
	struct profile_trace_entry *stack;
	size_t depth, room;
	struct profile_trace_entry idle;
	bool off;     /* by gasp_control */
	bool unknown; /* what was open before the next record is unknown */
	int error;    /* not 0: the stream ended early; -EBADMSG: a damaged chunk */
	unsigned int more_count;
	struct profile_trace_event more[PROFILE_TRACE_MORE]; /* the last one is next; usually empty */
};

int profile_trace_stream_open(struct profile_trace_stream *stream, const struct profile_trace *trace, size_t thread);
/* Continues with the chunk that has that time (or the next one after it), whose first event is its STACK record. */
int profile_trace_stream_seek(struct profile_trace_stream *stream, uint64_t time_ns);
/* Returns 1 with the next event in *event, or 0 if there is none (see `error`). The stack is that after the event. */
int profile_trace_next(struct profile_trace_stream *stream, struct profile_trace_event *event);
void profile_trace_stream_close(struct profile_trace_stream *stream);

/* ---- all threads in the order of time ---- */

struct profile_trace_merge;

/*
 * Opens a merge with a helper thread for each processor, if there are several processors and many events. The order of
 * events is the same with and without helpers.
 */
struct profile_trace_merge *profile_trace_merge_open(const struct profile_trace *trace, uint64_t from_ns);
/* Opens a merge with that many helper threads, at most four; 0: none. */
struct profile_trace_merge *profile_trace_merge_open_with(
	const struct profile_trace *trace, uint64_t from_ns, size_t helpers);
/* Like profile_trace_merge_open_with, for some threads, from their beginning on, with helpers only if they pay off. */
struct profile_trace_merge *profile_trace_merge_open_some(
	const struct profile_trace *trace, const size_t *threads, size_t count, size_t helpers);
/* Like profile_trace_next; *stream is the stream of the event. Events of a thread keep their order. */
int profile_trace_merge_next(struct profile_trace_merge *merge, const struct profile_trace_stream **stream,
	struct profile_trace_event *event);
/*
 * The same for who keeps what is open without a stream: *thread is the index of the event's thread, *pushed the entries
 * that a STACK pushed. Ticks and what is charged are not set. Not to be mixed with the above.
 */
int profile_trace_merge_take(struct profile_trace_merge *merge, size_t *thread, struct profile_trace_event *event,
	const struct profile_trace_entry **pushed);
/* Threads whose stream ended early: what follows a damaged chunk is missing. After the last event. */
size_t profile_trace_merge_broken(const struct profile_trace_merge *merge);
/* Returns, after the last event, -ENOMEM if a stream ended for lack of memory; else 0. */
int profile_trace_merge_error(const struct profile_trace_merge *merge);
void profile_trace_merge_close(struct profile_trace_merge *merge);

/* ---- the profile ---- */

/* A part of the run; to_ns UINT64_MAX: up to the end. */
struct profile_trace_part {
	uint64_t from_ns, to_ns;
};

/* Parts by time, without overlaps. */
struct profile_trace_part_list {
	const struct profile_trace_part *items;
	size_t count;
};

/*
 * The values of one thread by the nodes of its file: of[metric][node], arrays allocated on first use. For the whole
 * trace (part NULL) they equal those of the profile: visits exactly, times to the tick. For other parts, values that no
 * record accounts for are left out, and the values of two adjacent parts add up to those of both together. Returns 0,
 * or an error: with -HEDDLE_CORRUPTED the values are those before a damaged chunk. In any case free them with
 * profile_trace_values_free. Context: any thread.
 */
struct profile_trace_values {
	uint64_t *of[HEDDLE_METRIC_LIMIT]; /* WALL_TIME and other ticked metrics: in ns as in the profile */
	size_t node_count;
	uint64_t measured_ns; /* of the part: time that the thread existed and was measured */
};
int profile_trace_thread_values(struct profile_trace_values *values, const struct profile_trace *trace, size_t thread,
	const struct profile_trace_part *part);
void profile_trace_values_free(struct profile_trace_values *values);

/*
 * Replaces the values of the measurement's tree, and of its threads, by those of a part of the trace, so that reports
 * and exports show that part, with values of single threads, too. The trace must have been opened on the measurement.
 * Threads without a trace have no values afterwards. A process's CPU time and samples become the sums over its threads;
 * sample sources, late and paused samples are cleared. A damaged chunk ends its thread's part. Returns 0 or -ENOMEM,
 * after which the measurement can only be closed.
 */
int profile_trace_select(struct profile_measurement *measurement, const struct profile_trace *trace,
	const struct profile_trace_part *part);

/* Like profile_trace_select, with a list of parts for each of the trace's threads. */
int profile_trace_select_lists(struct profile_measurement *measurement, const struct profile_trace *trace,
	const struct profile_trace_part_list *lists);

#endif
