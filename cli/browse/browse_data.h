/* SPDX-License-Identifier: BSD-3-Clause */
/* The measurement that `heddle browse` shows, and values for the chosen metric, thread and part of the tree. */
#ifndef HEDDLE_CLI_BROWSE_DATA_H
#define HEDDLE_CLI_BROWSE_DATA_H

#include "analysis/summary.h"
#include "cli/base/session.h"
#include "profile/view/accesses.h"
#include "profile/view/view_sites.h"

struct heddle_browse_data {
	bool loaded;
	bool running; /* one of its processes that can be observed from this host still runs */
	struct heddle_session session;
	struct heddle_summary summary;
	enum heddle_metric metrics[HEDDLE_METRIC_LIMIT]; /* metrics that have values */
	size_t metric_count;

	/* Choices: */
	enum heddle_metric metric;
	const struct profile_process *process;
	const struct profile_thread *thread; /* NULL: all */
	uint32_t zoom;                       /* node of the view; 0: the whole program */

	/* Computed from the choices: */
	uint64_t *values;                 /* of the measurement's nodes, for one thread */
	uint64_t *self, *total;           /* of the view's nodes; 0 outside the zoom */
	uint64_t *visits, *visits_below;  /* of the view's nodes: their own; including nodes below */
	uint64_t most_visits;             /* the largest of a node */
	uint64_t whole;                   /* what percentages refer to */
	bool *inside;                     /* by node of the view: it is in the zoom */
	uint64_t *site_self, *site_total; /* of the sites; NULL: not computed yet */

	/* Made on first use: */
	struct profile_sites sites;
	bool has_sites;
	struct profile_accesses accesses;
	bool has_accesses;
};

/* How a measurement is opened. */
extern const struct heddle_session_options heddle__browse_session_options;

/*
 * Takes ownership of a session, and chooses the metric; `metric` -1: the default. Returns 0, or -ENOMEM after closing
 * the session.
 */
int heddle__browse_data_take(struct heddle_browse_data *data, const struct heddle_session *session, int metric);
void heddle__browse_data_close(struct heddle_browse_data *data);

/* Checks again whether its processes still run. */
void heddle__browse_data_check_running(struct heddle_browse_data *data);

/* Computes the values after a choice. Returns 0 or a negative error; -EINVAL: threads have no values of that metric. */
int heddle__browse_data_compute(struct heddle_browse_data *data);

/* Computes the values of sites. Returns 0 or -ENOMEM. */
int heddle__browse_data_sites(struct heddle_browse_data *data);

/*
 * Finds the source line with the largest cost in a node, or in the nodes of a label (`node` is HEDDLE_NO_NODE). Returns
 * false if it is unknown.
 */
bool heddle__browse_data_source(
	struct heddle_browse_data *data, uint32_t node, uint32_t label, const char **file, uint32_t *line);

/* Returns the node with the largest cost of a label; HEDDLE_NO_NODE: none has a cost. */
uint32_t heddle__browse_data_hottest(const struct heddle_browse_data *data, uint32_t label, const uint64_t *values);

#endif
