/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses parts of a report by their table, and prints them. The file of a part decides what the part shows. */
#include "cli/report/report_parts.h"

#include <stdio.h>

const struct heddle_report_part *const heddle__report_parts[HEDDLE_REPORT_COUNT] = {
#define PART(name, option, help) [HEDDLE_REPORT_##name] = &heddle__report_part_##name,
#define OTHER(name) [HEDDLE_REPORT_##name] = &heddle__report_part_##name,
#define OPTION(name, argument, help, type, member)
	HEDDLE_REPORT_PARTS(PART, OTHER, OPTION)
#undef PART
#undef OTHER
#undef OPTION
};

/* The tree is shown unless a part that replaces it is. */
void heddle__report_choose_parts(struct heddle_report_options *options)
{
	bool other = false, timed = false, beside = false;
	for (int part = 0; part < HEDDLE_REPORT_COUNT; part++) {
		const struct heddle_report_part *is = heddle__report_parts[part];
		options->wanted[part] = is->wanted ? is->wanted(options) : options->given[part];
		if (!options->wanted[part] || part == HEDDLE_REPORT_tree)
			continue;
		beside |= is->beside_tree;
		timed |= is->traced && !is->beside_tree;
		other |= !is->traced;
	}
	options->wanted[HEDDLE_REPORT_tree] |= !other && (!timed || beside);
}

bool heddle__report_reads_trace(const struct heddle_report_options *options)
{
	bool traced = false;
	for (int part = 0; part < HEDDLE_REPORT_COUNT; part++)
		traced |= options->wanted[part] && heddle__report_parts[part]->traced;
	return traced;
}

bool heddle__report_is_unfolded(const struct heddle_report_options *options)
{
	bool unfolded = false;
	for (int part = 0; part < HEDDLE_REPORT_COUNT; part++)
		unfolded |= options->wanted[part] && heddle__report_parts[part]->unfolded;
	return unfolded;
}

bool heddle__report_needs_metric(const struct heddle_report_options *options)
{
	bool needed = false;
	for (int part = 0; part < HEDDLE_REPORT_COUNT; part++)
		needed |= options->wanted[part] && !heddle__report_parts[part]->own_metric;
	return needed;
}

int heddle__report_print_parts(const struct heddle_report *report)
{
	const struct heddle_report_options *options = report->options;
	bool first = true;
	int error = 0;
	for (int i = 0; i < 2 * HEDDLE_REPORT_COUNT && !error; i++) {
		int part = i % HEDDLE_REPORT_COUNT;
		bool traced = i < HEDDLE_REPORT_COUNT;
		if (!options->wanted[part] || heddle__report_parts[part]->traced != traced)
			continue;
		if (!first)
			putchar('\n');
		first = false;
		error = heddle__report_parts[part]->print(report);
	}
	return error;
}
