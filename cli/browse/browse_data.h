/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The measurement that `heddle browse` shows, and the values of the metric, the thread and the part of the tree that
 * are chosen.
 */
#ifndef HEDDLE_CLI_BROWSE_DATA_H
#define HEDDLE_CLI_BROWSE_DATA_H

#include "analysis/summary.h"
#include "cli/base/session.h"
#include "profile/view/accesses.h"
#include "profile/view/view_sites.h"

struct heddle_browse_data {
	bool loaded;
	bool running; /* a process of it that can be seen from here still runs */
	struct heddle_session session;
	struct heddle_summary summary;
	enum heddle_metric metrics[HEDDLE_METRIC_LIMIT]; /* that have values */
	size_t metric_count;

	/* Chosen: */
	enum heddle_metric metric;
	const struct profile_process *process;
	const struct profile_thread *thread; /* NULL: all */
	uint32_t zoom;                       /* node of the view; 0: the whole program */

	/* Computed from that: */
	uint64_t *values;                 /* of the measurement's nodes, of one thread */
	uint64_t *self, *total;           /* of the view's nodes; 0 outside of the zoom */
	uint64_t *visits, *visits_below;  /* the same: their own; also those below */
	uint64_t most_visits;             /* of a node */
	uint64_t whole;                   /* what percentages refer to */
	bool *inside;                     /* the view's nodes in the zoom */
	uint64_t *site_self, *site_total; /* of the sites; NULL: not computed yet */

	/* Made on first use: */
	struct profile_sites sites;
	bool has_sites;
	struct profile_accesses accesses;
	bool has_accesses;
};

/* How a measurement is opened. */
extern const struct heddle_session_options heddle__browse_session_options;

/* Takes a session over, and chooses the metric; `metric` -1: the usual one. 0 or -ENOMEM, and then it is closed. */
int heddle__browse_data_take(struct heddle_browse_data *data, const struct heddle_session *session, int metric);
void heddle__browse_data_close(struct heddle_browse_data *data);

/* Whether its processes still run, anew. */
void heddle__browse_data_check_running(struct heddle_browse_data *data);

/* Computes the values after a choice. 0 or a negative error; -EINVAL: threads have no values of that metric. */
int heddle__browse_data_compute(struct heddle_browse_data *data);

/* The values of sites. 0 or -ENOMEM. */
int heddle__browse_data_sites(struct heddle_browse_data *data);

/* The source line of the most cost in a node, or in nodes of a label (`node` is HEDDLE_NO_NODE). false: unknown. */
bool heddle__browse_data_source(
	struct heddle_browse_data *data, uint32_t node, uint32_t label, const char **file, uint32_t *line);

/* The node of most cost with a label; HEDDLE_NO_NODE: none has any. */
uint32_t heddle__browse_data_hottest(const struct heddle_browse_data *data, uint32_t label, const uint64_t *values);

#endif
