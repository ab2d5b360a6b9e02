/* SPDX-License-Identifier: BSD-3-Clause */
/* What `heddle report` reads from a trace: parts of the run, and what happened when. */
#ifndef HEDDLE_CLI_REPORT_TRACED_H
#define HEDDLE_CLI_REPORT_TRACED_H

#include "cli/base/progress.h"
#include "cli/clock_correction.h"
#include "cli/report/report_parts.h"
#include "profile/trace/trace_critical.h"

/* Shows the progress of reading a trace. */
struct heddle_traced_steps {
	struct heddle_progress line;
	struct profile_trace_steps steps;
};

/* A trace, opened for a report. */
struct heddle_traced {
	bool open;
	struct profile_trace trace;
	struct heddle_traced_steps *steps;
	struct profile_trace_part part; /* the part that is shown; for a phase, from its first begin to its last end */
	bool whole;                     /* the part is the whole run */
	struct profile_trace_critical critical;
	int critical_metric;                 /* number of the metric; -1: not requested */
	uint64_t rank_waits_ns;              /* that ranks waited for each other; 0: none, or blame is not requested */
	bool ranks_traced;                   /* the culprits are from the trace */
	char shown[160];                     /* the part, in words */
	char clocks[HEDDLE_CORRECTION_TEXT]; /* how clocks were corrected, in words; empty: not corrected */
};

/* True if the values of the profile must be replaced by those of a part of the run. */
bool heddle__traced_is_part(const struct heddle_traced_options *options);

/*
 * Checks the options as far as possible without a measurement; `wanted`: the trace is read. Returns 0, or
 * HEDDLE_EXIT_USAGE after one line on standard error.
 */
int heddle__traced_check(const struct heddle_traced_options *options, bool wanted);

/*
 * Opens the trace of a measurement that was read with keep_threads and not named yet; replaces the measurement's values
 * by those of the part; if `critical`, adds the critical path as a metric. Returns 0, or an exit status after one line
 * on standard error; close the trace in any case.
 */
int heddle__traced_open(struct heddle_traced *traced, struct profile_measurement *measurement,
	const struct heddle_traced_options *options, bool critical);
/*
 * Opens the trace of a whole run, unless it is open or there is none. A trace that cannot be read is reported, with
 * what will be `missing` for that reason.
 */
void heddle__traced_take(
	struct heddle_traced *traced, const struct profile_measurement *measurement, const char *missing);

/* True if all of an open trace could be read; else prints a line for each damaged file. */
bool heddle__traced_is_sound(const struct heddle_traced *traced, const char *missing);
void heddle__traced_close(struct heddle_traced *traced);

/*
 * For --blame, charges the time that ranks waited for each other to the culprits: before the measurement is named, by
 * its trace if there is one (the open one, and its part); else, after it is named, by imbalance. Return 0, or an exit
 * status after one line on standard error.
 */
int heddle__traced_blame(struct heddle_traced *traced, struct profile_measurement *measurement);
int heddle__traced_blame_without(struct heddle_traced *traced, struct heddle_session *session);

/* Call around reading the trace: a line on the terminal shows the progress. Nothing else may be printed in between. */
void heddle__traced_begin(const struct heddle_traced *traced);
void heddle__traced_end(const struct heddle_traced *traced);

#endif
