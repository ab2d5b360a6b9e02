/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of `heddle report` share: their input, and what several of them print. */
#ifndef HEDDLE_CLI_REPORT_PARTS_H
#define HEDDLE_CLI_REPORT_PARTS_H

#include "cli/base/cells.h"
#include "cli/base/columns.h"
#include "cli/base/session.h"
#include "cli/base/terminal.h"
#include "cli/report/report_table.h"
#include "profile/merge/spread.h"

#define HEDDLE_EXTRA_LIMIT 5
#define HEDDLE_SPREAD_COLUMNS 5

struct heddle_extra {
	enum heddle_metric metric;
	const char *heading;
};

struct heddle_traced;

struct heddle_report {
	const struct heddle_session *session;
	const struct heddle_report_options *options; /* NULL outside of `heddle report` */
	const struct heddle_traced *traced;          /* open if a part reads the trace */
	struct heddle_terminal terminal;
	enum heddle_metric metric;
	double min_percent;                /* option --min, for heddle__least_percent */
	unsigned depth;                    /* 0: any */
	enum heddle_metric counts;         /* exclusive count shown beside the metric */
	const struct heddle_extra *extras; /* further inclusive columns of the tree, where they fit */
	size_t extra_count;
	bool arguments;     /* also the values of user events' arguments */
	bool stats;         /* also how values spread over threads */
	const char *part;   /* part of the run, in words; NULL: the whole run */
	const char *clocks; /* how clocks were corrected, in words; NULL: not corrected */
};

/*
 * Computes how the metric spreads over the threads, by nodes or by labels (recursion counts once). Returns 0 or a
 * negative error.
 */
int heddle__spreads_make(struct profile_spreads *spreads, const struct heddle_report *report, bool by_label);

/* Describes the columns of a spread (none without stats), and prints those that are shown, with a blank before each. */
void heddle__spread_columns(struct heddle_column columns[HEDDLE_SPREAD_COLUMNS], const struct heddle_report *report);
void heddle__print_spread(const struct heddle_report *report, const struct heddle_column columns[HEDDLE_SPREAD_COLUMNS],
	const struct profile_spreads *spreads, const struct profile_spread *spread);

/* Prints the program, when and how long it ran, the numbers of processes and threads, how it was sampled, and notes. */
void heddle__report_header(const struct heddle_report *report);

/*
 * Prints, as the first sentence, which part of the threads' time was useful and what the rest was lost to; nothing for
 * a run of one thread, or for a merged file. Sets *printed if there is a sentence. Needs keep_threads. Returns 0 or a
 * negative error.
 */
int heddle__report_efficiency_sentence(const struct heddle_report *report, bool *printed);

/* Prints a line if profiles were written before their process ended. */
void heddle__print_incomplete(const struct profile_measurement *measurement);

/* What is missing in the efficiency if no trace can be read. */
#define HEDDLE_NO_NETWORK "what the network takes is not known"

/*
 * Parts that other parts contain, with their own metric. `what` is the noun for a row. Both return 0 or a negative
 * error.
 */
int heddle__report_tree(const struct heddle_report *report);
int heddle__report_flat(const struct heddle_report *report, const char *what);

/*
 * With blame measured, prints in one line how thread time splits into work, each kind of waiting, and idleness. With
 * `locks`, prints a line if much of the threads' elapsed time is lock wait, whether or not blame was measured.
 */
void heddle__report_waiting(const struct heddle_report *report, bool locks);

/* Prints calls that exchange data, by call path; nothing if there are none. Returns 0 or a negative error. */
int heddle__report_message_paths(const struct heddle_report *report);

/* Prints what ranks exchanged, in several tables; nothing if they did not. Returns 0 or a negative error. */
int heddle__report_exchanges(const struct heddle_report *report);

/*
 * Prints what ranks read from files and wrote to them, by file; nothing if they did not. Returns 0 or a negative error.
 */
int heddle__report_files(const struct heddle_report *report);

/* Prints "(3 paths below 1 % hidden ...)". */
void heddle__print_hidden(
	const struct heddle_report *report, size_t count, const char *what, uint64_t value, uint64_t total);

#endif
