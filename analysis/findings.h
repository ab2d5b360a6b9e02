/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is worth knowing of a measurement first, as a few sentences: what threads waited for and who caused it, the most
 * expensive function, uneven work, overhead. Each has the place in the call-path tree that it is about.
 */
#ifndef HEDDLE_ANALYSIS_FINDINGS_H
#define HEDDLE_ANALYSIS_FINDINGS_H

#include "profile/file/measurement.h"
#include "profile/view/view.h"

#define HEDDLE_FINDINGS 5
#define HEDDLE_FINDING_LENGTH 640 /* bytes; longer names are cut */

#define HEDDLE_FINDING_BRIEF 64 /* bytes */

struct heddle_finding {
	char text[HEDDLE_FINDING_LENGTH]; /* a sentence; names from the program stand between ` and ` */
	char brief[HEDDLE_FINDING_BRIEF]; /* the same in a few words */
	bool unexplained;                 /* about waiting, and blame was not measured */
	double weight;                    /* its share of the threads' time, 0 to 1 */
	uint32_t node;                    /* of the view; HEDDLE_NO_NODE: about the whole program */
	enum heddle_metric metric;        /* that the node is to be looked at by */
};

struct heddle_findings {
	struct heddle_finding items[HEDDLE_FINDINGS]; /* the weightiest first */
	size_t count;
};

#define HEDDLE_FINDING_NAME 500 /* bytes, enough for the columns that a name may take in a sentence */

/* A name for a sentence, cut in the middle if it is long, as in tables. Returns `name`. */
const char *heddle__finding_name(char name[HEDDLE_FINDING_NAME], const char *text);

/* Adds to the text of a finding, as printf does; what does not fit is cut. */
void heddle__finding_add(struct heddle_finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What the finding says in a few words, as printf does; what does not fit is cut. */
void heddle__finding_brief(struct heddle_finding *finding, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* A name for these few words. Returns `name`. */
const char *heddle__finding_brief_name(char name[HEDDLE_FINDING_NAME], const char *text);

/* 0 or -ENOMEM. Needs no values of single threads. */
int heddle__findings_make(struct heddle_findings *findings, const struct profile_measurement *measurement,
	const struct profile_view *view);

#endif
