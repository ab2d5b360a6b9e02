/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of findings share: how a sentence is added, and where a sum comes from. */
#ifndef HEDDLE_ANALYSIS_FINDINGS_PARTS_H
#define HEDDLE_ANALYSIS_FINDINGS_PARTS_H

#include "analysis/findings.h"
#include "analysis/state_times.h"

/* Adds a finding in the order of weight; NULL: others are weightier. */
struct heddle_finding *heddle__finding_make(struct heddle_findings *findings, double weight);

/* The name of the model whose calls exchange messages; NULL: there is none. */
const char *heddle__exchanging_model(const struct profile_call_tree *tree);

/*
 * Calls that exchange messages, of the model that numbers the program's ranks: how much of the ranks' time they take,
 * and how much of that is waiting; messages of the most expensive size; communication that nothing else is done during;
 * files. 0 or -ENOMEM.
 */
int heddle__find_exchanges(struct heddle_findings *findings, const struct profile_measurement *measurement,
	const struct profile_view *view);

/* Time without a processor, outside of waits: of a program without teams and ranks no other sentence says it. */
void heddle__find_off_cpu(struct heddle_findings *findings, const struct profile_measurement *measurement,
	const struct profile_view *view, const struct heddle_state_times *times);

#endif
