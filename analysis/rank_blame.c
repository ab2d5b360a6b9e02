/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Without a trace, waiting has a lower bound, as in findings: the time of ranks beyond that of the rank with the least,
 * or of calls beyond the fastest call. Which rank was late at which call is unknown: code that takes all ranks equal
 * time can't be the cause, and other code is the more likely a cause the more unequal its times are.
 */
#include "analysis/rank_blame.h"

#include "analysis/efficiency_cells.h"
#include "profile/trace/trace_blame.h"

#include <errno.h>
#include <stdlib.h>

static int make_values(struct profile_call_tree *tree)
{
	const uint64_t *all = profile_call_tree_values(tree, HEDDLE_METRIC_BLAME);
	return all && profile_call_tree_values(tree, HEDDLE_METRIC_RANK_BLAME) ? 0 : -ENOMEM;
}

static void add_blame(struct profile_call_tree *tree, size_t node, uint64_t ns)
{
	tree->values[HEDDLE_METRIC_BLAME][node] += ns;
	tree->values[HEDDLE_METRIC_RANK_BLAME][node] += ns;
}

/* ---- with a trace ---- */

/*
 * True for calls in which ranks wait for others. If blame was measured, it includes some waits already: then only waits
 * whose roles of events show who waits for whom count; otherwise all waits of a model of ranks.
 */
static bool is_exchange(const struct profile_call_tree *tree, const struct profile_node *node, bool measured)
{
	const struct profile_node *region = profile_region_of(tree, node);
	if (region->kind != HEDDLE_NODE_REGION)
		return false;
	const struct profile_event_kind *event = &tree->events[region->event];
	bool of_ranks = *profile_model_of_node(tree, region)->ranks != '\0';
	bool exchanges = event->category == HEDDLE_CATEGORY_COMMUNICATION || event->category == HEDDLE_CATEGORY_FENCE;
	if (exchanges || (of_ranks && !measured))
		return of_ranks;
	return event->role == HEDDLE_EVENT_MEMBERS || event->role == HEDDLE_EVENT_MUTUAL ||
	       event->role == HEDDLE_EVENT_FROM_ROOT || event->role == HEDDLE_EVENT_TO_ROOT ||
	       event->role == HEDDLE_EVENT_PREFIX;
}

int heddle__rank_blame_trace(struct profile_measurement *measurement, const struct profile_trace *trace,
	const struct profile_trace_part *part, uint64_t *waited_ns)
{
	struct profile_call_tree *tree = &measurement->tree;
	struct profile_trace_blame blame = {0};
	bool measured = profile_measurement_total(measurement, HEDDLE_METRIC_BLAME) != 0;
	bool *charged = calloc(tree->node_count + 1, sizeof(*charged));
	for (size_t i = 0; charged && i < tree->node_count; i++)
		charged[i] = is_exchange(tree, &tree->nodes[i], measured);
	int error = charged ? profile_trace_blame_make(&blame, trace, part, charged) : -ENOMEM;
	if (!error && blame.waited_ns)
		error = make_values(tree);
	for (size_t i = 0; !error && blame.waited_ns && i < tree->node_count; i++)
		add_blame(tree, i, blame.of_node[i]);
	*waited_ns = blame.waited_ns;
	profile_trace_blame_free(&blame);
	free(charged);
	return error;
}

/* ---- without a trace ---- */

/* The values of one node of the view, over all ranks. */
struct spread {
	uint64_t sum, most, least;
	size_t ranks; /* whose values were added; those of others are 0 */
};

struct spreads {
	const struct profile_view *view;
	const uint8_t *spent; /* by node of the tree */
	const uint8_t *states;
	bool sampled; /* useful time is CPU time */
	const struct profile_process *process;
	size_t ranks;
	struct spread *useful, *meeting;            /* meeting: at barriers and in collectives */
	uint64_t *of_rank_useful, *of_rank_meeting; /* of the process that is being read */
};

static bool is_rank(const struct profile_process *process)
{
	for (size_t t = 0; t < process->thread_count; t++)
		if (profile_thread_is_rank(&process->threads[t]))
			return true;
	return false;
}

static void close_rank(struct spread *spread, uint64_t *value)
{
	spread->sum += *value;
	spread->most = *value > spread->most ? *value : spread->most;
	spread->least = *value < spread->least ? *value : spread->least;
	*value = 0;
}

static void end_process(struct spreads *spreads)
{
	if (!spreads->process)
		return;
	for (size_t i = 0; i < spreads->view->node_count; i++) {
		close_rank(&spreads->useful[i], &spreads->of_rank_useful[i]);
		close_rank(&spreads->meeting[i], &spreads->of_rank_meeting[i]);
	}
	spreads->ranks++;
}

static int add_values(void *context, const struct profile_thread_values *values)
{
	struct spreads *spreads = context;
	bool cpu = values->metric == HEDDLE_METRIC_CPU_TIME;
	if (!is_rank(values->process))
		return 0;
	if (values->process != spreads->process)
		end_process(spreads);
	spreads->process = values->process;
	for (size_t i = 0; i < values->count; i++) {
		uint32_t node = values->nodes[i], shown = profile_view_holder(spreads->view, node, values->metric);
		enum heddle_state state = spreads->states[node];
		if (spreads->spent[node] == HEDDLE_SPENT_USEFUL && cpu == spreads->sampled)
			spreads->of_rank_useful[shown] += values->values[i];
		else if (spreads->spent[node] == HEDDLE_SPENT_EXCHANGE && !cpu &&
			 (state == HEDDLE_STATE_BARRIER_WAIT || state == HEDDLE_STATE_COLLECTIVE_WAIT))
			spreads->of_rank_meeting[shown] += values->values[i];
	}
	return 0;
}

/* Returns the least time that ranks waited. */
static uint64_t waiting_of(const struct spreads *spreads)
{
	const uint64_t *calls = spreads->view->values[HEDDLE_METRIC_MESSAGE_WAIT];
	uint64_t sum = 0;
	for (size_t i = 0; i < spreads->view->node_count; i++) {
		const struct spread *meeting = &spreads->meeting[i];
		uint64_t beyond = meeting->sum ? meeting->sum - spreads->ranks * meeting->least : 0;
		uint64_t quickest = calls ? calls[i] : 0;
		sum += beyond > quickest ? beyond : quickest;
	}
	return sum;
}

/* Returns the imbalance at a node. The root has none, because it is not code. */
static uint64_t unequal(const struct spreads *spreads, size_t node)
{
	const struct spread *useful = &spreads->useful[node];
	return node == 0 ? 0 : useful->most * spreads->ranks - useful->sum;
}

/* Charges one node of the tree for each node of the view, so that sums over both are equal. */
static void charge(const struct spreads *spreads, struct profile_measurement *measurement, struct profile_view *view,
	uint64_t waited_ns)
{
	double sum = 0;
	for (size_t i = 0; i < view->node_count; i++)
		sum += (double)unequal(spreads, i);
	double scale = sum > (double)waited_ns ? (double)waited_ns / sum : 1;
	for (size_t node = measurement->tree.node_count; node-- > 0;) {
		uint32_t shown = view->of_node[node];
		uint64_t ns = (uint64_t)((double)unequal(spreads, shown) * scale);
		spreads->useful[shown] = (struct spread){0};
		add_blame(&measurement->tree, node, ns);
		view->values[HEDDLE_METRIC_BLAME][shown] += ns;
		view->values[HEDDLE_METRIC_RANK_BLAME][shown] += ns;
	}
}

static int make_room(struct spreads *spreads, size_t tree_nodes, size_t view_nodes)
{
	uint8_t *states = malloc(tree_nodes + 1);
	spreads->states = states;
	spreads->useful = calloc(view_nodes + 1, sizeof(*spreads->useful));
	spreads->meeting = calloc(view_nodes + 1, sizeof(*spreads->meeting));
	spreads->of_rank_useful = calloc(view_nodes + 1, sizeof(*spreads->of_rank_useful));
	spreads->of_rank_meeting = calloc(view_nodes + 1, sizeof(*spreads->of_rank_meeting));
	for (size_t i = 0; spreads->meeting && i < view_nodes; i++)
		spreads->meeting[i].least = UINT64_MAX;
	return states && spreads->useful && spreads->meeting && spreads->of_rank_useful && spreads->of_rank_meeting
		       ? 0
		       : -ENOMEM;
}

static void free_room(struct spreads *spreads)
{
	free((void *)(uintptr_t)spreads->states);
	free(spreads->useful);
	free(spreads->meeting);
	free(spreads->of_rank_useful);
	free(spreads->of_rank_meeting);
}

/* Makes values of the view, as of the tree. */
static int add_view_values(struct profile_view *view, enum heddle_metric metric)
{
	if (!view->values[metric])
		view->values[metric] = calloc(view->node_count + 1, sizeof(uint64_t));
	return view->values[metric] ? 0 : -ENOMEM;
}

static int read_ranks(struct spreads *spreads, const struct profile_measurement *measurement)
{
	static const enum heddle_metric metrics[] = {HEDDLE_METRIC_CPU_TIME, HEDDLE_METRIC_WALL_TIME};
	int error = profile_measurement_thread_metrics(measurement, metrics, 2, add_values, spreads);
	if (!error)
		end_process(spreads);
	return error;
}

int heddle__rank_blame_profile(struct profile_measurement *measurement, struct profile_view *view, uint64_t *waited_ns)
{
	struct heddle_cells cells = {0};
	struct spreads spreads = {
		.view = view, .sampled = profile_measurement_total(measurement, HEDDLE_METRIC_CPU_TIME) != 0};
	*waited_ns = 0;
	if (measurement->merged)
		return 0;
	int error = make_room(&spreads, measurement->tree.node_count, view->node_count);
	if (!error)
		error = heddle__cells_make(&cells, measurement, view);
	if (!error) {
		profile_call_tree_states(&measurement->tree, (uint8_t *)(uintptr_t)spreads.states);
		spreads.spent = cells.spent;
		error = read_ranks(&spreads, measurement);
	}
	uint64_t waited = error || spreads.ranks < 2 ? 0 : waiting_of(&spreads);
	if (waited)
		error = make_values(&measurement->tree);
	if (waited && !error && add_view_values(view, HEDDLE_METRIC_BLAME) == 0 &&
		add_view_values(view, HEDDLE_METRIC_RANK_BLAME) == 0)
		charge(&spreads, measurement, view, waited);
	*waited_ns = waited;
	heddle__cells_free(&cells);
	free_room(&spreads);
	return error;
}
