/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings, in sentences; each leads to its place in the call tree. */
#include "cli/browse/browse.h"

#include "analysis/findings.h"

#include <errno.h>
#include <stdlib.h>

/* A line of a sentence. */
struct line {
	uint32_t finding;
	bool first;
	const char *text;
	size_t length;
};

struct sentences {
	struct heddle_findings findings;
	struct line *lines;
	size_t count;
};

static struct sentences *sentences_of(const struct heddle_browse *browse)
{
	return browse->states[HEDDLE_BROWSE_findings].own;
}

static void release(void *own)
{
	free(((struct sentences *)own)->lines);
}

static void wrap(struct sentences *sentences, size_t room)
{
	for (uint32_t i = 0; i < sentences->findings.count; i++) {
		const char *text = sentences->findings.items[i].text;
		bool first = true;
		while (*text) {
			size_t length = heddle__browse_line_length(text, room);
			sentences->lines[sentences->count++] = (struct line){i, first, text, length};
			first = false;
			text += length + (text[length] == ' ');
		}
	}
}

static int make(struct heddle_browse *browse)
{
	struct sentences *sentences = sentences_of(browse);
	sentences->lines = calloc((size_t)HEDDLE_FINDINGS * HEDDLE_FINDING_LENGTH, sizeof(*sentences->lines));
	int error = sentences->lines ? heddle__findings_make(&sentences->findings, &browse->data.session.measurement,
					       &browse->data.session.view)
				     : -ENOMEM;
	if (!error)
		wrap(sentences, browse->width - 8);
	return error;
}

static const char *missing(struct heddle_browse *browse)
{
	struct heddle_browse_state *state = &browse->states[HEDDLE_BROWSE_findings];
	return state->made && !sentences_of(browse)->count ? "nothing stands out in this measurement" : NULL;
}

static size_t count(const struct heddle_browse *browse)
{
	return sentences_of(browse)->count;
}

static size_t columns(struct heddle_browse *browse, struct heddle_column columns[HEDDLE_BROWSE_COLUMNS])
{
	(void)browse;
	columns[0] = (struct heddle_column){"", 1, 0, false};
	return 1;
}

static void draw(const struct heddle_browse *browse, size_t index, struct heddle_browse_row *row)
{
	const struct line *line = &sentences_of(browse)->lines[index];
	row->cells[0].text[0] = line->first ? '-' : '\0';
	row->text = line->text;
	row->length = line->length;
	row->is_source = true;
}

static void open(struct heddle_browse *browse, size_t index)
{
	const struct sentences *sentences = sentences_of(browse);
	const struct heddle_finding finding = sentences->findings.items[sentences->lines[index].finding];
	struct heddle_browse_place place = HEDDLE_BROWSE_NOWHERE;
	place.node = finding.node == HEDDLE_NO_NODE ? 0 : finding.node;
	if (profile_measurement_total(&browse->data.session.measurement, finding.metric))
		heddle__browse_choose_metric(browse, finding.metric);
	heddle__browse_show(browse, HEDDLE_BROWSE_tree, &place);
}

static const struct heddle_browse_act acts[] = {{HEDDLE_ACTION_OPEN, open}, {0}};

const struct heddle_browse_view heddle__browse_view_findings = {
	.name = "findings",
	.names = "findings (Enter goes there)",
	.own_size = sizeof(struct sentences),
	.missing = missing,
	.make = make,
	.release = release,
	.count = count,
	.columns = columns,
	.row = draw,
	.acts = acts,
};
