/* SPDX-License-Identifier: BSD-3-Clause */
/* A parent comes before its children, so one pass over the tree passes phase, region and model down. */
#include "analysis/efficiency_cells.h"

#include "profile/base/intern.h"

#include <errno.h>
#include <stdlib.h>

struct marking {
	struct heddle_cells *cells;
	const struct profile_call_tree *tree;
	const struct profile_view *view;
	uint8_t *states;
	bool *of_ranks; /* by node: its time is spent in calls of the model that numbers the ranks */
};

static uint32_t label_of(const struct marking *marking, uint32_t node)
{
	return marking->view->label_of[marking->view->of_node[node]];
}

/* A phase nested in itself is not a new one. Returns the phase's number, or a negative error. */
static int64_t find_phase(struct heddle_cells *cells, uint32_t label, uint32_t parent)
{
	for (uint32_t phase = parent; phase; phase = cells->phases[phase].parent)
		if (cells->phases[phase].label == label)
			return parent;
	for (size_t phase = 1; phase < cells->phase_count; phase++)
		if (cells->phases[phase].label == label && cells->phases[phase].parent == parent)
			return (int64_t)phase;
	int error =
		profile_reserve(&cells->phases, &cells->phase_capacity, cells->phase_count + 1, sizeof(*cells->phases));
	if (error)
		return error;
	cells->phases[cells->phase_count] = (struct heddle_cell_phase){label, parent};
	return (int64_t)cells->phase_count++;
}

static int64_t find_cell(struct heddle_cells *cells, struct heddle_cell wanted)
{
	for (size_t c = cells->count; c-- > 0;) /* the last cells are the most likely ones */
		if (cells->cells[c].phase == wanted.phase && cells->cells[c].region == wanted.region &&
			cells->cells[c].unit == wanted.unit)
			return (int64_t)c;
	int error = profile_reserve(&cells->cells, &cells->capacity, cells->count + 1, sizeof(*cells->cells));
	if (error)
		return error;
	cells->cells[cells->count] = wanted;
	return (int64_t)cells->count++;
}

static enum heddle_spent spent_in(enum heddle_state state, bool of_ranks, bool in_region)
{
	bool exchanges = of_ranks && !in_region;
	switch (state) {
	case HEDDLE_STATE_WORK:
	case HEDDLE_STATE_PARTIAL:
		return HEDDLE_SPENT_USEFUL;
	case HEDDLE_STATE_OVERHEAD:
		return exchanges ? HEDDLE_SPENT_EXCHANGING : HEDDLE_SPENT_RUNTIME;
	case HEDDLE_STATE_IDLE:
		return HEDDLE_SPENT_IDLE;
	case HEDDLE_STATE_BARRIER_WAIT:
	case HEDDLE_STATE_COLLECTIVE_WAIT:
		return exchanges ? HEDDLE_SPENT_EXCHANGE : of_ranks ? HEDDLE_SPENT_WAIT : HEDDLE_SPENT_BARRIER;
	case HEDDLE_STATE_LOCK_WAIT:
	case HEDDLE_STATE_TASK_WAIT:
	case HEDDLE_STATE_FENCE_WAIT:
	case HEDDLE_STATE_COMMUNICATION:
		return exchanges ? HEDDLE_SPENT_EXCHANGE : HEDDLE_SPENT_WAIT;
	case HEDDLE_STATE_HEDDLE:
		return HEDDLE_SPENT_MEASURING;
	default:
		return HEDDLE_SPENT_OFF;
	}
}

static int mark(struct marking *marking, uint32_t i)
{
	const struct profile_node *node = &marking->tree->nodes[i];
	struct heddle_cells *cells = marking->cells;
	struct heddle_cell cell = cells->cells[cells->of_node[node->parent]];
	marking->of_ranks[i] = marking->of_ranks[node->parent];
	if (node->kind == HEDDLE_NODE_REGION ||
		(node->kind == HEDDLE_NODE_STATE && node->event != HEDDLE_STATE_PARTIAL))
		marking->of_ranks[i] = *profile_model_of_node(marking->tree, node)->ranks;
	if (node->kind == HEDDLE_NODE_PHASE) {
		int64_t phase = find_phase(cells, label_of(marking, i), cell.phase);
		if (phase < 0)
			return (int)phase;
		cell.phase = (uint32_t)phase;
	}
	uint32_t category =
		node->kind == HEDDLE_NODE_REGION ? marking->tree->events[node->event].category : HEDDLE_CATEGORY_COUNT;
	if (category == HEDDLE_CATEGORY_PARALLEL && cell.region == HEDDLE_NO_LABEL)
		cell.region = cell.unit = label_of(marking, i);
	else if (category == HEDDLE_CATEGORY_WORKSHARE && cell.region != HEDDLE_NO_LABEL)
		cell.unit = label_of(marking, i);
	int64_t found = find_cell(cells, cell);
	if (found < 0)
		return (int)found;
	cells->of_node[i] = (uint32_t)found;
	cells->spent[i] = (uint8_t)spent_in(marking->states[i], marking->of_ranks[i], cell.region != HEDDLE_NO_LABEL);
	return 0;
}

int heddle__cells_make(
	struct heddle_cells *cells, const struct profile_measurement *measurement, const struct profile_view *view)
{
	const struct profile_call_tree *tree = &measurement->tree;
	struct marking marking = {.cells = cells, .tree = tree, .view = view};
	*cells = (struct heddle_cells){.of_node = calloc(tree->node_count + 1, sizeof(*cells->of_node)),
		.spent = calloc(tree->node_count + 1, 1)};
	marking.states = malloc(tree->node_count + 1);
	marking.of_ranks = calloc(tree->node_count + 1, sizeof(*marking.of_ranks));
	int error = cells->of_node && cells->spent && marking.states && marking.of_ranks ? 0 : -ENOMEM;
	if (!error && find_phase(cells, HEDDLE_NO_LABEL, 0) < 0)
		error = -ENOMEM;
	if (!error && find_cell(cells, (struct heddle_cell){0, HEDDLE_NO_LABEL, HEDDLE_NO_LABEL}) < 0)
		error = -ENOMEM;
	if (!error)
		profile_call_tree_states(tree, marking.states);
	for (uint32_t i = 1; !error && i < tree->node_count; i++)
		error = mark(&marking, i);
	free(marking.states);
	free(marking.of_ranks);
	return error;
}

void heddle__cells_free(struct heddle_cells *cells)
{
	free(cells->cells);
	free(cells->phases);
	free(cells->of_node);
	free(cells->spent);
	*cells = (struct heddle_cells){0};
}

bool heddle__cell_is_in(const struct heddle_cells *cells, size_t cell, uint32_t phase)
{
	uint32_t at = cells->cells[cell].phase;
	while (at != phase && at)
		at = cells->phases[at].parent;
	return at == phase;
}
