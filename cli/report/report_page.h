/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --html FILE`: the measurement as a page for a browser. */
#ifndef HEDDLE_CLI_REPORT_PAGE_H
#define HEDDLE_CLI_REPORT_PAGE_H

#include "cli/session.h"

/* Writes the page; with the text of source files, if asked for. 0, or an exit status after a line. */
int heddle__report_page(const struct heddle_session *session, const char *path, bool sources);

#endif
