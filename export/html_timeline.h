/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the timeline of a page has besides pieces of time: curves of what was counted, and arrows of messages and
 * accesses. Functions return 0 or a negative error; those that write write one member of a JSON object.
 */
#ifndef HEDDLE_EXPORT_HTML_TIMELINE_H
#define HEDDLE_EXPORT_HTML_TIMELINE_H

#include "export/formats.h"

struct export_timeline {
	const struct export_request *request;
	struct profile_trace_part part, kept; /* kept: with all spans */
	const size_t *threads;                /* of the trace: those shown, ascending */
	size_t count, workers;
};

/*
 * The stretch of `length_ns` of the part whose spans the page has all; `states` of the tree's nodes; `kept` is not
 * needed. 0 or a negative error.
 */
int export_timeline_stretch(const struct export_timeline *timeline, const uint8_t *states, uint64_t length_ns,
	struct profile_trace_part *stretch);

/* CPU time, counters and bytes that were moved, of all shown threads, in columns of equal length. */
#define EXPORT_CURVE_COLUMNS 512
struct export_curves {
	const struct export_timeline *timeline; /* `kept` is not needed */
	double **of;                            /* by worker, metric: of [columns], made on first use; NULL: nothing */
};

/* One thread, whose events a worker takes in their order. */
struct export_curve_walk {
	const struct export_curves *curves;
	double **of;                            /* of the worker */
	uint64_t since_ns[HEDDLE_METRIC_LIMIT]; /* of the amount before */
	uint64_t begin_ns;
};

int export_curves_begin(struct export_curves *curves, const struct export_timeline *timeline);
void export_curves_walk(struct export_curve_walk *walk, const struct export_curves *curves, size_t worker);
int export_curves_take(struct export_curve_walk *walk, const struct profile_trace_event *event);
int export_curves_write(const struct export_curves *curves, FILE *out);
void export_curves_free(struct export_curves *curves);

/*
 * Messages from send to receive, and accesses to other threads' memory; in each piece of time those with most bytes,
 * and of `kept` all, as far as there is room.
 */
#define EXPORT_ARROWS_KEPT 4096
#define EXPORT_ARROW_COLUMNS 256
#define EXPORT_ARROWS_EACH 16
int export_timeline_arrows(const struct export_timeline *timeline, FILE *out);

#endif
