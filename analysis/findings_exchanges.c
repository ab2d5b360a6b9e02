/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Findings of programs whose ranks exchange messages. Without a trace, waiting is known by two lower bounds, of which
 * the larger is used: the time of calls beyond the least that a call took at the same place for as many bytes; and, at
 * barriers and in collectives, the time of ranks beyond the rank with the least time, for which the others wait.
 */
#include "analysis/exchange_table.h"
#include "analysis/file_table.h"
#include "analysis/findings_parts.h"
#include "analysis/text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define TAKES 0.02    /* of the ranks' time: deserves a sentence */
#define WAITS 0.10    /* of the calls' time */
#define MATTERS 0.05  /* of the ranks' time */
#define OVERLAPS 0.20 /* of the time in flight: less is hardly any */
#define LEAST_OF 0.5  /* of the average: the others wait for a rank that waits at most as much */

enum kind { AT_BARRIERS, IN_COLLECTIVES, FOR_MESSAGES, KINDS };

struct facts {
	const struct profile_measurement *measurement;
	const struct profile_view *view;
	struct heddle_findings *findings;
	const struct profile_model *model, *ranks; /* model of the calls; model that numbers the ranks */
	uint64_t *by_label;
	uint64_t elapsed; /* of the ranks' threads, ns */
	uint64_t time, setup;
	uint64_t times[KINDS], waits[KINDS];
	enum heddle_metric by[KINDS]; /* metric of `waits` */
};

const char *heddle__exchanging_model(const struct profile_call_tree *tree)
{
	for (size_t i = 0; i < tree->event_count; i++)
		if (tree->events[i].role == HEDDLE_EVENT_SETUP)
			return tree->events[i].model;
	return NULL;
}

static enum kind kind_of(const struct profile_event_kind *event)
{
	return event->category == HEDDLE_CATEGORY_BARRIER      ? AT_BARRIERS
	       : event->category == HEDDLE_CATEGORY_COLLECTIVE ? IN_COLLECTIVES
							       : FOR_MESSAGES;
}

/* Returns the event of a node that is a call of the model; NULL: it is not. */
static const struct profile_event_kind *call_of(const struct facts *facts, uint32_t node)
{
	const struct profile_call_tree *tree = &facts->measurement->tree;
	const struct profile_node *it = &tree->nodes[node];
	const struct profile_event_kind *event = it->kind == HEDDLE_NODE_REGION ? &tree->events[it->event] : NULL;
	return event && strcmp(event->model, facts->model->name) == 0 ? event : NULL;
}

static uint64_t value_of(const struct facts *facts, enum heddle_metric metric, uint32_t node)
{
	const uint64_t *values = facts->measurement->tree.values[metric];
	return values ? values[node] : 0;
}

static void sum_up(struct facts *facts)
{
	for (uint32_t i = 0; i < facts->measurement->tree.node_count; i++) {
		const struct profile_event_kind *event = call_of(facts, i);
		uint64_t time = event ? value_of(facts, HEDDLE_METRIC_WALL_TIME, i) : 0;
		if (!event)
			continue;
		if (event->role == HEDDLE_EVENT_SETUP) {
			facts->setup += time;
			continue;
		}
		facts->time += time;
		facts->times[kind_of(event)] += time;
		facts->waits[kind_of(event)] += value_of(facts, HEDDLE_METRIC_MESSAGE_WAIT, i);
	}
}

/* Returns the place with most of a metric among calls of a kind (KINDS: all), and its share. HEDDLE_NO_NODE: none. */
static uint32_t place_of(const struct facts *facts, enum heddle_metric metric, enum kind kind, double *part)
{
	uint32_t most = HEDDLE_NO_NODE;
	uint64_t sum = 0;
	memset(facts->by_label, 0, facts->view->label_count * sizeof(*facts->by_label));
	for (uint32_t i = 0; i < facts->measurement->tree.node_count; i++) {
		const struct profile_event_kind *event = call_of(facts, i);
		uint64_t value = event ? value_of(facts, metric, i) : 0;
		uint32_t node = facts->view->of_node[i];
		if (!value || event->role == HEDDLE_EVENT_SETUP || (kind != KINDS && kind_of(event) != kind))
			continue;
		sum += value;
		facts->by_label[facts->view->label_of[node]] += value;
		if (most == HEDDLE_NO_NODE ||
			facts->by_label[facts->view->label_of[node]] > facts->by_label[facts->view->label_of[most]])
			most = node;
	}
	*part = most == HEDDLE_NO_NODE ? 0 : (double)facts->by_label[facts->view->label_of[most]] / (double)sum;
	return most;
}

static void say_place(const struct facts *facts, struct heddle_finding *finding, uint32_t node)
{
	char name[HEDDLE_FINDING_NAME];
	if (node == HEDDLE_NO_NODE)
		return;
	finding->node = node;
	heddle__finding_add(
		finding, " at `%s`", heddle__finding_name(name, facts->view->labels[facts->view->label_of[node]].text));
}

/* The sum of a metric over ranks, for the state of calls of a kind. */
struct spread {
	uint64_t sum, least;
	uint32_t rank, count; /* rank: the one with the least */
};

static struct spread spread_of(const struct facts *facts, enum heddle_metric metric, enum kind kind)
{
	static const enum heddle_state states[KINDS] = {
		HEDDLE_STATE_BARRIER_WAIT, HEDDLE_STATE_COLLECTIVE_WAIT, HEDDLE_STATE_COMMUNICATION};
	struct spread spread = {.least = UINT64_MAX};
	for (size_t p = 0; p < facts->measurement->process_count; p++)
		for (size_t t = 0; t < facts->measurement->processes[p].thread_count; t++) {
			const struct profile_thread *thread = &facts->measurement->processes[p].threads[t];
			if (!profile_thread_is_rank(thread) || !thread->values)
				continue;
			uint64_t value = profile_thread_value(thread, metric, states[kind]);
			spread.rank = value < spread.least ? thread->rank - 1 : spread.rank;
			spread.least = value < spread.least ? value : spread.least;
			spread.sum += value;
			spread.count++;
		}
	return spread;
}

/* The time of communication is not used as a bound, because it is not only that of messages. */
static void bound_waits(struct facts *facts)
{
	for (enum kind kind = AT_BARRIERS; kind < KINDS; kind++) {
		struct spread spread = spread_of(facts, HEDDLE_METRIC_WALL_TIME, kind);
		uint64_t beyond = spread.count ? spread.sum - spread.count * spread.least : 0;
		facts->by[kind] = HEDDLE_METRIC_MESSAGE_WAIT;
		if (kind == FOR_MESSAGES || beyond <= facts->waits[kind])
			continue;
		facts->by[kind] = HEDDLE_METRIC_WALL_TIME;
		facts->waits[kind] = beyond < facts->times[kind] ? beyond : facts->times[kind];
	}
}

/* Names the rank that waits least in these calls, if it waits much less than the others: they wait for it. */
static void say_rank(const struct facts *facts, struct heddle_finding *finding, enum kind kind)
{
	struct spread spread = spread_of(facts, facts->by[kind], kind);
	char one[32], mean[32];
	if (spread.count < 2 || (double)spread.least > LEAST_OF * (double)spread.sum / spread.count)
		return;
	heddle__finding_add(finding, "; %s %" PRIu32 " makes the others wait: it waits %s there, a rank %s on average",
		facts->ranks->rank, spread.rank, heddle__format_time(one, sizeof(one), spread.least),
		heddle__format_time(mean, sizeof(mean), spread.sum / spread.count));
}

static void find_share(struct facts *facts)
{
	static const char *const words[KINDS] = {"at barriers", "in collectives", "for messages"};
	uint64_t waits = facts->waits[AT_BARRIERS] + facts->waits[IN_COLLECTIVES] + facts->waits[FOR_MESSAGES];
	double share = (double)facts->time / (double)facts->elapsed, part;
	struct heddle_finding *finding = share >= TAKES ? heddle__finding_make(facts->findings, share) : NULL;
	enum kind kind = AT_BARRIERS;
	char text[32];
	if (!finding)
		return;
	for (enum kind k = AT_BARRIERS; k < KINDS; k++)
		kind = facts->waits[k] > facts->waits[kind] ? k : kind;
	heddle__finding_add(finding, "%s takes %.0f %% of the %ss' time (%s", profile_model_label(facts->model),
		100 * share, facts->ranks->ranks, heddle__format_time(text, sizeof(text), facts->time));
	heddle__finding_brief(finding, "%s %.0f %%", profile_model_label(facts->model), 100 * share);
	if (facts->setup)
		heddle__finding_add(finding, ", not counting %s of start-up and shutdown",
			heddle__format_time(text, sizeof(text), facts->setup));
	heddle__finding_add(finding, ")");
	if (!facts->time || (double)waits < WAITS * (double)facts->time) {
		uint32_t node = place_of(facts, HEDDLE_METRIC_WALL_TIME, KINDS, &part);
		heddle__finding_add(finding, ", %.0f %% of it", 100 * part);
		say_place(facts, finding, node);
		return;
	}
	uint32_t node = place_of(facts, facts->by[kind], kind, &part);
	heddle__finding_add(finding, "; about %.0f %% of that is waiting, %.0f %% of it %s, most",
		100 * (double)waits / (double)facts->time, 100 * (double)facts->waits[kind] / (double)waits,
		words[kind]);
	say_place(facts, finding, node);
	finding->metric = facts->by[kind];
	say_rank(facts, finding, kind);
	heddle__finding_add(finding, "; with `--trace`, `heddle report --late` shows whose code causes it");
}

/* Writes "Messages of 64 KiB to 128 KiB". */
static void say_size(struct heddle_finding *finding, unsigned int bucket)
{
	char low[32], high[32];
	if (bucket == 0)
		heddle__finding_add(finding, "Messages without data");
	else
		heddle__finding_add(finding, "Messages of %s to %s",
			heddle__format_bytes(low, sizeof(low), (uint64_t)1 << (bucket - 1)),
			heddle__format_bytes(high, sizeof(high), ((uint64_t)1 << bucket) - 1));
}

static int find_size(struct facts *facts)
{
	struct heddle_exchange_table table;
	char time[32], count[32];
	unsigned int most = 0;
	uint64_t sum = 0;
	int error = heddle__exchange_table_make(&table, facts->measurement);
	if (error)
		return error;
	for (unsigned int b = 0; b < HEDDLE_SIZE_BUCKETS; b++) {
		sum += table.sent[b].time_ns;
		most = table.sent[b].time_ns > table.sent[most].time_ns ? b : most;
	}
	double share = (double)table.sent[most].time_ns / (double)facts->elapsed;
	struct heddle_finding *finding = share >= MATTERS ? heddle__finding_make(facts->findings, share) : NULL;
	if (finding) {
		say_size(finding, most);
		heddle__finding_add(finding,
			" are the most expensive: %s of sending and receiving %s of them, %.0f %% of the time of all "
			"messages",
			heddle__format_time(time, sizeof(time), table.sent[most].time_ns),
			heddle__format_count(count, sizeof(count), table.sent[most].messages),
			100 * (double)table.sent[most].time_ns / (double)sum);
		heddle__finding_brief(finding, "messages of one size: %s", time);
	}
	heddle__exchange_table_free(&table);
	return 0;
}

static void say_moved(struct heddle_finding *finding, uint64_t bytes, const char *how)
{
	char text[32];
	if (bytes)
		heddle__finding_add(finding, ", %s %s", heddle__format_bytes(text, sizeof(text), bytes), how);
}

/* `ns` is the time of calls with all files. */
static void say_files(
	const struct facts *facts, struct heddle_finding *finding, const struct heddle_file *most, uint64_t ns)
{
	char text[32], name[HEDDLE_FINDING_NAME];
	heddle__finding_add(finding, "Calls with files take %.0f %% of the %ss' time (%s), %.0f %% of it with `%s`",
		100 * (double)ns / (double)facts->elapsed, facts->ranks->ranks,
		heddle__format_time(text, sizeof(text), ns), 100 * (double)heddle__file_ns(most) / (double)ns,
		heddle__finding_name(name, most->shown));
	say_moved(finding, most->bytes_read, "read");
	say_moved(finding, most->bytes_written, "written");
	if (heddle__file_bandwidth(most))
		heddle__finding_add(
			finding, ", %s/s", heddle__format_bytes(text, sizeof(text), heddle__file_bandwidth(most)));
	heddle__finding_add(finding, "; `heddle report --messages` has all files");
	heddle__finding_brief(finding, "files %.0f %%", 100 * (double)ns / (double)facts->elapsed);
}

static int find_files(struct facts *facts)
{
	struct heddle_file_table table;
	uint64_t ns = 0;
	int error = heddle__file_table_make(&table, facts->measurement);
	if (error)
		return error;
	for (size_t i = 0; i < table.count; i++)
		ns += heddle__file_ns(&table.files[i]);
	double share = (double)ns / (double)facts->elapsed;
	struct heddle_finding *finding = share >= MATTERS ? heddle__finding_make(facts->findings, share) : NULL;
	if (finding)
		say_files(facts, finding, &table.files[0], ns);
	heddle__file_table_free(&table);
	return 0;
}

static void find_overlap(struct facts *facts)
{
	uint64_t flight = profile_measurement_total(facts->measurement, HEDDLE_METRIC_FLIGHT_TIME);
	uint64_t overlapped = profile_measurement_total(facts->measurement, HEDDLE_METRIC_OVERLAPPED_TIME);
	double part, share = flight > overlapped ? (double)(flight - overlapped) / (double)facts->elapsed : 0;
	struct heddle_finding *finding = NULL;
	if (share >= MATTERS && (double)overlapped < OVERLAPS * (double)flight)
		finding = heddle__finding_make(facts->findings, share < 1 ? share / 2 : 0.5);
	if (!finding)
		return;
	uint32_t node = place_of(facts, HEDDLE_METRIC_FLIGHT_TIME, KINDS, &part);
	heddle__finding_add(finding,
		"Nonblocking communication overlaps %s: %.0f %% of its time in flight is waited for, most",
		overlapped ? "almost nothing" : "nothing", 100 * (double)(flight - overlapped) / (double)flight);
	heddle__finding_brief(finding, "%s overlaps", overlapped ? "almost nothing" : "nothing");
	say_place(facts, finding, node);
	finding->metric = HEDDLE_METRIC_FLIGHT_TIME;
}

static void add_ranks(struct facts *facts)
{
	const struct profile_measurement *measurement = facts->measurement;
	for (size_t p = 0; p < measurement->process_count; p++)
		for (size_t t = 0; t < measurement->processes[p].thread_count; t++) {
			const struct profile_thread *thread = &measurement->processes[p].threads[t];
			if (!profile_thread_is_rank(thread))
				continue;
			facts->ranks = profile_models_named(&measurement->tree.models, thread->rank_model);
			facts->elapsed += thread->end_ns > thread->start_ns ? thread->end_ns - thread->start_ns : 0;
		}
}

int heddle__find_exchanges(struct heddle_findings *findings, const struct profile_measurement *measurement,
	const struct profile_view *view)
{
	struct facts facts = {.measurement = measurement, .view = view, .findings = findings};
	const char *model = heddle__exchanging_model(&measurement->tree);
	if (!model)
		return 0;
	facts.model = profile_models_named(&measurement->tree.models, model);
	add_ranks(&facts);
	if (!facts.ranks || !facts.elapsed)
		return 0;
	facts.by_label = malloc((view->label_count + 1) * sizeof(*facts.by_label));
	if (!facts.by_label)
		return -ENOMEM;
	sum_up(&facts);
	bound_waits(&facts);
	find_share(&facts);
	if (measurement->tree.values[HEDDLE_METRIC_MESSAGE_WAIT]) /* there are messages whose overlap is known */
		find_overlap(&facts);
	int error = find_size(&facts);
	if (!error)
		error = find_files(&facts);
	free(facts.by_label);
	return error;
}
