/* SPDX-License-Identifier: BSD-3-Clause */
/* An OTF2 archive being written: otf2_events.c writes events, then otf2_definitions.c what they refer to. */
#ifndef HEDDLE_EXPORT_OTF2_WRITER_H
#define HEDDLE_EXPORT_OTF2_WRITER_H

#include "export/trace_steps.h"

#include "profile/trace/trace_table.h"
#include "profile/view/view_walk.h"

#include <otf2/otf2.h>
#include <setjmp.h>

/* Definitions with fixed numbers: attributes of events. */
enum export_otf2_attribute {
	EXPORT_OTF2_NO_VISIT, /* of an enter that resumes the region: not a visit */
	EXPORT_OTF2_PERIODS,  /* of a sample */
	EXPORT_OTF2_CPU_TIME,
	EXPORT_OTF2_HANDLE,
	EXPORT_OTF2_LOCK,
	EXPORT_OTF2_ADDRESS,
	EXPORT_OTF2_BYTES,
	EXPORT_OTF2_PARALLEL,
	EXPORT_OTF2_ATTRIBUTES
};

/* Definitions are numbered when an event first refers to them: readers expect numbers without gaps. */
#define EXPORT_OTF2_NONE UINT32_MAX

/* The window of all one-sided operations. */
#define EXPORT_OTF2_WINDOW 0u

/* A one-sided operation that has not completed. */
struct export_otf2_operation {
	uint64_t number, handle; /* without a handle: its context */
	size_t depth;            /* open regions where it began; 0: that one has ended */
	uint32_t node;           /* of the view, where it began */
	bool has_handle;
	bool puts; /* when it is complete at the target will be known */
};

/* One that goes on after its call, at least at its target. */
struct export_otf2_pending {
	size_t thread;
	uint64_t number, handle; /* handle: its context or request */
	uint32_t window, remote; /* remote: the target's number in the window */
	bool local;              /* it is complete at `thread` */
	bool puts;               /* as above */
};

/* Of a process. */
struct export_otf2_process {
	struct export_otf2_pending *pending;
	size_t count, room;
};

/* What is complete: all of a window, with one target, or of one handle. */
struct export_otf2_completion {
	uint32_t window, remote; /* remote: EXPORT_OTF2_NONE: all */
	bool one;                /* of that handle alone */
	uint64_t handle;
	bool at_target; /* there, too */
	bool last;      /* no more will be known */
};

/* A call of a library, by label. */
struct export_otf2_call {
	bool atomic; /* then: */
	OTF2_RmaAtomicType type;
	bool sends, fetches;
	bool completes;        /* the accesses of a context */
	bool waits_for_change; /* of memory */
	bool fences;           /* a window */
	bool tries_lock;
};

struct export_otf2_region {
	uint32_t node;
	uint64_t handle;  /* of the operations that are complete when it ends */
	uint64_t lock;    /* that is acquired when it ends */
	uint64_t context; /* of the accesses that it makes or completes; 0: the default one */
	bool has_handle, has_lock;
	size_t window;         /* index + 1 of its group: the call concerns all of it, or `partners`; 0: it does not */
	bool synchronizes;     /* with the thread's `partners`; then: */
	bool completes_memory; /* accesses of both sides */
	bool completes_accesses; /* its own */
};

/* A lock that a thread holds. */
struct export_otf2_held {
	uint64_t lock;
	uint32_t number, order;
	OTF2_Paradigm paradigm;
};

/* A communicator. */
struct export_otf2_group {
	const char *name; /* "": none */
	uint32_t comm;    /* OTF2's number */
	size_t members;
	uint64_t *ranks; /* of all, by rank in it; UINT64_MAX: not known */
	uint32_t window; /* OTF2's number, if it is one; EXPORT_OTF2_NONE: it is none, or was not used */
	size_t *openers; /* of the window, by process: 1 + the thread that wrote its creation; 0: it is not there */
};

/* A collective that a thread is in. */
struct export_otf2_shared {
	size_t collective; /* number of the collective in otf2_messages.c */
	uint32_t comm, root;
	uint64_t sent, received; /* bytes */
};

/* A thread of the program is a location. Heddle's own thread is not, and has no writer. */
struct export_otf2_thread {
	OTF2_EvtWriter *writer;
	uint64_t event_count, operation_count;
	struct export_otf2_region *regions;
	size_t depth, region_room;
	struct export_otf2_operation *operations;
	size_t open_count, operation_room;
	struct export_otf2_held *held;
	size_t held_count, held_room;
	uint32_t *partners; /* ranks of all, of the call that synchronizes with them */
	size_t partner_count, partner_room;
	uint32_t context; /* node of the view of the last calling-context event; EXPORT_NO_NODE: none */
	uint64_t sums[HEDDLE_METRIC_LIMIT];
	uint64_t last_ns;        /* of its last event */
	uint64_t written_ns;     /* the same of those that another thread caused */
	bool begun;              /* it has events */
	bool is_member;          /* of the window: it has a rank */
	bool in_collective;      /* it has begun one, whose bytes are: */
	uint64_t sent, received; /* bytes */
	uint32_t root;           /* of the collective, in the communicator of all; or undefined */
	size_t shares;           /* depth of the region that is a collective, + 1; 0: none */
	struct export_otf2_shared shared;
};

#define EXPORT_OTF2_NO_THREAD SIZE_MAX

/* By rank of the program: its thread (EXPORT_OTF2_NO_THREAD: none), and its number in the communicator of all ranks. */
struct export_otf2_rank {
	size_t thread;
	uint32_t member;
};

struct export_otf2 {
	const struct export_request *request;
	OTF2_Archive *archive;
	OTF2_AttributeList *attributes;
	struct export_otf2_thread *threads;
	bool contexts;    /* the trace has samples: events name calling contexts */
	uint32_t *depths; /* by node of the view */
	struct export_otf2_rank *ranks;
	size_t rank_count;                      /* one more than the highest rank */
	bool *waits;                            /* by label: regions that wait for a lock */
	OTF2_RegionRole *roles;                 /* by label */
	OTF2_Paradigm *paradigms;               /* by label */
	struct export_otf2_call *calls;         /* by label */
	struct export_otf2_process *of_process; /* by process */
	uint32_t program;                       /* communicator of all ranks of a model with shared memory; or NONE */
	const char *program_name;               /* "UPC thread" */
	OTF2_Paradigm program_paradigm;
	struct export_otf2_group *groups; /* communicators of messages */
	size_t group_count, group_room;
	struct profile_trace_table group_numbers; /* by identity: index + 1 */
	struct profile_trace_table members;       /* by communicator << 32 | rank in the program: rank in it + 1 */
	size_t *processes;                        /* by rank in the program: its thread; EXPORT_OTF2_NO_THREAD: none */
	size_t process_count, process_room;
	uint32_t *teams; /* by process: communicator of its OpenMP threads */
	uint32_t comm_count, window_count;
	struct profile_intern sets; /* ranks that calls synchronize with; number: OTF2's group - group_count - 1 */
	uint32_t metrics[HEDDLE_METRIC_LIMIT];
	struct profile_intern arguments; /* names of user events' arguments; each is a metric, too */
	uint32_t *argument_metrics;      /* by number of the name */
	size_t argument_room;
	uint32_t metric_count;
	struct profile_intern locks; /* the index is OTF2's number */
	uint32_t *lock_orders;       /* by lock: how often it was acquired */
	size_t lock_room;
	uint64_t end_ns; /* time of the last event */
	bool closing;    /* a failure jumps to `failed` */
	jmp_buf failed;
	int error; /* the errno of the first failure of writing */
};

/* Writes all events. Returns 0, or an error like export_format.write. */
int export_otf2_events(struct export_otf2 *otf2);

/* Closes the files of events. Returns like export_otf2_events. */
int export_otf2_close_events(struct export_otf2 *otf2);

/* Finds roles, paradigms and lock waits of regions, by label (otf2_roles.c). Returns 0 or -ENOMEM. */
int export_otf2_find_roles(struct export_otf2 *otf2);

/* Writes all definitions. Returns like export_otf2_events. */
int export_otf2_definitions(struct export_otf2 *otf2);

/* Records a failure; returns whether `code` is one. */
bool export_otf2_failed(struct export_otf2 *otf2, OTF2_ErrorCode code);

/* Write acquisitions and releases of locks: called before a step is written, and after (otf2_locks.c). */
void export_otf2_release_locks(struct export_otf2 *otf2, const struct export_step *step);
void export_otf2_acquire_lock(
	struct export_otf2 *otf2, const struct export_step *step, const struct export_otf2_region *region);

/* Returns true if a thread of the trace is a location. */
bool export_otf2_is_location(const struct export_otf2 *otf2, size_t thread);

/*
 * One-sided operations (otf2_accesses.c): an access; the handle of the last one, which is known after it; the time in
 * flight of one, which is known when it is complete; and what is complete when the innermost region ends.
 */
void export_otf2_write_access(struct export_otf2 *otf2, const struct export_step *step);
void export_otf2_take_handle(struct export_otf2_thread *thread, const struct export_step *step);
void export_otf2_take_flight(struct export_otf2 *otf2, const struct export_step *step);
void export_otf2_complete_operations(struct export_otf2 *otf2, const struct export_step *step);

/* After the enter of a region. */
void export_otf2_wait_for_change(struct export_otf2 *otf2, const struct export_step *step);

/* The same of those that go on after their calls; and the record of one that begins. */
void export_otf2_complete_pending(
	struct export_otf2 *otf2, const struct export_step *step, const struct export_otf2_completion *completion);
void export_otf2_write_operation(
	struct export_otf2 *otf2, const struct export_step *step, uint32_t window, uint32_t remote, uint64_t number);

void export_otf2_keep_pending(struct export_otf2 *otf2, const struct export_otf2_pending *pending);

/*
 * Windows of MPI (otf2_windows.c): an access; a message that concerns the window; a call, after its enter and before
 * its leave; and the end of what the thread has created.
 */
void export_otf2_write_window_access(struct export_otf2 *otf2, const struct export_step *step);
void export_otf2_write_window_message(
	struct export_otf2 *otf2, const struct export_step *step, struct export_otf2_group *group);
void export_otf2_enter_fence(struct export_otf2 *otf2, const struct export_step *step);
void export_otf2_leave_window(
	struct export_otf2 *otf2, const struct export_step *step, const struct export_otf2_region *region);
void export_otf2_close_windows(struct export_otf2 *otf2, size_t thread);

/* What a call is, by its event; and the label of a node's region, which an object is below (otf2_calls.c).
 * EXPORT_NO_NODE has a label of its own. */
struct export_otf2_call export_otf2_call_of(const struct profile_event_kind *event);
uint32_t export_otf2_region_label(const struct export_otf2 *otf2, uint32_t node);

/* The window that all ranks' memory is, and collective operations on it (otf2_collectives.c). */
void export_otf2_create_window(struct export_otf2 *otf2, size_t number, uint64_t time_ns);
void export_otf2_destroy_window(struct export_otf2 *otf2, size_t number);

/* Called after the enter of a region, and before its leave. */
void export_otf2_begin_collective(struct export_otf2 *otf2, const struct export_step *step);
void export_otf2_end_collective(struct export_otf2 *otf2, const struct export_step *step);

/* Communicators of messages (otf2_messages.c). Returns 0 or -ENOMEM. */
int export_otf2_find_groups(struct export_otf2 *otf2);
void export_otf2_free_groups(struct export_otf2 *otf2);

/* The group of that identity, or of a message or access; NULL: none. The rank in it; EXPORT_OTF2_NONE: not known. */
struct export_otf2_group *export_otf2_find_group(const struct export_otf2 *otf2, uint64_t identity);
struct export_otf2_group *export_otf2_group_of(const struct export_otf2 *otf2, const struct export_step *step);
uint32_t export_otf2_rank_in(const struct export_otf2 *otf2, const struct export_otf2_group *group, int64_t all_rank);

/* After the enter of a region, and before its leave; and a message, or what a collective moved. */
void export_otf2_enter_call(struct export_otf2 *otf2, const struct export_step *step);
void export_otf2_leave_call(struct export_otf2 *otf2, const struct export_step *step);
void export_otf2_write_message(struct export_otf2 *otf2, const struct export_step *step);

/* Returns OTF2's paradigm of a model (otf2_roles.c). */
OTF2_Paradigm export_otf2_paradigm_of(const char *model);

/* Counts bytes of a metric that a collective operation moves. */
void export_otf2_count_collective(struct export_otf2 *otf2, const struct export_step *step);

#endif
