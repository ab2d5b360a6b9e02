/* SPDX-License-Identifier: BSD-3-Clause */
/* Sentences about a difference, with the numbers of its tables. */
#include "analysis/diff_findings.h"

#include "analysis/text.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHANGE_MATTERS 0.01 /* of the larger total, as tables have it by default */

static struct heddle_finding *add_finding(struct heddle_findings *findings, const struct heddle_diff *diff)
{
	struct heddle_finding *finding = &findings->items[findings->count++];
	*finding = (struct heddle_finding){.node = HEDDLE_NO_NODE, .metric = diff->metric};
	return finding;
}

static bool is_time(const struct heddle_diff *diff)
{
	return strcmp(profile_metric_unit(diff->metric), "ns") == 0;
}

static bool is_unsure(const struct heddle_difference *is)
{
	return is->tested && is->p >= HEDDLE_SIGNIFICANT;
}

static void say_value(struct heddle_finding *finding, const struct heddle_diff *diff, double value)
{
	char text[32];
	heddle__finding_add(finding, "%s",
		heddle__format_value(text, sizeof(text), (uint64_t)(value + 0.5), profile_metric_unit(diff->metric)));
}

static void say_significance(struct heddle_finding *finding, const char *before, const struct heddle_difference *is)
{
	char text[32];
	if (is->tested)
		heddle__finding_add(finding, "%s%s", before, heddle__format_significance(text, sizeof(text), is));
}

/* Writes " by 2.00 s, -50.0 % (4.00 s -> 2.00 s, p < 0.001)." */
static void say_numbers(
	struct heddle_finding *finding, const struct heddle_diff *diff, const struct heddle_difference *is)
{
	char percent[32];
	heddle__finding_add(finding, " %s by ", is->change > 0 ? "rose" : "fell");
	say_value(finding, diff, fabs(is->change));
	if (is->before > 0 && is->after > 0)
		heddle__finding_add(finding, ", %s", heddle__format_change(percent, sizeof(percent), is));
	heddle__finding_add(finding, " (");
	say_value(finding, diff, is->before);
	heddle__finding_add(finding, " -> ");
	say_value(finding, diff, is->after);
	say_significance(finding, ", ", is);
	heddle__finding_add(finding, ").");
}

static void say_brief(struct heddle_finding *finding, const char *name, const struct heddle_difference *is)
{
	char percent[32], fitted[HEDDLE_FINDING_NAME];
	if (is->before > 0 && is->after > 0)
		heddle__finding_brief(finding, "%s %s", heddle__finding_brief_name(fitted, name),
			heddle__format_change(percent, sizeof(percent), is));
	else
		heddle__finding_brief(
			finding, "%s is %s", heddle__finding_brief_name(fitted, name), is->before > 0 ? "gone" : "new");
}

static const char *did_what(const struct heddle_diff *diff, const struct heddle_difference *is)
{
	if (is_time(diff))
		return is->change > 0 ? "became slower" : "became faster";
	return is->change > 0 ? "has more" : "has less";
}

static void find_whole(struct heddle_findings *findings, const struct heddle_diff *diff)
{
	const struct heddle_difference *whole = &diff->whole;
	struct heddle_finding *finding = add_finding(findings, diff);
	const char *name = profile_metric_name(diff->metric);
	finding->node = 0;
	if (fabs(whole->change) < 0.5) {
		heddle__finding_add(finding, "The program's %s did not change.", name);
	} else {
		if (is_unsure(whole))
			heddle__finding_add(finding, "The program did not change significantly: its %s", name);
		else
			heddle__finding_add(finding, "The program %s: its %s", did_what(diff, whole), name);
		say_numbers(finding, diff, whole);
		say_brief(finding, name, whole);
	}
	if (!whole->tested)
		heddle__finding_add(add_finding(findings, diff),
			"With one run per side, a change cannot be distinguished from chance: give several runs per "
			"side.");
}

static void say_function(struct heddle_finding *finding, const struct heddle_diff *diff,
	const struct heddle_common_path *path, const struct heddle_difference *is)
{
	char function[HEDDLE_FINDING_NAME];
	const char *name = profile_metric_name(diff->metric);
	heddle__finding_add(finding, "`%s` ", heddle__finding_name(function, path->text));
	say_brief(finding, path->text, is);
	if (is->before > 0 && is->after > 0) {
		heddle__finding_add(finding, "%s: its own %s", did_what(diff, is), name);
		say_numbers(finding, diff, is);
		return;
	}
	heddle__finding_add(finding, is->before > 0 ? "is gone: its own %s was " : "is new: its own %s is ", name);
	say_value(finding, diff, is->before + is->after);
	say_significance(finding, " (", is);
	heddle__finding_add(finding, is->tested ? ")." : ".");
}

/* Returns the function's path with the largest change, to which a finding refers. */
static uint32_t most_changed_path(const struct heddle_diff *diff, const struct heddle_common_rows *rows, uint32_t row)
{
	const struct heddle_comparison *all = &diff->comparison;
	uint32_t found = rows->path[row];
	double most = -1;
	for (uint32_t i = 0; i < all->count; i++) {
		double change = 0;
		for (size_t r = 0; rows->row_of[i] == row && r < all->run_count; r++)
			change += (r < diff->before_count ? -1.0 / (double)diff->before_count
							  : 1.0 / (double)(all->run_count - diff->before_count)) *
				  (double)heddle__run_own(&all->runs[r], i);
		if (rows->row_of[i] == row && fabs(change) > most) {
			most = fabs(change);
			found = i;
		}
	}
	return found;
}

static void find_functions(
	struct heddle_findings *findings, const struct heddle_diff *diff, const struct heddle_diff_rows *rows)
{
	size_t said = 0;
	double whole = fmax(diff->whole.before, diff->whole.after);
	for (size_t i = 0; i < rows->count && findings->count < HEDDLE_FINDINGS; i++) {
		const struct heddle_diff_row *row = &rows->items[i];
		if (fabs(row->is.change) < CHANGE_MATTERS * whole || is_unsure(&row->is))
			continue;
		uint32_t path = most_changed_path(diff, &rows->common, row->row);
		struct heddle_finding *finding = add_finding(findings, diff);
		say_function(finding, diff, &diff->comparison.paths[path], &row->is);
		finding->node = path;
		said++;
	}
	if (said == 0)
		heddle__finding_add(add_finding(findings, diff), "No function changed %sby 1 %% of the whole or more.",
			diff->whole.tested ? "significantly " : "");
}

int heddle__diff_findings_make(struct heddle_findings *findings, const struct heddle_diff *diff)
{
	struct heddle_diff_rows rows;
	*findings = (struct heddle_findings){.count = 0};
	int error = heddle__diff_rows_make(&rows, diff);
	if (!error) {
		find_whole(findings, diff);
		find_functions(findings, diff, &rows);
	}
	heddle__diff_rows_free(&rows);
	return error;
}
