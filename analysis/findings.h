/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The most important facts about a measurement, as a few sentences: what threads waited for and who caused it, the most
 * expensive function, uneven work, overhead. Each finding has the node of the call-path tree that it is about.
 */
#ifndef HEDDLE_ANALYSIS_FINDINGS_H
#define HEDDLE_ANALYSIS_FINDINGS_H

#include "profile/file/measurement.h"
#include "profile/view/view.h"

#define HEDDLE_FINDINGS 5
#define HEDDLE_FINDING_LENGTH 640 /* bytes; longer texts are truncated */

#define HEDDLE_FINDING_BRIEF 64 /* bytes */

struct heddle_finding {
	char text[HEDDLE_FINDING_LENGTH]; /* a sentence; names from the program are between ` and ` */
	char brief[HEDDLE_FINDING_BRIEF]; /* the same in a few words */
	bool unexplained;                 /* about waiting, and blame was not measured */
	double weight;                    /* its share of the threads' time, 0 to 1 */
	uint32_t node;                    /* of the view; HEDDLE_NO_NODE: about the whole program */
	enum heddle_metric metric;        /* the metric in which to look at the node */
};

struct heddle_findings {
	struct heddle_finding items[HEDDLE_FINDINGS]; /* by weight, the largest first */
	size_t count;
};

#define HEDDLE_FINDING_NAME 500 /* bytes; enough for the columns that a name may take in a sentence */

/* Writes a name for a sentence, cut in the middle if it is long, as in tables. Returns `name`. */
const char *heddle__finding_name(char name[HEDDLE_FINDING_NAME], const char *text);

/* Appends to the text of a finding, like printf; what does not fit is truncated. */
void heddle__finding_add(struct heddle_finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Sets the short form of a finding, like printf; what does not fit is truncated. */
void heddle__finding_brief(struct heddle_finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Writes a name for the short form. Returns `name`. */
const char *heddle__finding_brief_name(char name[HEDDLE_FINDING_NAME], const char *text);

/* Returns 0 or -ENOMEM. Needs no values of single threads. */
int heddle__findings_make(struct heddle_findings *findings, const struct profile_measurement *measurement,
	const struct profile_view *view);

#endif
