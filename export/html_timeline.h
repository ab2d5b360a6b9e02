/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The timeline of a page, except its pieces of time: curves of what was counted, and arrows of messages and accesses.
 * Functions return 0 or a negative error; those that write produce one member of a JSON object.
 */
#ifndef HEDDLE_EXPORT_HTML_TIMELINE_H
#define HEDDLE_EXPORT_HTML_TIMELINE_H

#include "export/formats.h"

struct export_timeline {
	const struct export_request *request;
	struct profile_trace_part part, kept; /* kept: stored with all spans */
	const size_t *threads;                /* shown threads, as indices into the trace's, ascending */
	size_t count, workers;
};

/*
 * Finds the stretch of the part, of length `length_ns`, for which the page has all spans. `states` are those of the
 * tree's nodes; `kept` is unused. Returns 0 or a negative error.
 */
int export_timeline_stretch(const struct export_timeline *timeline, const uint8_t *states, uint64_t length_ns,
	struct profile_trace_part *stretch);

/* CPU time, counters and moved bytes of all shown threads, in columns of equal length. */
#define EXPORT_CURVE_COLUMNS 512
struct export_curves {
	const struct export_timeline *timeline; /* `kept` is unused */
	double **of;                            /* by worker, metric: values by column, made on first use; NULL: none */
};

/* The events of one thread, which a worker reads in their order. */
struct export_curve_walk {
	const struct export_curves *curves;
	double **of;                            /* of the worker */
	uint64_t since_ns[HEDDLE_METRIC_LIMIT]; /* time of the amount before */
	uint64_t begin_ns;
};

int export_curves_begin(struct export_curves *curves, const struct export_timeline *timeline);
void export_curves_walk(struct export_curve_walk *walk, const struct export_curves *curves, size_t worker);
int export_curves_take(struct export_curve_walk *walk, const struct profile_trace_event *event);
int export_curves_write(const struct export_curves *curves, FILE *out);
void export_curves_free(struct export_curves *curves);

/*
 * Writes messages from send to receive, and accesses to other threads' memory: in each piece of time those with most
 * bytes, and in `kept` all, as far as there is room.
 */
#define EXPORT_ARROWS_KEPT 4096
#define EXPORT_ARROW_COLUMNS 256
#define EXPORT_ARROWS_EACH 16
int export_timeline_arrows(const struct export_timeline *timeline, FILE *out);

#endif
