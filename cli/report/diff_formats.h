/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle diff --format`: the largest changes by function, for pull requests. Nothing is computed here. */
#ifndef HEDDLE_CLI_DIFF_FORMATS_H
#define HEDDLE_CLI_DIFF_FORMATS_H

#include "cli/report/diff_parts.h"

/* 0 or a negative error. */
int heddle__diff_markdown(const struct heddle_diff_report *report);

/* One test case, which `fails` if the metric rose by more than `limit` percent. */
int heddle__diff_junit(const struct heddle_diff_report *report, bool fails, double limit);

#endif
