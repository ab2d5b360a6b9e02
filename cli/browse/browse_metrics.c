/* SPDX-License-Identifier: BSD-3-Clause */
/* The metrics that have values, to choose the one that is shown. */
#include "cli/browse/browse.h"

#include <string.h>

enum { COLUMN_NAME, COLUMN_TOTAL, COLUMNS };

static size_t count(const struct heddle_browse *browse)
{
	return browse->data.metric_count;
}

static size_t columns(struct heddle_browse *browse, struct heddle_column columns[HEDDLE_BROWSE_COLUMNS])
{
	size_t widest = 6;
	for (size_t i = 0; i < browse->data.metric_count; i++) {
		size_t length = strlen(profile_metric_name(browse->data.metrics[i]));
		widest = length > widest ? length : widest;
	}
	columns[COLUMN_NAME] = (struct heddle_column){"metric", widest < 24 ? (int)widest : 23, 0, false};
	columns[COLUMN_TOTAL] = (struct heddle_column){"total", 15, 0, false};
	return COLUMNS;
}

static void draw(const struct heddle_browse *browse, size_t index, struct heddle_browse_row *row)
{
	enum heddle_metric metric = browse->data.metrics[index];
	snprintf(row->cells[COLUMN_NAME].text, sizeof(row->cells->text), "%s", profile_metric_name(metric));
	row->cells[COLUMN_NAME].style = HEDDLE_STYLE_NORMAL;
	heddle__browse_value(&row->cells[COLUMN_TOTAL],
		profile_measurement_total(&browse->data.session.measurement, metric), metric);
	row->text = profile_metric_meaning(metric);
	row->length = strlen(row->text);
	row->tail = metric == browse->data.metric ? "chosen" : NULL;
}

static void choose(struct heddle_browse *browse, size_t index)
{
	struct heddle_browse_place nowhere = HEDDLE_BROWSE_NOWHERE;
	heddle__browse_choose_metric(browse, browse->data.metrics[index]);
	if (browse->data.metric == browse->data.metrics[index])
		heddle__browse_show(browse, browse->previous, &nowhere);
}

static const struct heddle_browse_act acts[] = {{HEDDLE_ACTION_OPEN, choose}, {0}};

static int make(struct heddle_browse *browse)
{
	for (size_t i = 0; i < browse->data.metric_count; i++)
		if (browse->data.metrics[i] == browse->data.metric)
			browse->states[HEDDLE_BROWSE_metrics].selected = i;
	return 0;
}

const struct heddle_browse_view heddle__browse_view_metrics = {
	.name = "metrics",
	.names = "meaning (Enter chooses)",
	.details = true,
	.make = make,
	.count = count,
	.columns = columns,
	.row = draw,
	.acts = acts,
};
