/* SPDX-License-Identifier: BSD-3-Clause */
/* A report for a pull request. */
#ifndef HEDDLE_CLI_REPORT_MARKDOWN_H
#define HEDDLE_CLI_REPORT_MARKDOWN_H

#include "cli/report/report_parts.h"

/* The measurement has values of the metric. 0 or -ENOMEM. */
int heddle__report_markdown(const struct heddle_session *session, enum heddle_metric metric);

#endif
