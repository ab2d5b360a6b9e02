/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The findings of a measurement. A rule checks sums, and adds a sentence if their share of the threads' time, or of
 * their CPU time, is large enough. The few findings with the largest weights are kept.
 */
#include "analysis/findings.h"

#include "analysis/findings_parts.h"
#include "analysis/host_load.h"
#include "analysis/own_cost.h"
#include "analysis/state_times.h"
#include "analysis/summary.h"
#include "analysis/text.h"
#include "analysis/thread_names.h"
#include "analysis/thread_table.h"
#include "profile/base/base_name.h"
#include "profile/view/system_code.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define WAIT_MATTERS 0.05
#define OVERHEAD_MATTERS 0.05
#define FUNCTION_MATTERS 0.10
#define UNEVEN_MATTERS 0.20     /* how much longer the busiest thread works than the average */
#define PART_OF_IT 0.25         /* a place with that share of a sum is named */
#define HELD_MATTERS (1u << 20) /* bytes */
#define MOST 0.5
#define NEXT_PART_OF_IT 0.05 /* a second and third place with that share are named, too */
#define NEARLY_ALL 0.985
#define CAUSE_MATTERS 0.10 /* of the blame */
#define BUSY_MATTERS 0.5   /* of the processors' time */
#define SAMPLES_MIN 10     /* a sum of CPU time with fewer samples is not used */
#define NAME_COLUMNS 160
#define BRIEF_COLUMNS 28

/* The input of the rules. */
struct facts {
	const struct profile_measurement *measurement;
	const struct profile_view *view;
	struct heddle_findings *findings;
	uint8_t *states;    /* of the tree's nodes */
	uint64_t *by_label; /* buffer: a sum per label of the view */
	struct heddle_state_times times;
	uint8_t *waits; /* of the tree's nodes: states; OTHERS for nodes with findings of find_exchanges */
	uint64_t waited[HEDDLE_STATE_COUNT]; /* elapsed time by `waits` */
	uint64_t cpu;                        /* of all threads, ns */
	uint64_t samples;                    /* that measured CPU time; 0: unknown */
	bool off;                            /* measurement was off whenever a sample arrived */
	bool by_event;                       /* samples count an event, not CPU time */
};

/* The label with the largest part of a sum. */
struct top {
	uint32_t label, node; /* its node with the largest value; HEDDLE_NO_NODE: none */
	uint64_t value, total;
};

/* ---- adding ---- */

/* Keeps the list in order; if it is full, drops the finding with the least weight. */
struct heddle_finding *heddle__finding_make(struct heddle_findings *all, double weight)
{
	size_t at = all->count < HEDDLE_FINDINGS ? all->count++ : HEDDLE_FINDINGS - 1;
	if (all->count == HEDDLE_FINDINGS && at == HEDDLE_FINDINGS - 1 && *all->items[at].text &&
		all->items[at].weight >= weight)
		return NULL;
	while (at > 0 && all->items[at - 1].weight < weight) {
		all->items[at] = all->items[at - 1];
		at--;
	}
	all->items[at] =
		(struct heddle_finding){.weight = weight, .node = HEDDLE_NO_NODE, .metric = HEDDLE_METRIC_WALL_TIME};
	return &all->items[at];
}

static struct heddle_finding *add_finding(struct facts *facts, double weight)
{
	return heddle__finding_make(facts->findings, weight);
}

void heddle__finding_add(struct heddle_finding *finding, const char *format, ...)
{
	size_t used = strlen(finding->text);
	va_list list;
	va_start(list, format);
	vsnprintf(finding->text + used, sizeof(finding->text) - used, format, list);
	va_end(list);
}

void heddle__finding_brief(struct heddle_finding *finding, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	vsnprintf(finding->brief, sizeof(finding->brief), format, list);
	va_end(list);
}

static double share(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static double percent(uint64_t part, uint64_t whole)
{
	return 100 * share(part, whole);
}

const char *heddle__finding_name(char name[HEDDLE_FINDING_NAME], const char *text)
{
	heddle__fit(name, HEDDLE_FINDING_NAME, text, NAME_COLUMNS, true);
	return name;
}

const char *heddle__finding_brief_name(char name[HEDDLE_FINDING_NAME], const char *text)
{
	heddle__fit(name, HEDDLE_FINDING_NAME, text, BRIEF_COLUMNS, true);
	return name;
}

/* ---- places of sums ---- */

/* Returns the node itself, or for a state the nearest node above it that is none. */
static uint32_t code_of(const struct profile_view *view, uint32_t node)
{
	while (node && view->labels[view->label_of[node]].kind == HEDDLE_NODE_STATE)
		node = view->parents[node];
	return node;
}

/* Returns the node whose label names the place: the user's code rather than system code that it called. */
static uint32_t place_of(const struct profile_view *view, uint32_t node)
{
	return profile_user_place(view, code_of(view, node));
}

static void add_value(struct facts *facts, struct top *top, uint64_t *most, uint32_t node, uint64_t value)
{
	const struct profile_view *view = facts->view;
	uint32_t label = view->label_of[node];
	uint64_t sum = facts->by_label[label] += value;
	top->total += value;
	if (sum < top->value || !value)
		return;
	if (top->label != label || value > *most) {
		top->node = node;
		*most = value;
	}
	top->label = label;
	top->value = sum;
}

/* Returns the place with most of a metric, of nodes whose state is in `states` (a set of bits). */
static struct top top_of_states(
	struct facts *facts, enum heddle_metric metric, const uint8_t *states_of, uint32_t states)
{
	const struct profile_call_tree *tree = &facts->measurement->tree;
	const struct profile_view *view = facts->view;
	struct top top = {.node = HEDDLE_NO_NODE};
	uint64_t most = 0;
	memset(facts->by_label, 0, view->label_count * sizeof(*facts->by_label));
	for (uint32_t i = 0; tree->values[metric] && i < tree->node_count; i++)
		if (tree->values[metric][i] && states >> states_of[i] & 1)
			add_value(facts, &top, &most, place_of(view, profile_view_holder(view, i, metric)),
				tree->values[metric][i]);
	return top;
}

/* Returns the code with the largest exclusive value. */
static struct top top_of_code(struct facts *facts, enum heddle_metric metric)
{
	const struct profile_view *view = facts->view;
	struct top top = {.node = HEDDLE_NO_NODE};
	uint64_t most = 0;
	memset(facts->by_label, 0, view->label_count * sizeof(*facts->by_label));
	for (uint32_t i = 0; view->values[metric] && i < view->node_count; i++)
		if (view->labels[view->label_of[i]].kind != HEDDLE_NODE_STATE)
			add_value(facts, &top, &most, place_of(view, i), view->values[metric][i]);
	return top;
}

/* ---- waiting ---- */

#define BIT(state) (1u << HEDDLE_STATE_##state)
#define OTHERS 31 /* not a state */

/* States in which a thread needs no processor. */
#define SPINS (BIT(BARRIER_WAIT) | BIT(COLLECTIVE_WAIT) | BIT(LOCK_WAIT) | BIT(TASK_WAIT) | BIT(IDLE))

static const struct wait {
	uint32_t states;
	enum heddle_metric blame; /* HEDDLE_METRIC_LIMIT: none */
	const char *what;
} waits[] = {
	{BIT(BARRIER_WAIT) | BIT(COLLECTIVE_WAIT), HEDDLE_METRIC_BARRIER_BLAME, "waiting at barriers"},
	{BIT(LOCK_WAIT) | BIT(HAND_OFF), HEDDLE_METRIC_LOCK_BLAME, "waiting for locks"},
	{BIT(TASK_WAIT), HEDDLE_METRIC_TASK_BLAME, "waiting for tasks"},
	{BIT(IDLE), HEDDLE_METRIC_IDLE_BLAME, "waiting for work"},
	{BIT(COMMUNICATION), HEDDLE_METRIC_LIMIT, "communication"},
	{BIT(FENCE_WAIT), HEDDLE_METRIC_LIMIT, "waiting for accesses to complete"},
};

static uint64_t sum_of(const uint64_t *by_state, uint32_t states)
{
	uint64_t sum = 0;
	for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
		sum += states >> s & 1 ? by_state[s] : 0;
	return sum;
}

static void say_place(struct facts *facts, struct heddle_finding *finding, const struct top *top)
{
	char name[HEDDLE_FINDING_NAME];
	const struct profile_label *label = &facts->view->labels[top->label];
	finding->node = top->node;
	if (top->node == HEDDLE_NO_NODE || label->kind == HEDDLE_NODE_ROOT ||
		share(top->value, top->total) < PART_OF_IT)
		return;
	if (share(top->value, top->total) > NEARLY_ALL)
		heddle__finding_add(finding, ", nearly all of it at `%s`", heddle__finding_name(name, label->text));
	else
		heddle__finding_add(finding, ", %.0f %% of it at `%s`", percent(top->value, top->total),
			heddle__finding_name(name, label->text));
}

/* Returns the function that calls the one at the node; 0: none is above it. */
static uint32_t caller_of(const struct profile_view *view, uint32_t node)
{
	uint32_t label = view->label_of[node];
	do
		node = view->parents[node];
	while (node && (view->labels[view->label_of[node]].kind != HEDDLE_NODE_FRAME || view->label_of[node] == label));
	return node;
}

static bool has_several_callers(const struct profile_view *view, uint32_t node)
{
	uint32_t caller = view->label_of[caller_of(view, node)];
	for (uint32_t i = 0; i < view->node_count; i++)
		if (view->label_of[i] == view->label_of[node] && view->label_of[caller_of(view, i)] != caller)
			return true;
	return false;
}

/* Writes ", called by `tidy_up`,": a function that is called from several places is not the cause by itself. */
static void say_caller(
	struct facts *facts, struct heddle_finding *finding, const struct top *cause, enum heddle_metric blame)
{
	char name[HEDDLE_FINDING_NAME];
	const struct profile_view *view = facts->view;
	uint32_t caller = caller_of(view, cause->node);
	if (caller && share(view->values[blame][cause->node], cause->value) >= MOST &&
		has_several_callers(view, cause->node))
		heddle__finding_add(finding, ", called by `%s`,",
			heddle__finding_name(name, view->labels[view->label_of[caller]].text));
}

static void say_cause(struct facts *facts, struct heddle_finding *finding, enum heddle_metric blame)
{
	char name[HEDDLE_FINDING_NAME];
	struct top cause = top_of_code(facts, blame);
	const struct profile_label *label = &facts->view->labels[cause.label];
	uint64_t all = profile_measurement_total(facts->measurement, blame);
	if (cause.node == HEDDLE_NO_NODE || share(cause.value, all) < CAUSE_MATTERS)
		return;
	heddle__finding_add(finding, "; `%s`", heddle__finding_name(name, label->text));
	say_caller(facts, finding, &cause, blame);
	heddle__finding_add(finding, " causes %.0f %% of it", percent(cause.value, all));
	finding->node = cause.node;
	finding->metric = blame;
}

static void say_accesses(struct facts *facts, struct heddle_finding *finding)
{
	const struct profile_measurement *measurement = facts->measurement;
	uint64_t remote = profile_measurement_total(measurement, HEDDLE_METRIC_REMOTE);
	uint64_t near = profile_measurement_total(measurement, HEDDLE_METRIC_SAME_NODE);
	char text[32];
	if (remote)
		heddle__finding_add(
			finding, "; %s accesses to other nodes", heddle__format_count(text, sizeof(text), remote));
	else if (near)
		heddle__finding_add(
			finding, "; %s accesses to other threads", heddle__format_count(text, sizeof(text), near));
}

static void find_wait(struct facts *facts, const struct wait *wait)
{
	uint64_t time = sum_of(facts->waited, wait->states);
	char text[32];
	if (share(time, facts->times.elapsed) < WAIT_MATTERS)
		return;
	struct heddle_finding *finding = add_finding(facts, share(time, facts->times.elapsed));
	if (!finding)
		return;
	heddle__finding_add(finding, "%.0f %% of the threads' time (%s", percent(time, facts->times.elapsed),
		heddle__format_time(text, sizeof(text), time));
	uint64_t error = profile_measurement_total(facts->measurement, HEDDLE_METRIC_ACCESS_TIME_ERROR);
	if (error && wait->states == BIT(COMMUNICATION))
		heddle__finding_add(finding, " +- %s", heddle__format_time(text, sizeof(text), error));
	heddle__finding_add(finding, ") is %s", wait->what);
	heddle__finding_brief(finding, "%s %.0f %%", wait->what, percent(time, facts->times.elapsed));
	struct top top = top_of_states(facts, HEDDLE_METRIC_WALL_TIME, facts->waits, wait->states);
	say_place(facts, finding, &top);
	if (wait->states == BIT(COMMUNICATION))
		say_accesses(facts, finding);
	if (wait->blame != HEDDLE_METRIC_LIMIT)
		say_cause(facts, finding, wait->blame);
	finding->unexplained = wait->blame != HEDDLE_METRIC_LIMIT &&
			       !profile_measurement_total(facts->measurement, HEDDLE_METRIC_BLAME);
}

/* ---- CPU time ---- */

/* Weighs by the share of all threads' time, so that a small part of a run that mostly waits does not come first. */
static double weight_of_cpu(const struct facts *facts, uint64_t cpu)
{
	return share(cpu, facts->times.elapsed > facts->cpu ? facts->times.elapsed : facts->cpu);
}

static bool rests_on_samples(const struct facts *facts, uint64_t cpu)
{
	if (facts->by_event)
		return false;
	if (!facts->samples)
		return !facts->off;
	return share(cpu, facts->cpu) * (double)facts->samples >= SAMPLES_MIN;
}

static void say_function(struct heddle_finding *finding, const struct profile_label *label)
{
	char name[HEDDLE_FINDING_NAME];
	heddle__finding_add(finding, "`%s`", heddle__finding_name(name, label->text));
	if (*label->file && label->kind == HEDDLE_NODE_FRAME)
		heddle__finding_add(finding, " (%s:%" PRIu32 ")", profile_base_name(label->file), label->line);
}

/* Returns the system function that the user's code `caller` calls and that has most of a metric of working code. */
static struct top top_of_called(struct facts *facts, enum heddle_metric metric, uint32_t caller)
{
	const struct profile_call_tree *tree = &facts->measurement->tree;
	const struct profile_view *view = facts->view;
	struct top top = {.node = HEDDLE_NO_NODE};
	uint64_t most = 0;
	memset(facts->by_label, 0, view->label_count * sizeof(*facts->by_label));
	for (uint32_t i = 0; tree->values[metric] && i < tree->node_count; i++) {
		uint32_t node = code_of(view, profile_view_holder(view, i, metric));
		uint32_t entry = profile_system_entry(view, node);
		if (facts->states[i] != HEDDLE_STATE_WORK || view->label_of[profile_user_code(view, node)] != caller)
			continue;
		if (profile_is_system_code(&view->labels[view->label_of[entry]]))
			add_value(facts, &top, &most, entry, tree->values[metric][i]);
	}
	return top;
}

/* Writes "..., most of it in `sin`". */
static void say_called(struct facts *facts, struct heddle_finding *finding, const struct top *user)
{
	char name[HEDDLE_FINDING_NAME], room[HEDDLE_FINDING_NAME];
	struct top called = top_of_called(facts, finding->metric, user->label);
	if (called.node == HEDDLE_NO_NODE || called.label == user->label || share(called.value, user->value) < MOST)
		return;
	heddle__finding_add(finding, ", %s of it in `%s`",
		share(called.value, user->value) > NEARLY_ALL ? "nearly all" : "most",
		heddle__finding_name(
			name, profile_public_name(&facts->view->labels[called.label], room, sizeof(room))));
}

static void find_function(struct facts *facts)
{
	struct top top = top_of_states(facts, HEDDLE_METRIC_CPU_TIME, facts->states, BIT(WORK));
	const struct profile_label *label = &facts->view->labels[top.label];
	struct heddle_finding *finding = NULL;
	char name[HEDDLE_FINDING_NAME];
	if (top.node != HEDDLE_NO_NODE && label->kind != HEDDLE_NODE_ROOT &&
		share(top.value, facts->cpu) >= FUNCTION_MATTERS && rests_on_samples(facts, top.value))
		finding = add_finding(facts, weight_of_cpu(facts, top.value));
	if (!finding)
		return;
	finding->node = top.node;
	finding->metric = HEDDLE_METRIC_CPU_TIME;
	say_function(finding, label);
	heddle__finding_add(finding, " uses %.0f %% of the CPU time", percent(top.value, facts->cpu));
	heddle__finding_brief(finding, "%s %.0f %% CPU", heddle__finding_brief_name(name, label->text),
		percent(top.value, facts->cpu));
	say_called(facts, finding, &top);
}

/* Like find_function, for samples of an event. */
static void find_sampled(struct facts *facts)
{
	struct top top = top_of_states(facts, HEDDLE_METRIC_SAMPLES, facts->states, BIT(WORK));
	const struct profile_label *label = &facts->view->labels[top.label];
	struct heddle_finding *finding = NULL;
	char name[HEDDLE_FINDING_NAME];
	if (facts->by_event && top.node != HEDDLE_NO_NODE && label->kind != HEDDLE_NODE_ROOT &&
		share(top.value, facts->samples) >= FUNCTION_MATTERS && top.value >= SAMPLES_MIN)
		finding = add_finding(facts, share(top.value, facts->samples));
	if (!finding)
		return;
	finding->node = top.node;
	finding->metric = HEDDLE_METRIC_SAMPLES;
	say_function(finding, label);
	heddle__finding_add(finding, " has %.0f %% of the samples", percent(top.value, facts->samples));
	heddle__finding_brief(finding, "%s %.0f %% of samples", heddle__finding_brief_name(name, label->text),
		percent(top.value, facts->samples));
	say_called(facts, finding, &top);
}

static void find_overhead(struct facts *facts, uint32_t states, const char *what, const char *brief)
{
	uint64_t time = sum_of(facts->times.cpu, states);
	if (share(time, facts->cpu) < OVERHEAD_MATTERS || !rests_on_samples(facts, time))
		return;
	struct heddle_finding *finding = add_finding(facts, weight_of_cpu(facts, time));
	if (!finding)
		return;
	struct top top = top_of_states(facts, HEDDLE_METRIC_CPU_TIME, facts->states, states);
	heddle__finding_add(finding, "%.0f %% of the CPU time is %s", percent(time, facts->cpu), what);
	heddle__finding_brief(finding, "%s %.0f %% CPU", brief, percent(time, facts->cpu));
	say_place(facts, finding, &top);
	finding->metric = HEDDLE_METRIC_CPU_TIME;
}

/* Names the second and third place of the sums that `top_of_states` left in by_label. */
static void say_next_places(struct facts *facts, struct heddle_finding *finding, const struct top *top)
{
	char name[HEDDLE_FINDING_NAME];
	facts->by_label[top->label] = 0;
	for (int i = 0; i < 2; i++) {
		size_t next = 0;
		for (size_t l = 1; l < facts->view->label_count; l++)
			next = facts->by_label[l] > facts->by_label[next] ? l : next;
		uint64_t value = facts->by_label[next];
		if (share(value, top->total) < NEXT_PART_OF_IT || facts->view->labels[next].kind == HEDDLE_NODE_ROOT)
			return;
		heddle__finding_add(finding, "%s %.0f %% at `%s`", i ? " and" : ",", percent(value, top->total),
			heddle__finding_name(name, facts->view->labels[next].text));
		facts->by_label[next] = 0;
	}
}

/* Finds the cost of measuring, its place, and how to reduce it. */
static int find_own_cost(struct facts *facts)
{
	struct heddle_own_cost cost;
	uint64_t time = sum_of(facts->times.cpu, BIT(HEDDLE));
	if (share(time, facts->cpu) < OVERHEAD_MATTERS || !rests_on_samples(facts, time))
		return 0;
	struct top top = top_of_states(facts, HEDDLE_METRIC_CPU_TIME, facts->states, BIT(HEDDLE));
	bool known = top.node != HEDDLE_NO_NODE;
	int error =
		heddle__own_cost_make(&cost, facts->measurement, known ? facts->view->labels[top.label].text : NULL);
	struct heddle_finding *finding = error ? NULL : add_finding(facts, weight_of_cpu(facts, time));
	if (!finding)
		return error;
	heddle__finding_add(finding, "%.0f %% of the CPU time is the measurement's own", percent(time, facts->cpu));
	heddle__finding_brief(finding, "measuring %.0f %% CPU", percent(time, facts->cpu));
	say_place(facts, finding, &top);
	if (known)
		say_next_places(facts, finding, &top);
	if (cost.advice)
		heddle__finding_add(finding, "; %s", cost.advice);
	finding->metric = HEDDLE_METRIC_CPU_TIME;
	return 0;
}

/* ---- threads ---- */

/* Returns what even work would save, as a share of the threads' time. */
static double weight_of_uneven(const struct facts *facts, const struct heddle_thread_row *row)
{
	if (row->workers < 2 || !row->work || !rests_on_samples(facts, row->work / row->workers))
		return 0;
	double more = heddle__thread_row_imbalance(row) / 100;
	double weight = share(row->most, facts->times.elapsed) * (double)row->workers * more / (1 + more);
	return more >= UNEVEN_MATTERS ? weight : 0;
}

/* Threads of jobs that run one after the other are not compared. */
static int find_uneven(struct facts *facts)
{
	struct heddle_thread_row most = {0};
	struct heddle_jobs jobs;
	char name[HEDDLE_FINDING_NAME], text[32];
	int error = heddle__jobs_make(&jobs, facts->measurement);
	for (size_t job = 0; !error && job < jobs.count; job++) {
		struct heddle_thread_row row =
			heddle__thread_row_of_job(facts->measurement, HEDDLE_METRIC_CPU_TIME, &jobs, job);
		if (weight_of_uneven(facts, &row) > weight_of_uneven(facts, &most))
			most = row;
	}
	bool several = jobs.count > 1;
	heddle__jobs_free(&jobs);
	double weight = weight_of_uneven(facts, &most);
	struct heddle_finding *finding = weight >= WAIT_MATTERS ? add_finding(facts, weight) : NULL;
	if (!finding)
		return error;
	heddle__thread_in_words(name, sizeof(name), facts->measurement, most.busiest_process, most.busiest);
	finding->metric = HEDDLE_METRIC_CPU_TIME;
	heddle__finding_add(finding, "Work is uneven: %s works %.0f %% longer than the average of %s threads", name,
		heddle__thread_row_imbalance(&most), heddle__format_count(text, sizeof(text), most.workers));
	heddle__finding_brief(finding, "uneven work: +%.0f %%", heddle__thread_row_imbalance(&most));
	if (several && most.busiest_process)
		heddle__finding_add(finding, " of `%s`",
			heddle__finding_name(name, profile_base_name(most.busiest_process->info->program)));
	return error;
}

/* ---- processors ---- */

/* If there are more busy threads than processors, threads wait for each other. */
static void find_crowd(struct facts *facts, const struct heddle_host_load *host, bool several)
{
	char name[HEDDLE_FINDING_NAME], threads[32];
	struct heddle_finding *finding = NULL;
	if (host->processors == 0 || host->threads <= host->processors)
		return;
	if (host->busy >= BUSY_MATTERS)
		finding = add_finding(
			facts, host->busy * (double)(host->threads - host->processors) / (double)host->threads);
	if (!finding)
		return;
	finding->metric = HEDDLE_METRIC_CPU_TIME;
	heddle__format_count(threads, sizeof(threads), host->threads);
	heddle__finding_add(finding, "%s threads share %zu processor%s", threads, host->processors,
		host->processors == 1 ? "" : "s");
	heddle__finding_brief(
		finding, "%s threads on %zu processor%s", threads, host->processors, host->processors == 1 ? "" : "s");
	if (several)
		heddle__finding_add(finding, " on %s", heddle__finding_name(name, host->name));
	heddle__finding_add(finding, ": some of them wait while others work");
}

static int find_crowds(struct facts *facts)
{
	struct heddle_host_loads loads;
	int error = heddle__host_loads_make(&loads, facts->measurement);
	for (size_t i = 0; !error && i < loads.count; i++)
		find_crowd(facts, &loads.items[i], loads.count > 1);
	heddle__host_loads_free(&loads);
	return error;
}

/* ---- memory ---- */

static void find_held(struct facts *facts)
{
	uint64_t held = profile_measurement_total(facts->measurement, HEDDLE_METRIC_HELD);
	struct heddle_finding *finding = held >= HELD_MATTERS ? add_finding(facts, 0) : NULL;
	char text[32];
	if (!finding)
		return;
	struct top top = top_of_code(facts, HEDDLE_METRIC_HELD);
	heddle__finding_add(
		finding, "%s of memory is not freed at the end", heddle__format_bytes(text, sizeof(text), held));
	heddle__finding_brief(finding, "%s not freed", text);
	say_place(facts, finding, &top);
	finding->metric = HEDDLE_METRIC_HELD;
}

/* ---- all findings ---- */

static void end_sentences(struct heddle_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		if (i == 0 && findings->items[i].unexplained)
			heddle__finding_add(&findings->items[i], "; `heddle run --blame` shows what causes it");
		heddle__finding_add(&findings->items[i], ".");
	}
}

/* Without calls that exchange messages, which have findings of their own. */
static void sum_waits(struct facts *facts)
{
	const struct profile_call_tree *tree = &facts->measurement->tree;
	const uint64_t *values = tree->values[HEDDLE_METRIC_WALL_TIME];
	const char *exchanges = heddle__exchanging_model(tree);
	memcpy(facts->waits, facts->states, tree->node_count);
	for (size_t i = 0; i < tree->node_count; i++) {
		const struct profile_node *node = &tree->nodes[i];
		bool call = exchanges && node->kind == HEDDLE_NODE_REGION &&
			    strcmp(tree->events[node->event].model, exchanges) == 0;
		if (call)
			facts->waits[i] = OTHERS;
		else if (values)
			facts->waited[facts->states[i]] += values[i];
	}
}

static void sum_up(struct facts *facts)
{
	const struct profile_measurement *measurement = facts->measurement;
	profile_call_tree_states(&measurement->tree, facts->states);
	heddle__state_times_sum(&facts->times, measurement, facts->states);
	sum_waits(facts);
	facts->cpu = profile_measurement_total(measurement, HEDDLE_METRIC_CPU_TIME);
	facts->samples = profile_measurement_total(measurement, HEDDLE_METRIC_SAMPLES);
	facts->by_event = heddle__is_sampled_by_event(measurement);
	for (size_t p = 0; p < measurement->process_count; p++)
		if (!measurement->processes[p].error)
			facts->off |= measurement->processes[p].info->samples_paused > 0;
}

int heddle__findings_make(struct heddle_findings *findings, const struct profile_measurement *measurement,
	const struct profile_view *view)
{
	struct facts facts = {.measurement = measurement, .view = view, .findings = findings};
	*findings = (struct heddle_findings){.count = 0};
	facts.states = malloc(measurement->tree.node_count + 1);
	facts.waits = malloc(measurement->tree.node_count + 1);
	facts.by_label = malloc((view->label_count + 1) * sizeof(*facts.by_label));
	int error = facts.states && facts.waits && facts.by_label ? find_crowds(&facts) : -ENOMEM;
	if (!error)
		error = heddle__find_exchanges(findings, measurement, view);
	if (!error) {
		sum_up(&facts);
		for (size_t i = 0; i < sizeof(waits) / sizeof(*waits); i++)
			find_wait(&facts, &waits[i]);
		find_function(&facts);
		find_sampled(&facts);
		find_overhead(&facts, BIT(OVERHEAD), "overhead of the run-time system", "overhead");
		find_overhead(&facts, SPINS, "spent while waiting (spinning or yielding)", "spinning");
		error = find_own_cost(&facts);
		if (!error)
			error = find_uneven(&facts);
		heddle__find_off_cpu(findings, measurement, view, &facts.times);
		find_held(&facts);
	}
	end_sentences(findings);
	free(facts.states);
	free(facts.waits);
	free(facts.by_label);
	return error;
}
