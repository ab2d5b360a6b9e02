/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The timeline of a page: a part of the run in columns of equal length, and for each thread and column the state that
 * took most of it and, within that state, the path. Threads are read in parallel; each worker has one number for each
 * node, so memory does not grow with events.
 */
#include "export/html_views.h"

#include "export/costs.h"
#include "export/json_text.h"
#include "profile/base/parallel.h"
#include "profile/trace/trace_activity.h"
#include "profile/trace/trace_spans.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define CELLS 8192u /* of all threads */
#define COLUMNS_LEAST 32u
#define COLUMNS_MOST 1024u
#define THREADS_MOST 512u

#define NOTHING 255u /* the thread did not exist */

struct cell {
	uint8_t kind;  /* enum heddle_state, HEDDLE_ACTIVITY_OFF or NOTHING */
	uint32_t node; /* of the view */
};

struct timeline {
	const struct export_request *request;
	struct profile_trace_part part;
	size_t *threads, count; /* of the trace: those shown */
	size_t columns;
	uint8_t *states; /* of the tree's nodes */
	struct cell *cells;
	struct piece *pieces; /* of each worker */
};

/* A worker's column that is being filled. */
struct piece {
	const struct timeline *timeline;
	const struct profile_trace_file *file;
	struct cell *cells; /* of its thread */
	size_t column;
	uint64_t end_ns;
	uint64_t *of_tree, *of_view; /* ns, by node of the tree and of the view */
	uint32_t *touched;
	size_t touched_count;
	uint64_t off_ns;
};

/* ---- one thread ---- */

static int mostly(const struct piece *piece)
{
	uint64_t sums[HEDDLE_ACTIVITY_KINDS] = {0};
	int most = -1;
	for (size_t i = 0; i < piece->touched_count; i++)
		sums[piece->timeline->states[piece->touched[i]]] += piece->of_tree[piece->touched[i]];
	sums[HEDDLE_ACTIVITY_OFF] = piece->off_ns;
	for (int k = 0; k < HEDDLE_ACTIVITY_KINDS; k++)
		if (sums[k] && (most < 0 || sums[k] > sums[most]))
			most = k;
	return most;
}

static uint32_t view_node(const struct piece *piece, uint32_t node)
{
	return profile_view_holder(piece->timeline->request->view, node, HEDDLE_METRIC_WALL_TIME);
}

static void finish_column(struct piece *piece)
{
	struct cell *cell = &piece->cells[piece->column];
	int kind = mostly(piece);
	uint64_t most = 0;
	*cell = (struct cell){kind < 0 ? NOTHING : (uint8_t)kind, 0};
	for (size_t i = 0; i < piece->touched_count; i++) {
		uint32_t node = piece->touched[i], at = view_node(piece, node);
		if (piece->timeline->states[node] != kind)
			continue;
		piece->of_view[at] += piece->of_tree[node];
		if (piece->of_view[at] > most) {
			most = piece->of_view[at];
			cell->node = at;
		}
	}
	for (size_t i = 0; i < piece->touched_count; i++) {
		piece->of_tree[piece->touched[i]] = 0;
		piece->of_view[view_node(piece, piece->touched[i])] = 0;
	}
	piece->touched_count = 0;
	piece->off_ns = 0;
}

static void next_column(struct piece *piece)
{
	const struct timeline *timeline = piece->timeline;
	finish_column(piece);
	piece->column++;
	piece->end_ns = profile_trace_boundary(&timeline->part, piece->column + 1, timeline->columns);
}

static int add_span(void *context, const struct profile_trace_span *span)
{
	struct piece *piece = context;
	uint32_t node = span->node == HEDDLE_NO_NODE ? 0 : profile_trace_tree_node(piece->file, span->node);
	for (uint64_t at = span->from_ns, end; at < span->to_ns; at = end) {
		while (at >= piece->end_ns && piece->column + 1 < piece->timeline->columns)
			next_column(piece);
		bool last = piece->column + 1 == piece->timeline->columns;
		end = last || span->to_ns < piece->end_ns ? span->to_ns : piece->end_ns;
		if (span->off) {
			piece->off_ns += end - at;
			continue;
		}
		if (!piece->of_tree[node])
			piece->touched[piece->touched_count++] = node;
		piece->of_tree[node] += end - at;
	}
	return 0;
}

static int add_thread(void *context, size_t worker, size_t index)
{
	struct timeline *timeline = context;
	const struct profile_trace *trace = timeline->request->trace;
	struct piece *piece = &timeline->pieces[worker];
	size_t thread = timeline->threads[index];
	piece->timeline = timeline;
	piece->file = &trace->files[trace->threads[thread].file];
	piece->cells = &timeline->cells[index * timeline->columns];
	piece->column = 0;
	piece->end_ns = profile_trace_boundary(&timeline->part, 1, timeline->columns);
	int error = profile_trace_spans(trace, thread, &timeline->part, add_span, piece);
	while (piece->column + 1 < timeline->columns)
		next_column(piece);
	finish_column(piece);
	return error;
}

/* ---- all threads ---- */

/* The program's; of too many, some at equal distances. */
static void choose_threads(struct timeline *timeline)
{
	const struct profile_trace *trace = timeline->request->trace;
	size_t count = 0, kept;
	for (size_t t = 0; t < trace->thread_count; t++)
		if (!trace->threads[t].row || profile_thread_number(trace->threads[t].row))
			timeline->threads[count++] = t;
	kept = count < THREADS_MOST ? count : THREADS_MOST;
	for (size_t i = 0; i < kept; i++)
		timeline->threads[i] = timeline->threads[i * count / kept];
	timeline->count = kept;
	size_t columns = CELLS / (kept ? kept : 1);
	columns = columns < COLUMNS_LEAST ? COLUMNS_LEAST : columns > COLUMNS_MOST ? COLUMNS_MOST : columns;
	uint64_t length = timeline->part.to_ns - timeline->part.from_ns;
	timeline->columns = columns < length ? columns : (size_t)length;
}

static bool allocate(struct timeline *timeline, size_t workers)
{
	const struct export_request *request = timeline->request;
	size_t nodes = request->measurement->tree.node_count;
	timeline->states = malloc(nodes + 1);
	timeline->cells = calloc(timeline->count * timeline->columns + 1, sizeof(*timeline->cells));
	timeline->pieces = calloc(workers, sizeof(*timeline->pieces));
	bool room = timeline->states && timeline->cells && timeline->pieces;
	for (size_t w = 0; w < workers && room; w++) {
		struct piece *piece = &timeline->pieces[w];
		piece->of_tree = calloc(nodes + 1, sizeof(*piece->of_tree));
		piece->of_view = calloc(request->view->node_count + 1, sizeof(*piece->of_view));
		piece->touched = malloc((nodes + 1) * sizeof(*piece->touched));
		room = piece->of_tree && piece->of_view && piece->touched;
	}
	return room;
}

static void release(struct timeline *timeline, size_t workers)
{
	for (size_t w = 0; w < workers && timeline->pieces; w++) {
		free(timeline->pieces[w].of_tree);
		free(timeline->pieces[w].of_view);
		free(timeline->pieces[w].touched);
	}
	free(timeline->pieces);
	free(timeline->states);
	free(timeline->cells);
}

/* ---- writing ---- */

struct search {
	const struct profile_thread *wanted;
	size_t number;
};

static int is_thread(
	void *context, const struct profile_process *process, const struct profile_thread *thread, size_t number)
{
	struct search *search = context;
	(void)process;
	search->number = number;
	return thread == search->wanted;
}

/* Runs of equal cells: length, state (-1: nothing, number of states: not measured), difference of nodes. */
static void write_cells(const struct timeline *timeline, const struct cell *cells, FILE *out)
{
	const char *separator = "";
	int64_t before = 0;
	for (size_t c = 0, end; c < timeline->columns; c = end) {
		for (end = c + 1; end < timeline->columns && cells[end].kind == cells[c].kind &&
				  cells[end].node == cells[c].node;)
			end++;
		fprintf(out, "%s%zu,%d,%" PRId64, separator, end - c, cells[c].kind == NOTHING ? -1 : cells[c].kind,
			(int64_t)cells[c].node - before);
		before = cells[c].node;
		separator = ",";
	}
}

static void write_thread(const struct timeline *timeline, size_t index, FILE *out)
{
	const struct profile_trace_thread *thread = &timeline->request->trace->threads[timeline->threads[index]];
	struct search search = {thread->row, 0};
	bool known = thread->row && export_threads_each(timeline->request, is_thread, &search) == 1;
	fprintf(out, "%s{\"thread\":%" PRId64 ",\"runs\":[", index ? ",\n" : "", known ? (int64_t)search.number : -1);
	write_cells(timeline, &timeline->cells[index * timeline->columns], out);
	fputs("]}", out);
}

static void write_timeline(const struct timeline *timeline, FILE *out)
{
	fprintf(out, "\"timeline\":{\"from\":%" PRIu64 ",\"to\":%" PRIu64 ",\"columns\":%zu,\"damage\":[",
		timeline->part.from_ns, timeline->part.to_ns, timeline->columns);
	const struct profile_trace *trace = timeline->request->trace;
	const char *separator = "";
	for (size_t f = 0; f < trace->file_count; f++) {
		if (!trace->files[f].damage)
			continue;
		fputs(separator, out);
		export_json_string(out, trace->files[f].damage);
		separator = ",";
	}
	fputs("],\"threads\":[\n", out);
	for (size_t i = 0; i < timeline->count; i++)
		write_thread(timeline, i, out);
	fputs("]}", out);
}

int export_page_timeline(const struct export_page *page, FILE *out)
{
	struct timeline timeline = {.request = page->request};
	const struct profile_trace *trace = page->request->trace;
	if (!trace || page->to_ns <= page->from_ns) {
		fputs("\"timeline\":null", out);
		return 0;
	}
	timeline.part = (struct profile_trace_part){page->from_ns, page->to_ns};
	timeline.threads = calloc(trace->thread_count + 1, sizeof(*timeline.threads));
	if (!timeline.threads)
		return -ENOMEM;
	choose_threads(&timeline);
	size_t workers = profile_processors();
	workers = workers < 1 ? 1 : workers > timeline.count ? timeline.count + 1 : workers;
	int error = allocate(&timeline, workers) ? 0 : -ENOMEM;
	if (!error) {
		profile_call_tree_states(&page->request->measurement->tree, timeline.states);
		error = profile_parallel(workers, timeline.count, add_thread, &timeline);
	}
	if (!error)
		write_timeline(&timeline, out);
	release(&timeline, workers);
	free(timeline.threads);
	return error;
}
