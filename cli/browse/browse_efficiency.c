/* SPDX-License-Identifier: BSD-3-Clause */
/* Parallel efficiency: the factors of the run, and its phases and parallel regions by their losses. */
#include "cli/browse/browse.h"

#include "analysis/efficiency_factors.h"

#include <stdio.h>
#include <string.h>

#define OF_RUN (HEDDLE_FACTOR_COUNT + 1) /* rows at most: the efficiency, and its factors */

enum { COLUMN_FACTOR, COLUMN_LOST, COLUMNS };

struct efficiency {
	struct heddle_efficiency_factors factors;
	int shown[OF_RUN]; /* factors, in their order; -1: all of them */
	size_t count;      /* number of these rows; rows of scopes follow, from the second scope on */
	bool known;
};

static struct efficiency *efficiency_of(const struct heddle_browse *browse)
{
	return browse->states[HEDDLE_BROWSE_efficiency].own;
}

static void release(void *own)
{
	heddle__efficiency_factors_free(&((struct efficiency *)own)->factors);
}

static int make(struct heddle_browse *browse)
{
	struct efficiency *efficiency = efficiency_of(browse);
	struct heddle_efficiency_factors *factors = &efficiency->factors;
	const struct profile_measurement *measurement = &browse->data.session.measurement;
	if (measurement->merged)
		return 0;
	int error = heddle__efficiency_factors_make(factors, measurement, &browse->data.session.view);
	if (error || !(factors->scopes[0].left[HEDDLE_FACTOR_COUNT] > 0))
		return error;
	efficiency->known = true;
	efficiency->shown[efficiency->count++] = -1;
	for (int factor = 0; factor < HEDDLE_FACTOR_COUNT; factor++)
		if (heddle__factor_matters(factors, factor))
			efficiency->shown[efficiency->count++] = factor;
	return 0;
}

static const char *missing(struct heddle_browse *browse)
{
	struct heddle_browse_state *state = &browse->states[HEDDLE_BROWSE_efficiency];
	if (!state->made || efficiency_of(browse)->known)
		return NULL;
	return browse->data.session.measurement.merged ? "a merged file has no values of single threads"
						       : "no useful time was measured";
}

static size_t count(const struct heddle_browse *browse)
{
	const struct efficiency *efficiency = efficiency_of(browse);
	return efficiency->known ? efficiency->count + efficiency->factors.count - 1 : 0;
}

static size_t columns(struct heddle_browse *browse, struct heddle_column columns[HEDDLE_BROWSE_COLUMNS])
{
	(void)browse;
	columns[COLUMN_FACTOR] = (struct heddle_column){"factor %", 8, 0, false};
	columns[COLUMN_LOST] = (struct heddle_column){"lost %", 7, 0, false};
	return COLUMNS;
}

static void put(struct heddle_browse_row *row, double factor, double lost)
{
	snprintf(row->cells[COLUMN_FACTOR].text, sizeof(row->cells->text), "%.1f", 100 * factor);
	snprintf(row->cells[COLUMN_LOST].text, sizeof(row->cells->text), "%.1f", 100 * lost);
	row->cells[COLUMN_LOST].style = lost >= 0.1    ? HEDDLE_STYLE_HOT
					: lost >= 0.02 ? HEDDLE_STYLE_WARM
						       : HEDDLE_STYLE_DIM;
}

static const char *text_of(const struct heddle_browse *browse, uint32_t label)
{
	return label == HEDDLE_NO_LABEL ? NULL : browse->data.session.view.labels[label].text;
}

static void draw(const struct heddle_browse *browse, size_t index, struct heddle_browse_row *row)
{
	const struct efficiency *efficiency = efficiency_of(browse);
	const struct heddle_efficiency_scope *run = &efficiency->factors.scopes[0];
	if (index >= efficiency->count) { /* lost in the scope, as a share of the run's time */
		const struct heddle_efficiency_scope *scope = run + index - efficiency->count + 1;
		double lost = scope->left[0] - scope->left[HEDDLE_FACTOR_COUNT];
		put(row, heddle__scope_efficiency(scope), lost / run->left[0]);
		row->text = text_of(browse, scope->label);
		row->style = HEDDLE_STYLE_REGION;
	} else if (efficiency->shown[index] < 0) {
		put(row, heddle__scope_efficiency(run), 1 - heddle__scope_efficiency(run));
		row->text = "parallel efficiency: the product of";
		row->style = HEDDLE_STYLE_BOLD;
	} else {
		enum heddle_factor factor = (enum heddle_factor)efficiency->shown[index];
		put(row, heddle__scope_factor(run, factor), heddle__scope_loss(run, factor));
		row->text = heddle__factor_label(factor);
		row->tail = heddle__scope_loss(run, factor) >= 0.001 ? text_of(browse, run->place[factor].label) : NULL;
	}
	row->length = strlen(row->text);
}

/* The place with the largest loss of the row's factor, or the row's phase or region. */
static struct heddle_browse_place place(const struct heddle_browse *browse, size_t index)
{
	const struct efficiency *efficiency = efficiency_of(browse);
	const struct heddle_efficiency_scope *run = &efficiency->factors.scopes[0];
	struct heddle_browse_place place = HEDDLE_BROWSE_NOWHERE;
	uint32_t label = HEDDLE_NO_LABEL;
	if (index >= efficiency->count)
		label = run[index - efficiency->count + 1].label;
	else if (efficiency->shown[index] >= 0)
		label = run->place[efficiency->shown[index]].label;
	if (label != HEDDLE_NO_LABEL)
		place.label = label;
	return place;
}

static void open(struct heddle_browse *browse, size_t index)
{
	struct heddle_browse_place there = place(browse, index);
	heddle__browse_show(browse, HEDDLE_BROWSE_functions, &there);
}

static const struct heddle_browse_act acts[] = {{HEDDLE_ACTION_OPEN, open}, {0}};

const struct heddle_browse_view heddle__browse_view_efficiency = {
	.name = "efficiency",
	.names = "factor (where), phase, region (Enter goes there)",
	.own_size = sizeof(struct efficiency),
	.missing = missing,
	.make = make,
	.release = release,
	.count = count,
	.columns = columns,
	.row = draw,
	.place = place,
	.acts = acts,
};
