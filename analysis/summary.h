/* SPDX-License-Identifier: BSD-3-Clause */
/* The head of a report: program, processes, threads, duration, and how it was sampled. */
#ifndef HEDDLE_ANALYSIS_SUMMARY_H
#define HEDDLE_ANALYSIS_SUMMARY_H

#include "profile/base/intern.h"
#include "profile/file/measurement.h"
#include "profile/view/view.h"

#define HEDDLE_SUMMARY_SOURCES 4 /* kinds of sample sources; further ones are added to the last */

struct heddle_summary {
	const Heddle__Profile__Process *first; /* the process that started first; NULL: none could be read */
	size_t processes, threads, hosts;
	uint64_t cpu_ns, start_ns, end_ns, samples, paused;
	uint64_t signals; /* that delivered the samples: one signal may deliver several; 0: not in old profiles */
	struct heddle_summary_source {
		const char *name;
		uint64_t cpu_ns;
	} sources[HEDDLE_SUMMARY_SOURCES];
};

/* Returns how often a call path was captured in the process: one such sample may account for several periods. */
uint64_t heddle__samples_of(const Heddle__Profile__Process *process);

/* Texts belong to the measurement. */
struct heddle_summary heddle__summarize(const struct profile_measurement *measurement);

/*
 * Adds the notes of all processes to `notes`, each once, in the order of the processes; then notes that follow from the
 * values of the view. Returns 0 or -ENOMEM.
 */
int heddle__notes_collect(
	struct profile_intern *notes, const struct profile_measurement *measurement, const struct profile_view *view);

/* Profiles written before their process ended: it was killed, could not write at its end, or is still running. */
struct heddle_incomplete {
	const Heddle__Profile__Process *first; /* the one whose process ended first; NULL: all are complete */
	size_t count, processes;               /* number of incomplete processes; of all that could be read */
};
struct heddle_incomplete heddle__incomplete_of(const struct profile_measurement *measurement);

/* Returns true if samples count an event, not time: the rarer the event, the coarser is CPU time by path. */
bool heddle__is_sampled_by_event(const struct profile_measurement *measurement);

#endif
