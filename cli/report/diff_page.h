/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle diff --html FILE`: the difference as a page for a browser. */
#ifndef HEDDLE_CLI_DIFF_PAGE_H
#define HEDDLE_CLI_DIFF_PAGE_H

#include "analysis/diff.h"
#include "cli/base/session.h"

/*
 * `sessions` are the runs of `diff`, `views` their views, and `names` their names on the page. Returns 0, or an exit
 * status after a line.
 */
int heddle__diff_page(const struct heddle_diff *diff, const struct heddle_session *sessions,
	const struct profile_view *const *views, const char *const *names, const char *path);

#endif
