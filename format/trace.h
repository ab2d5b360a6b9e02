/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The trace of a process, beside its profile (docs/format.md, "Trace files"): NAME.heddle-trace for NAME.heddle. Chunks
 * follow each other; an incomplete chunk at the end is not part of the file. Each chunk of events can be decoded by
 * itself. All numbers are little-endian. The library writes, the command reads.
 */
#ifndef HEDDLE_FORMAT_TRACE_H
#define HEDDLE_FORMAT_TRACE_H

#include <stdint.h>

#define HEDDLE_TRACE_SUFFIX "-trace"   /* after the profile's file name */
#define HEDDLE_TRACE_MAGIC 0x43546448u /* "HdTC" */
#define HEDDLE_TRACE_VERSION 2

enum heddle_trace_chunk_kind {
	HEDDLE_TRACE_INFO = 1, /* struct heddle_trace_info; the last one counts */
	HEDDLE_TRACE_TREE =
		2, /* struct heddle_trace_node[], consecutive, of which `first` of the header is the first */
	HEDDLE_TRACE_EVENTS =
		3, /* records of one thread; the first is a STACK record, or (rarely) an OFF mark and then that */
	HEDDLE_TRACE_REST = 4,   /* struct heddle_trace_value[]: values of one thread that no record accounts for */
	HEDDLE_TRACE_OFFSET = 5, /* struct heddle_trace_offset[]: of this process's clock to the first one's */
	HEDDLE_TRACE_GROUP = 6,  /* struct heddle_trace_group[]: ranks that exchange messages; before their records */
};

/* The header of each chunk. Times are in measured ticks: those of the system's clock without those during pauses. */
struct heddle_trace_chunk {
	uint32_t magic;
	uint16_t version, kind;
	uint32_t thread; /* id of its context, as in the profile; 0 for chunks of no thread */
	uint32_t length; /* bytes that follow this header */
	uint64_t first;  /* EVENTS: tick from which the first record's time counts; TREE: a node's number */
	uint64_t last;   /* EVENTS: tick of the last record */
	uint64_t count;  /* EVENTS: records; else elements */
	uint64_t paused; /* EVENTS: ticks of pauses before the first record: system ticks = measured ticks + these */
	uint64_t sum;    /* heddle_trace_sum of the bytes that follow */
	uint32_t order;  /* EVENTS: number of the chunk in its thread, from 0; a gap: chunks were dropped */
	uint32_t unused;
};

_Static_assert(sizeof(struct heddle_trace_chunk) == 64, "no padding");

struct heddle_trace_info {
	uint64_t ns_per_tick;   /* in 2^-32 ns */
	uint64_t start_ticks;   /* system ticks at the same moment as the two times below */
	uint64_t start_mono_ns; /* CLOCK_MONOTONIC */
	uint64_t start_unix_ns; /* CLOCK_REALTIME */
	uint64_t end_ticks;     /* measured ticks of the profile's end; 0: not written at the end */
	uint64_t records;       /* in all threads */
	uint64_t dropped;       /* records that were not written, as both buffers were full */
	uint64_t waits;         /* times that a thread waited for a buffer */
	uint64_t wait_ticks;
	uint64_t tick_source; /* 0: CLOCK_MONOTONIC in ns; 1: the processor's time-stamp counter */
	/* What was to be recorded. Older files do not have these members, which is as if they were 0: */
	uint64_t from_ns, to_ns; /* a part of the run, since the start of the process; both 0: all of it */
	uint64_t last_ns;        /* only this long before the end, a crash, or a flush; 0: no such limit */
	/* What could not be written. Older files do not have these members, either: */
	uint64_t lost;  /* records in all threads */
	uint64_t error; /* the reason, an errno; 0: all was written */
};

struct heddle_trace_node {
	uint64_t place;
	uint32_t parent, meta; /* as in the profile's tree: kind << 16 | event */
};

struct heddle_trace_value {
	uint32_t node, metric;
	uint64_t value;
};

struct heddle_trace_offset {
	uint64_t at_ns;    /* this process's CLOCK_MONOTONIC */
	int64_t offset_ns; /* added to it: the reference process's clock */
	uint64_t error_ns; /* upper bound: half of the shortest round trip */
};

/* A communicator, as described by one of its members. */
struct heddle_trace_group {
	uint64_t identity;       /* members << 40 | a number; the same in all members */
	uint32_t number;         /* number in this file, from 1 on, in MESSAGE records */
	uint32_t name;           /* index into Process.strings + 1; 0: none */
	uint32_t rank, all_rank; /* rank of this process in the group, and of all */
};

/*
 * A record begins with a byte that has its kind (bits 0 to 3), the width of its time (bits 4 and 5) and of its operand
 * (bits 6 and 7), each a power of two: 0: 1 byte, 1: 2, 2: 4, 3: 8. Then the time follows, if its kind has one: ticks
 * since the last record that advanced the time. Then the operand follows, then the kind's other members, as LEB128
 * numbers.
 *
 * The records maintain a stack of open regions and tasks, like the measured thread. Elapsed time is charged to the node
 * of the innermost entry if that is timed, else (without an entry) to the idle node if that is timed, else by SAMPLEs.
 */
enum heddle_trace_kind {
	HEDDLE_TRACE_END,           /* time. The innermost entry ends. No operand; bits 6 and 7: see below */
	HEDDLE_TRACE_BEGIN,         /* time, node. A timed entry begins; a visit. */
	HEDDLE_TRACE_BEGIN_UNTIMED, /* time, node. The same, not timed. */
	HEDDLE_TRACE_OPEN,          /* time, node << 1 | timed. An entry begins without a visit, such as a task. */
	HEDDLE_TRACE_STACK,         /* time, entries that stay; number of entries to push, for each node << 1 | timed */
	HEDDLE_TRACE_VISIT,         /* time (does not advance), node. An event without duration. */
	HEDDLE_TRACE_SAMPLE,        /* time (does not advance), node; periods, CPU ns, ticks of elapsed time */
	HEDDLE_TRACE_IDLE,          /* time, node << 1 | timed: the node charged while nothing is open */
	HEDDLE_TRACE_ADD,           /* no time. metric << 1 | explicit; (explicit: node), amount. Else the last node */
	HEDDLE_TRACE_DISTRIBUTE,    /* no time. argument << 1 | explicit; (node), text, then 8 bytes: a double */
	HEDDLE_TRACE_ACCESS,        /* no time. an access (below); (explicit: node), partner + 1 (0: unknown), bytes */
	HEDDLE_TRACE_ATTRIBUTE,     /* no time. enum heddle_trace_attribute; value. Belongs to the previous record */
	HEDDLE_TRACE_MARK,          /* time, enum heddle_trace_mark; value */
	HEDDLE_TRACE_NUMBER,        /* no time; bits 4 and 5: which attribute. Its value. Of the previous record */
	HEDDLE_TRACE_TASK_BEGIN,    /* time, node << 1 | timed; 4 bytes: the task's number. An OPEN of the node's
				       parent, a VISIT of the node, and the attribute TASK */
	HEDDLE_TRACE_MESSAGE,       /* time (does not advance), enum heddle_trace_message; five numbers, see there */
	HEDDLE_TRACE_KINDS
};

/*
 * Operand of ACCESS. The record adds to the metrics of bytes got or put, and of local, same-node or remote accesses;
 * and, unless it is the second one of a copy, to the distribution of sizes.
 */
#define HEDDLE_TRACE_ACCESS_PUT 1u
#define HEDDLE_TRACE_ACCESS_EXPLICIT 8u /* its node follows; else it is of the last node */
#define HEDDLE_TRACE_ACCESS_SECOND 16u  /* the put of a copy, whose get was the record before */
#define HEDDLE_TRACE_ACCESS_COUNTED 32u /* adds to nothing: other records have what it adds */
#define HEDDLE_TRACE_ACCESS_LATER 64u   /* it may end after its call; one with a HANDLE may in any case */
#define HEDDLE_TRACE_ACCESS_SIDE(operand) ((operand) >> 1 & 3u)
#define HEDDLE_TRACE_ACCESS_GROUP_SHIFT 8 /* above: the window's group, as in MESSAGE; 0: it has none */
enum heddle_trace_side { HEDDLE_TRACE_ANYWHERE, HEDDLE_TRACE_LOCAL, HEDDLE_TRACE_SAME_NODE, HEDDLE_TRACE_REMOTE };

/* Bits 6 and 7 of END: a task ends, and the task that it began in continues: attributes TASK_END and TASK. */
#define HEDDLE_TRACE_END_OF_TASK 1u

enum heddle_trace_attribute {
	HEDDLE_TRACE_HANDLE = 1,  /* of a nonblocking access */
	HEDDLE_TRACE_LOCK,        /* the lock of a wait, of a held lock, or of an attempt that was successful */
	HEDDLE_TRACE_TASK_CREATE, /* the new task's number; belongs to its creation's VISIT */
	HEDDLE_TRACE_TASK,        /* the task that executes from here on; belongs to an OPEN or STACK */
	HEDDLE_TRACE_TASK_END,    /* the task that ended */
	HEDDLE_TRACE_PARALLEL,    /* number of the parallel region: of its BEGIN, and of OPENs of its implicit tasks */
	HEDDLE_TRACE_TEAM_SIZE,
	HEDDLE_TRACE_ADDRESS, /* of memory */
	HEDDLE_TRACE_BYTES,
	HEDDLE_TRACE_MEETS, /* 1: no thread leaves the collective before all have entered it; of its BEGIN or VISIT */
	HEDDLE_TRACE_COMMUNICATOR, /* the identity of a group, which takes part in this region; of its BEGIN */
	HEDDLE_TRACE_ROOT,         /* rank of all, of the one that gives to all, or gets of all */
	HEDDLE_TRACE_ACROSS,       /* the communicator is two groups, and members wait for the other one's: see below */
	HEDDLE_TRACE_CONTEXT,      /* of a BEGIN: which accesses it makes or completes; without it: the default ones */
	HEDDLE_TRACE_ATTRIBUTES
};

#define HEDDLE_TRACE_MEMBERS(communicator) ((communicator) >> 40)

/* ACROSS: number of members of the other group << 1 | which of the two the process is in. */
#define HEDDLE_TRACE_ACROSS_OTHERS(across) ((across) >> 1)
#define HEDDLE_TRACE_ACROSS_SIDE(across) ((across)&1u)

/*
 * Bits 4 and 5 of NUMBER: the attributes of the same names. A LOCK of 0 is the lock of the last NUMBER in this chunk
 * that is a LOCK.
 */
enum heddle_trace_number {
	HEDDLE_TRACE_NUMBER_LOCK,
	HEDDLE_TRACE_NUMBER_TASK_CREATE,
	HEDDLE_TRACE_NUMBER_PARALLEL,
	HEDDLE_TRACE_NUMBER_TEAM_SIZE,
};

enum heddle_trace_mark {
	HEDDLE_TRACE_THREAD_BEGIN = 1, /* kernel id. A thread begins in this context; nothing is open */
	HEDDLE_TRACE_THREAD_END,       /* 0 */
	HEDDLE_TRACE_OFF,              /* 0. gasp_control: from here on nothing is charged until ON */
	HEDDLE_TRACE_ON,               /* 0 */
	HEDDLE_TRACE_PAUSED,           /* ticks of all pauses so far: measurement was paused before this record */
	HEDDLE_TRACE_DROPPED,          /* records dropped between the previous record and this one */
	HEDDLE_TRACE_WAITED,           /* ticks that the thread waited for a buffer, up to here */
	HEDDLE_TRACE_MARKS
};

/*
 * Operand of MESSAGE. Its numbers are: group; partner (rank of all) + 1, 0: any, or none; tag + 1, 0: any, or none;
 * bytes; request, from 1 on, of an operation that continues when its call returns, 0: it does not. The nth message
 * received of a sender, receiver, group and tag is the nth one that was sent. For a collective, the partner is the
 * root. A collective that continues has JOINED and LEFT; it counts among the group's collectives at its JOINED.
 */
enum heddle_trace_message {
	HEDDLE_TRACE_SENT = 1, /* a message begins to be sent */
	HEDDLE_TRACE_EXPECTED, /* a receive begins that continues after its call */
	HEDDLE_TRACE_RECEIVED, /* a receive is complete; partner, tag and bytes are those of the message */
	HEDDLE_TRACE_SEND_END, /* group, request: the sender no longer waits for it; the other numbers are 0 */
	HEDDLE_TRACE_SHARED,   /* a collective is complete; its last numbers are bytes sent and bytes received */
	HEDDLE_TRACE_JOINED,   /* a continuing collective begins; tag: enum heddle_event_role, and ACROSS << 8 */
	HEDDLE_TRACE_LEFT,     /* it is complete for this member, after SHARED; tag: enum heddle_trace_collective */
	HEDDLE_TRACE_GRANTED,  /* the partner may go on; tag: enum heddle_trace_grant */
	HEDDLE_TRACE_AWAITED,  /* it went on, as the partner GRANTED; request: unless it did at the last one, without */
	HEDDLE_TRACE_WINDOW,   /* a call with a window; partner: none: with all; tag: enum heddle_trace_window_call */
	HEDDLE_TRACE_ARRIVED,  /* group, request: the access with that HANDLE is complete; the other numbers are 0 */
	HEDDLE_TRACE_MESSAGES
};

/* What ranks grant each other when they access a window's memory, without data. */
enum heddle_trace_grant {
	HEDDLE_TRACE_POST,     /* to access it */
	HEDDLE_TRACE_COMPLETE, /* to reuse it: the accesses are complete */
};

/* What a call does with a window and, but for the first two, with its accesses to the partner's memory. */
enum heddle_trace_window_call {
	HEDDLE_TRACE_WINDOW_MADE, /* it is there now */
	HEDDLE_TRACE_WINDOW_FREED,
	HEDDLE_TRACE_WINDOW_LOCK, /* asks for a lock of this kind, or the next one */
	HEDDLE_TRACE_WINDOW_LOCK_SHARED,
	HEDDLE_TRACE_WINDOW_UNLOCK, /* has completed them, also there */
	HEDDLE_TRACE_WINDOW_FLUSH,  /* the same */
	HEDDLE_TRACE_WINDOW_FLUSH_LOCAL,
};

/* What a collective does. */
enum heddle_trace_collective {
	HEDDLE_TRACE_OTHER, /* none of these */
	HEDDLE_TRACE_BARRIER,
	HEDDLE_TRACE_BCAST,
	HEDDLE_TRACE_GATHER,
	HEDDLE_TRACE_GATHERV,
	HEDDLE_TRACE_SCATTER,
	HEDDLE_TRACE_SCATTERV,
	HEDDLE_TRACE_ALLGATHER,
	HEDDLE_TRACE_ALLGATHERV,
	HEDDLE_TRACE_ALLTOALL,
	HEDDLE_TRACE_ALLTOALLV,
	HEDDLE_TRACE_ALLTOALLW,
	HEDDLE_TRACE_REDUCE,
	HEDDLE_TRACE_ALLREDUCE,
	HEDDLE_TRACE_REDUCE_SCATTER,
	HEDDLE_TRACE_REDUCE_SCATTER_BLOCK,
	HEDDLE_TRACE_SCAN,
	HEDDLE_TRACE_EXSCAN,
	HEDDLE_TRACE_COLLECTIVES
};

/* Adds a word to the sum below. */
static inline uint64_t heddle_trace_mix(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
	return sum ^ sum >> 29;
}

static inline void heddle_trace_mix_block(uint64_t sums[4], const uint64_t words[4])
{
	sums[0] = heddle_trace_mix(sums[0], words[0]);
	sums[1] = heddle_trace_mix(sums[1], words[1]);
	sums[2] = heddle_trace_mix(sums[2], words[2]);
	sums[3] = heddle_trace_mix(sums[3], words[3]);
}

/*
 * Returns the sum of a chunk's bytes. Words of 8 bytes are added in turn to four independent sums, so that these are
 * computed in parallel; the last block of words, which may be empty, is filled up with zeros. Context: any thread,
 * signal.
 */
static inline uint64_t heddle_trace_sum(const void *bytes, uint64_t length)
{
	const unsigned char *at = bytes;
	uint64_t sums[4] = {length, 1, 2, 3}, words[4];
	for (; length >= sizeof(words); length -= sizeof(words), at += sizeof(words)) {
		__builtin_memcpy(words, at, sizeof(words));
		heddle_trace_mix_block(sums, words);
	}
	__builtin_memset(words, 0, sizeof(words));
	__builtin_memcpy(words, at, length);
	heddle_trace_mix_block(sums, words);
	return heddle_trace_mix(heddle_trace_mix(heddle_trace_mix(sums[0], sums[1]), sums[2]), sums[3]);
}

#endif
