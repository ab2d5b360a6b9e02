/* SPDX-License-Identifier: BSD-3-Clause */
/* Sentences of `heddle advise` on whole loops: their measured and their predicted time. */
#include "tune/advise/print.h"

#include "cli/base/terminal.h"
#include "profile/base/base_name.h"
#include "profile/view/view.h"

#include <inttypes.h>
#include <stdio.h>

/* If bounds differ by more than this factor, they are shown, too. */
#define UNCERTAIN 1.3

static char *format_us(char *text, size_t size, double us)
{
	return heddle__format_time(text, size, us > 0 ? (uint64_t)(us * 1000) : 0);
}

/* "28.9 ms", or, when the network's times varied, "28.9 ms (20.1 ms to 45.0 ms)". */
static void format_bounds(char *text, size_t size, const double *us)
{
	char typical[32], low[32], high[32];
	format_us(typical, sizeof typical, us[HEDDLE_TYPICAL]);
	if (us[HEDDLE_HIGH] <= UNCERTAIN * us[HEDDLE_TYPICAL] && us[HEDDLE_TYPICAL] <= UNCERTAIN * us[HEDDLE_LOW])
		snprintf(text, size, "%s", typical);
	else
		snprintf(text, size, "%s (%s to %s)", typical, format_us(low, sizeof low, us[HEDDLE_LOW]),
			format_us(high, sizeof high, us[HEDDLE_HIGH]));
}

static void print_loop(const struct heddle_advice_page *page, const struct heddle_advice *loop)
{
	double us[HEDDLE_BOUNDS];
	char before[32], after[112];
	for (int bound = 0; bound < HEDDLE_BOUNDS; bound++)
		us[bound] = heddle__advices_loop(page->advices, loop, (enum heddle_bound)bound);
	format_bounds(after, sizeof after, us);
	heddle__advice_say(page, "%s:%" PRIu32 ": the loop takes %s, and would take about %s.\n",
		profile_base_name(loop->file), loop->line, format_us(before, sizeof before, loop->loop_us), after);
}

void heddle__advice_print_loops(const struct heddle_advice_page *page)
{
	const struct heddle_advices *advices = page->advices;
	char first[32];
	bool any = false;
	for (size_t i = 0; i < advices->count; i++) {
		if (!heddle__advice_begins_loop(advices, i) || advices->items[i].loop_us <= 0)
			continue;
		print_loop(page, &advices->items[i]);
		any = true;
	}
	if (any && advices->first_us > 0)
		heddle__advice_say(page, "The first of them takes about %s more, once.\n",
			format_us(first, sizeof first, advices->first_us));
}
