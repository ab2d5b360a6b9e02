/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Late arrivals at barriers and in collectives, and late messages, from a trace: how long threads waited at each source
 * line, and for whom. Sums over the run may be balanced although threads wait at each barrier: when a different thread
 * is late each time.
 */
#ifndef HEDDLE_ANALYSIS_LATE_H
#define HEDDLE_ANALYSIS_LATE_H

#include "profile/trace/trace_late.h"
#include "profile/view/view.h"

/* A thread that others waited for in a row. */
struct heddle_late_cause {
	size_t thread;      /* of the trace */
	uint32_t label;     /* label of the view: where the thread was then */
	uint64_t last;      /* how often it arrived last */
	uint64_t caused_ns; /* time that the others waited for it */
};

/* Waits of the same kind with the same label. */
struct heddle_late_row {
	enum profile_trace_wait kind;
	uint32_t label;                   /* of the view */
	uint32_t node;                    /* of the view: the path with most of the waiting */
	uint64_t count;                   /* barriers, collectives, messages */
	uint64_t waited_ns;               /* by all threads except the last */
	uint64_t longest_ns;              /* by one thread at one of them */
	uint64_t longest_at_ns;           /* arrival of the thread that was waited for in the longest wait */
	size_t longest_by;                /* that thread */
	uint64_t node_ns;                 /* waited on that path */
	struct heddle_late_cause *causes; /* with most waiting time first */
	size_t cause_count;
};

struct heddle_late {
	struct heddle_late_row *rows; /* most waiting first */
	size_t count;
	uint64_t waited_ns;                          /* at all of them */
	uint64_t of_kind[HEDDLE_WAITS];              /* by kind */
	enum profile_trace_wait kinds[HEDDLE_WAITS]; /* kinds that threads waited in, most waiting first */
	size_t kind_count;
	uint64_t elapsed_ns; /* of all the program's threads in this part of the run */
};

/*
 * Makes rows for the waits that end in a part of the run, by labels of a view of the trace's measurement. Reads the
 * trace. Returns 0 or a negative error, after which there is nothing to free.
 */
int heddle__late_make(struct heddle_late *late, const struct profile_view *view, const struct profile_trace *trace,
	const struct profile_trace_part *part);
void heddle__late_free(struct heddle_late *late);

/* Like heddle__late_make, for waits that were already found. */
int heddle__late_of(struct heddle_late *late, const struct profile_view *view, const struct profile_trace *trace,
	const struct profile_trace_part *part, const struct profile_trace_late *waits);

/* Return the name of a kind of waiting: in words, "waits at barriers", and for scripts, "barrier". */
const char *heddle__late_text(enum profile_trace_wait kind);
const char *heddle__late_name(enum profile_trace_wait kind);

/* Returns the row with the longest wait of one thread; NULL: there are no rows. */
const struct heddle_late_row *heddle__late_longest(const struct heddle_late *late);

#endif
