/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The arrows of a page's timeline: messages from send to receive, accesses from a thread to the owner of the memory. In
 * each piece of time those with most bytes are kept, so memory is bounded by the messages under way.
 */
#include "export/html_timeline.h"

#include "profile/trace/trace_table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define EACH EXPORT_ARROWS_EACH
#define NOBODY SIZE_MAX
#define UNDER_WAY_MOST (1u << 20) /* further messages get no arrow: a rank's trace may be missing */

struct arrow {
	size_t from, to; /* numbers of shown threads */
	uint64_t from_ns, to_ns, bytes;
};

struct arrows {
	const struct export_timeline *timeline;
	size_t *shown, *ranks; /* by thread of the trace, and by rank: number among the shown threads, or NOBODY */
	size_t rank_count;
	struct arrow *all; /* arrows in timeline->kept */
	size_t all_count;
	struct arrow *kept; /* by column: EACH of them */
	size_t counts[EXPORT_ARROW_COLUMNS];
	uint64_t messages, accesses;                      /* number of all in the part */
	struct profile_trace_table sent, sends, receives; /* arrows under way, by number; counts of messages, + 1 */
};

/* ---- which are kept ---- */

static void keep(struct arrows *arrows, const struct arrow *arrow)
{
	const struct profile_trace_part *part = &arrows->timeline->part, *all = &arrows->timeline->kept;
	uint64_t length = part->to_ns - part->from_ns;
	bool within = arrow->from_ns >= all->from_ns && arrow->from_ns < all->to_ns;
	if (within && arrows->all_count < EXPORT_ARROWS_KEPT) {
		arrows->all[arrows->all_count++] = *arrow;
		return;
	}
	size_t column = (size_t)((unsigned __int128)(arrow->from_ns - part->from_ns) * EXPORT_ARROW_COLUMNS / length);
	struct arrow *items = &arrows->kept[column * EACH], *least = items;
	if (arrows->counts[column] < EACH) {
		items[arrows->counts[column]++] = *arrow;
		return;
	}
	for (size_t i = 1; i < EACH; i++)
		if (items[i].bytes < least->bytes)
			least = &items[i];
	if (arrow->bytes > least->bytes)
		*least = *arrow;
}

static bool is_shown(const struct arrows *arrows, const struct arrow *arrow)
{
	const struct profile_trace_part *part = &arrows->timeline->part;
	return arrow->from != NOBODY && arrow->to != NOBODY && arrow->from_ns >= part->from_ns &&
	       arrow->from_ns < part->to_ns;
}

/* ---- accesses ---- */

static size_t of_rank(const struct arrows *arrows, int64_t rank)
{
	return rank >= 0 && (uint64_t)rank < arrows->rank_count ? arrows->ranks[rank] : NOBODY;
}

/* Data moves from the owner in a get, and to the owner in a put. */
static void take_access(struct arrows *arrows, size_t thread, const struct profile_trace_event *event)
{
	size_t own = arrows->shown[thread], other = of_rank(arrows, event->partner);
	bool put = event->operand & HEDDLE_TRACE_ACCESS_PUT;
	struct arrow arrow = {put ? own : other, put ? other : own, event->time_ns, event->time_ns, event->value};
	if (own == other || !is_shown(arrows, &arrow))
		return;
	arrows->accesses++;
	keep(arrows, &arrow);
}

/* ---- messages ---- */

static int count_message(struct profile_trace_table *table, uint64_t first, uint64_t second, uint64_t *count)
{
	*count = (uintptr_t)profile_trace_table_take(table, first, second);
	return profile_trace_table_add(table, first, second, (void *)(uintptr_t)(*count + 1)); // NOLINT
}

/*
 * Takes the other end of the arrow if it came before, else stores this end. If clocks differ, a receive may come first.
 */
static int meet(struct arrows *arrows, uint64_t key, uint64_t pair, const struct arrow *end, bool sent)
{
	struct arrow *other = profile_trace_table_take(&arrows->sent, key, pair);
	if (!other) {
		if (arrows->sent.count >= UNDER_WAY_MOST)
			return 0;
		other = malloc(sizeof(*other));
		if (!other)
			return -ENOMEM;
		*other = *end;
		int error = profile_trace_table_add(&arrows->sent, key, pair, other);
		if (error)
			free(other);
		return error;
	}
	struct arrow arrow = sent ? *end : *other;
	arrow.to_ns = sent ? other->to_ns : end->to_ns;
	free(other);
	if (is_shown(arrows, &arrow)) {
		arrows->messages++;
		keep(arrows, &arrow);
	}
	return 0;
}

/* The nth message received is the nth one sent with the same key. */
static int take_message(struct arrows *arrows, size_t thread, const struct profile_trace_event *event)
{
	const struct profile_trace *trace = arrows->timeline->request->trace;
	const struct profile_trace_file *file = &trace->files[trace->threads[thread].file];
	bool sent = event->operand == HEDDLE_TRACE_SENT;
	uint64_t count;
	if ((!sent && event->operand != HEDDLE_TRACE_RECEIVED) || !event->group || event->partner < 0 ||
		event->group > file->group_count)
		return 0;
	const struct heddle_trace_group *group = &file->groups[event->group - 1];
	uint64_t from = sent ? group->all_rank : (uint64_t)event->partner;
	uint64_t to = sent ? (uint64_t)event->partner : group->all_rank;
	uint64_t key = group->identity ^ (uint64_t)(event->tag + 1) * UINT64_C(0x9e3779b97f4a7c15);
	if (count_message(sent ? &arrows->sends : &arrows->receives, key, from << 32 | to, &count) != 0)
		return -ENOMEM;
	struct arrow end = {of_rank(arrows, (int64_t)from), of_rank(arrows, (int64_t)to), event->time_ns,
		event->time_ns, event->value};
	return meet(arrows, key ^ (count + 1) * UINT64_C(0xc2b2ae3d27d4eb4f), from << 32 | to, &end, sent);
}

/* ---- all events ---- */

static int walk(struct arrows *arrows)
{
	const struct export_timeline *timeline = arrows->timeline;
	const struct profile_trace *trace = timeline->request->trace;
	const struct profile_trace_stream *stream;
	struct profile_trace_event event;
	/* From the beginning of the run, because messages are counted. */
	struct profile_trace_merge *merge = profile_trace_merge_open(trace, 0);
	int error = merge ? 0 : -ENOMEM;
	while (!error && profile_trace_merge_next(merge, &stream, &event) == 1) {
		size_t thread = (size_t)(stream->thread - trace->threads);
		if (event.kind == HEDDLE_TRACE_ACCESS)
			take_access(arrows, thread, &event);
		else if (event.kind == HEDDLE_TRACE_MESSAGE)
			error = take_message(arrows, thread, &event);
	}
	if (merge && !error)
		error = profile_trace_merge_error(merge);
	if (merge)
		profile_trace_merge_close(merge);
	return error;
}

/* Most programs have no accesses and messages: then the events need not be read again. */
static bool has_arrows(const struct profile_measurement *measurement)
{
	static const enum heddle_metric metrics[] = {HEDDLE_METRIC_REMOTE, HEDDLE_METRIC_SAME_NODE,
		HEDDLE_METRIC_MESSAGES_SENT, HEDDLE_METRIC_MESSAGES_RECEIVED};
	for (size_t i = 0; i < sizeof(metrics) / sizeof(*metrics); i++)
		if (measurement->tree.values[metrics[i]])
			return true;
	return false;
}

static int number_threads(struct arrows *arrows)
{
	const struct export_timeline *timeline = arrows->timeline;
	const struct profile_trace *trace = timeline->request->trace;
	uint32_t most = 0;
	for (size_t i = 0; i < timeline->count; i++) {
		const struct profile_thread *row = trace->threads[timeline->threads[i]].row;
		most = row && profile_thread_is_rank(row) && row->rank > most ? row->rank : most;
	}
	arrows->rank_count = most < 1u << 24 ? most : 0;
	arrows->shown = malloc((trace->thread_count + 1) * sizeof(*arrows->shown));
	arrows->ranks = malloc((arrows->rank_count + 1) * sizeof(*arrows->ranks));
	arrows->kept = calloc((size_t)EXPORT_ARROW_COLUMNS * EACH, sizeof(*arrows->kept));
	arrows->all = calloc(EXPORT_ARROWS_KEPT, sizeof(*arrows->all));
	if (!arrows->shown || !arrows->ranks || !arrows->kept || !arrows->all)
		return -ENOMEM;
	for (size_t t = 0; t < trace->thread_count; t++)
		arrows->shown[t] = NOBODY;
	for (size_t r = 0; r < arrows->rank_count; r++)
		arrows->ranks[r] = NOBODY;
	for (size_t i = 0; i < timeline->count; i++) {
		const struct profile_thread *row = trace->threads[timeline->threads[i]].row;
		arrows->shown[timeline->threads[i]] = i;
		if (row && profile_thread_is_rank(row) && row->rank <= arrows->rank_count)
			arrows->ranks[row->rank - 1] = i;
	}
	return 0;
}

/* ---- writing ---- */

static void write_some(const struct arrows *arrows, const struct arrow *some, size_t count, FILE *out)
{
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%zu,%zu,%" PRIu64 ",%" PRId64 ",%" PRIu64, i ? "," : "", some[i].from, some[i].to,
			some[i].from_ns - arrows->timeline->part.from_ns, (int64_t)(some[i].to_ns - some[i].from_ns),
			some[i].bytes);
}

static void write_arrows(const struct arrows *arrows, FILE *out)
{
	bool before = arrows->all_count > 0;
	fprintf(out, "\"arrows\":{\"messages\":%" PRIu64 ",\"accesses\":%" PRIu64 ",\"shown\":[", arrows->messages,
		arrows->accesses);
	write_some(arrows, arrows->all, arrows->all_count, out);
	for (size_t c = 0; c < EXPORT_ARROW_COLUMNS; c++) {
		fputs(before && arrows->counts[c] ? "," : "", out);
		write_some(arrows, &arrows->kept[c * EACH], arrows->counts[c], out);
		before = before || arrows->counts[c];
	}
	fputs("]}", out);
}

int export_timeline_arrows(const struct export_timeline *timeline, FILE *out)
{
	struct arrows arrows = {.timeline = timeline};
	struct arrow *left;
	int error = number_threads(&arrows);
	if (!error && has_arrows(timeline->request->measurement))
		error = walk(&arrows);
	if (!error)
		write_arrows(&arrows, out);
	while ((left = profile_trace_table_drain(&arrows.sent)))
		free(left);
	while (profile_trace_table_drain(&arrows.sends) || profile_trace_table_drain(&arrows.receives))
		continue;
	free(arrows.shown);
	free(arrows.ranks);
	free(arrows.kept);
	free(arrows.all);
	return error;
}
