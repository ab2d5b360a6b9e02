/* SPDX-License-Identifier: BSD-3-Clause */
/* What `heddle report` shows from a trace: parts of the run, and what happened when. */
#ifndef HEDDLE_CLI_REPORT_TRACED_H
#define HEDDLE_CLI_REPORT_TRACED_H

#include "cli/base/progress.h"
#include "cli/clock_correction.h"
#include "cli/report/report_parts.h"
#include "profile/trace/trace_critical.h"

/* What shows how far reading a trace is. */
struct heddle_traced_steps {
	struct heddle_progress line;
	struct profile_trace_steps steps;
};

/* A trace, opened for a report. */
struct heddle_traced {
	bool open;
	struct profile_trace trace;
	struct heddle_traced_steps *steps;
	struct profile_trace_part part; /* that is shown; for a phase from its first begin to its last end */
	bool whole;                     /* the part is the whole run */
	struct profile_trace_critical critical;
	int critical_metric;                 /* its number; -1: not asked for */
	uint64_t rank_waits_ns;              /* that ranks waited for each other; 0: not, or blame is not asked for */
	bool ranks_traced;                   /* the code to blame is from the trace */
	char shown[160];                     /* the part, in words */
	char clocks[HEDDLE_CORRECTION_TEXT]; /* how they were corrected, in words; empty: not */
};

/* Returns true if the profile is to be replaced by that of a part of the run. */
bool heddle__traced_is_part(const struct heddle_traced_options *options);

/*
 * Checks the options as far as possible without a measurement; `wanted`: the trace is read. 0, or HEDDLE_EXIT_USAGE
 * after one line on standard error.
 */
int heddle__traced_check(const struct heddle_traced_options *options, bool wanted);

/*
 * Opens the trace of a measurement that was read with keep_threads and not named yet; replaces its values by those of
 * the part; `critical`: adds the critical path as a metric. 0, or an exit status after one line on standard error; to
 * be closed in any case.
 */
int heddle__traced_open(struct heddle_traced *traced, struct profile_measurement *measurement,
	const struct heddle_traced_options *options, bool critical);
/*
 * The same of a whole run, if it has a trace that can be read and that is not open: an unreadable one is reported with
 * what is missing for that.
 */
void heddle__traced_take(
	struct heddle_traced *traced, const struct profile_measurement *measurement, const char *missing);

/* Returns true if all of an open trace could be read; else a line for each damaged file. */
bool heddle__traced_is_sound(const struct heddle_traced *traced, const char *missing);
void heddle__traced_close(struct heddle_traced *traced);

/*
 * Charges what ranks waited for each other to the code to blame, for --blame: by the trace, if the measurement has one
 * (the one that was opened, and its part), before it is named; else, when it is named, by imbalance. 0, or an exit
 * status after one line on standard error.
 */
int heddle__traced_blame(struct heddle_traced *traced, struct profile_measurement *measurement);
int heddle__traced_blame_without(struct heddle_traced *traced, struct heddle_session *session);

/* Around what reads the trace: a line on the terminal shows how far it is. Nothing else is printed in between. */
void heddle__traced_begin(const struct heddle_traced *traced);
void heddle__traced_end(const struct heddle_traced *traced);

#endif
