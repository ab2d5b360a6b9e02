/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of `heddle report`, one file each. */
#ifndef HEDDLE_CLI_REPORT_PARTS_H
#define HEDDLE_CLI_REPORT_PARTS_H

#include "cli/session.h"
#include "cli/terminal.h"
#include "profile/spread.h"

#define HEDDLE_EXTRA_LIMIT 4

struct heddle_extra {
	enum heddle_metric metric;
	const char *heading;
};

struct heddle_report {
	const struct heddle_session *session;
	struct heddle_look look;
	enum heddle_metric metric;
	double min_percent;
	unsigned depth;                    /* 0: any */
	enum heddle_metric counts;         /* of a path itself, beside its metric */
	const struct heddle_extra *extras; /* more inclusive values of the tree's paths, where there is room */
	size_t extra_count;
	bool arguments; /* what values user events had, too */
	bool stats;     /* how values spread over threads, too */
};

/* How the metric spreads over the threads, by nodes or by labels (recursion counts once). 0 or a negative error. */
int heddle__spreads_make(struct heddle_spreads *spreads, const struct heddle_report *report, bool by_label);

/* Five columns (two on a narrow terminal), their heading, and how many characters they take (0 without stats). */
size_t heddle__spread_width(const struct heddle_report *report);
void heddle__print_spread_heading(const struct heddle_report *report);
void heddle__print_spread(
	const struct heddle_report *report, const struct heddle_spreads *spreads, const struct heddle_spread *spread);

/* The columns of a metric's values. */
int heddle__value_width(enum heddle_metric metric);

/* Program, when, how long, how many, how sampled, and notes. */
void heddle__report_header(const struct heddle_report *report);

/* Each returns 0 or a negative error. */
int heddle__report_tree(const struct heddle_report *report);
int heddle__report_flat(const struct heddle_report *report, const char *what);
int heddle__report_threads(const struct heddle_report *report);
int heddle__report_messages(const struct heddle_report *report);
int heddle__report_memory(const struct heddle_report *report);
int heddle__report_blame(const struct heddle_report *report);

/* With blame measured: how thread time splits into work, each kind of waiting, and idleness, in a line. */
void heddle__report_waiting(const struct heddle_report *report);

/*
 * A percentage in its column, coloured by size; and a label coloured by kind, in a line of which `used` columns are
 * taken: the columns it took.
 */
void heddle__print_percent(const struct heddle_report *report, uint64_t value, uint64_t total);
size_t heddle__print_label(const struct heddle_report *report, const struct heddle_label *label, size_t used);

/* "(3 paths below 1 % hidden ...)". */
void heddle__print_hidden(
	const struct heddle_report *report, size_t count, const char *what, uint64_t value, uint64_t total);

#endif
