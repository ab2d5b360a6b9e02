/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --html FILE`: the measurement as a page for a browser. */
#ifndef HEDDLE_CLI_REPORT_PAGE_H
#define HEDDLE_CLI_REPORT_PAGE_H

#include "cli/report/report_traced.h"

/*
 * Writes the page; if requested, with the text of source files. For the timeline, opens the trace if there is one and
 * it is not open yet. Returns 0, or an exit status after a line.
 */
int heddle__report_page(
	const struct heddle_session *session, struct heddle_traced *traced, const char *path, bool sources);

#endif
