/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of `heddle report`, one file each. */
#ifndef HEDDLE_CLI_REPORT_PARTS_H
#define HEDDLE_CLI_REPORT_PARTS_H

#include "cli/session.h"
#include "cli/terminal.h"

struct heddle_report {
	const struct heddle_session *session;
	struct heddle_look look;
	enum heddle_metric metric;
	double min_percent;
	unsigned depth; /* 0: any */
};

/* Program, when, how long, how many, how sampled, and notes. */
void heddle__report_header(const struct heddle_report *report);

/* Each returns 0 or -ENOMEM. */
int heddle__report_tree(const struct heddle_report *report);
int heddle__report_flat(const struct heddle_report *report, const char *what);
int heddle__report_threads(const struct heddle_report *report);

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
