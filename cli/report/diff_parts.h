/* SPDX-License-Identifier: BSD-3-Clause */
/* The tables of `heddle diff`, one file each. */
#ifndef HEDDLE_CLI_DIFF_PARTS_H
#define HEDDLE_CLI_DIFF_PARTS_H

#include "analysis/comparison.h"
#include "analysis/diff.h"
#include "analysis/significance.h"
#include "cli/base/terminal.h"

struct heddle_diff_report {
	struct heddle_terminal terminal;
	double min_percent;
	struct heddle_diff diff;
};

/* Each returns 0 or a negative error. */
int heddle__diff_tree(const struct heddle_diff_report *report);
int heddle__diff_flat(const struct heddle_diff_report *report);

#endif
