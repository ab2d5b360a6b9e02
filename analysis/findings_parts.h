/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of findings share: adding sentences, and computing sums. */
#ifndef HEDDLE_ANALYSIS_FINDINGS_PARTS_H
#define HEDDLE_ANALYSIS_FINDINGS_PARTS_H

#include "analysis/findings.h"
#include "analysis/state_times.h"

/* Adds a finding in the order of weight. Returns NULL if all findings that fit are weightier. */
struct heddle_finding *heddle__finding_make(struct heddle_findings *findings, double weight);

/* Returns the name of the model whose calls exchange messages; NULL: there is none. */
const char *heddle__exchanging_model(const struct profile_call_tree *tree);

/*
 * Finds facts about calls that exchange messages, of the model that numbers the program's ranks: their share of the
 * ranks' time, and how much of it is waiting; messages of the most expensive size; communication that is not overlapped
 * with work; files. Returns 0 or -ENOMEM.
 */
int heddle__find_exchanges(struct heddle_findings *findings, const struct profile_measurement *measurement,
	const struct profile_view *view);

/* Finds time off the processor, outside of waits. For a program without teams and ranks no other finding reports it. */
void heddle__find_off_cpu(struct heddle_findings *findings, const struct profile_measurement *measurement,
	const struct profile_view *view, const struct heddle_state_times *times);

#endif
