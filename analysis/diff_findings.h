/* SPDX-License-Identifier: BSD-3-Clause */
/* What is worth knowing of a difference first, as a few sentences: the whole, and the functions that changed most. */
#ifndef HEDDLE_ANALYSIS_DIFF_FINDINGS_H
#define HEDDLE_ANALYSIS_DIFF_FINDINGS_H

#include "analysis/diff.h"
#include "analysis/findings.h"

/* The nodes are paths of the comparison. 0 or -ENOMEM. */
int heddle__diff_findings_make(struct heddle_findings *findings, const struct heddle_diff *diff);

#endif
