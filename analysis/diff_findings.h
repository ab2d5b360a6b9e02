/* SPDX-License-Identifier: BSD-3-Clause */
/* The most important facts about a difference, as a few sentences: the total, and the functions that changed most. */
#ifndef HEDDLE_ANALYSIS_DIFF_FINDINGS_H
#define HEDDLE_ANALYSIS_DIFF_FINDINGS_H

#include "analysis/diff.h"
#include "analysis/findings.h"

/* The findings' nodes are paths of the comparison. Returns 0 or -ENOMEM. */
int heddle__diff_findings_make(struct heddle_findings *findings, const struct heddle_diff *diff);

#endif
