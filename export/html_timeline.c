/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The timeline of a page: a part of the run as pieces of each thread's time (export/timeline_pieces.h), limited in
 * number for any number of events, with all events of one stretch (export/html_stretch.c); curves and arrows. Threads
 * are read in parallel; memory does not grow with the number of events.
 */
#include "export/html_views.h"

#include "export/costs.h"
#include "export/html_timeline.h"
#include "export/json_text.h"
#include "export/timeline_pieces.h"
#include "profile/base/parallel.h"
#include "profile/trace/trace_activity.h"
#include "profile/trace/trace_spans.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#define PARTS 65536u /* of the pieces of all threads */
#define PARTS_LEAST 96u
#define PARTS_MOST 16384u /* of a thread */
#define KEPT 16384u       /* spans of the stretch */
#define KEPT_LEAST 32u
#define THREADS_MOST 1024u

struct timeline {
	const struct export_request *request;
	struct profile_trace_part part, stretch;
	size_t *threads, count; /* shown threads, as indices into the trace's */
	uint8_t *states;        /* of the tree's nodes */
	struct export_pieces *pieces;
	uint64_t records; /* of all threads */
	struct export_curves curves;
};

/* ---- one thread ---- */

struct walk {
	const struct timeline *timeline;
	const struct profile_trace_file *file;
	struct export_pieces *pieces;
	struct export_curve_walk curves;
};

static int add_span(void *context, const struct profile_trace_span *span)
{
	const struct walk *walk = context;
	const struct timeline *timeline = walk->timeline;
	const struct profile_trace_part time = {span->from_ns, span->to_ns};
	uint32_t node = span->node == HEDDLE_NO_NODE ? 0 : profile_trace_tree_node(walk->file, span->node);
	if (span->off)
		return export_pieces_add(walk->pieces, &time, 0, HEDDLE_ACTIVITY_OFF);
	return export_pieces_add(walk->pieces, &time,
		profile_view_holder(timeline->request->view, node, HEDDLE_METRIC_WALL_TIME), timeline->states[node]);
}

static int take_event(void *context, const struct profile_trace_event *event)
{
	struct walk *walk = context;
	return export_curves_take(&walk->curves, event);
}

static int add_thread(void *context, size_t worker, size_t index)
{
	struct timeline *timeline = context;
	const struct profile_trace *trace = timeline->request->trace;
	size_t thread = timeline->threads[index];
	struct walk walk = {.timeline = timeline,
		.file = &trace->files[trace->threads[thread].file],
		.pieces = &timeline->pieces[index]};
	export_curves_walk(&walk.curves, &timeline->curves, worker);
	return profile_trace_spans_and_events(trace, thread, &timeline->part, add_span, take_event, &walk);
}

/* ---- all threads ---- */

/* Chooses the program's threads; if there are too many, some at equal distances. */
static void choose_threads(struct timeline *timeline)
{
	const struct profile_trace *trace = timeline->request->trace;
	size_t count = 0, kept;
	for (size_t t = 0; t < trace->thread_count; t++) {
		if (trace->threads[t].row && !profile_thread_number(trace->threads[t].row))
			continue;
		timeline->threads[count++] = t;
		timeline->records += trace->threads[t].records;
	}
	kept = count < THREADS_MOST ? count : THREADS_MOST;
	for (size_t i = 0; i < kept; i++)
		timeline->threads[i] = timeline->threads[i * count / kept];
	timeline->count = kept;
}

/* Returns the thread's share of `all`, in proportion to its records; at least `least`. */
static size_t share(const struct timeline *timeline, size_t index, size_t all, size_t least)
{
	uint64_t records = timeline->request->trace->threads[timeline->threads[index]].records;
	size_t own = (size_t)((double)all * (double)records / ((double)timeline->records + 1));
	return own > least ? own : least;
}

/* Returns the length in which the records fit, if they are equally frequent everywhere. */
static uint64_t stretch_length(const struct timeline *timeline)
{
	double run_ns = (double)timeline->request->trace->end_ns + 1;
	double wanted_ns = run_ns * KEPT / ((double)timeline->records + 1);
	uint64_t length = timeline->part.to_ns - timeline->part.from_ns;
	return wanted_ns < (double)length ? (uint64_t)wanted_ns : length;
}

static int prepare(struct timeline *timeline)
{
	const struct export_timeline shown = {
		timeline->request, timeline->part, {0, 0}, timeline->threads, timeline->count, 1};
	timeline->states = malloc(timeline->request->measurement->tree.node_count + 1);
	timeline->pieces = calloc(timeline->count + 1, sizeof(*timeline->pieces));
	if (!timeline->states || !timeline->pieces)
		return -ENOMEM;
	profile_call_tree_states(&timeline->request->measurement->tree, timeline->states);
	int error = export_timeline_stretch(&shown, timeline->states, stretch_length(timeline), &timeline->stretch);
	for (size_t i = 0; i < timeline->count; i++) {
		timeline->pieces[i].begin_ns = timeline->part.from_ns;
		timeline->pieces[i].keep = timeline->stretch;
		size_t parts = share(timeline, i, PARTS, PARTS_LEAST);
		timeline->pieces[i].parts_most = parts < PARTS_MOST ? parts : PARTS_MOST;
		timeline->pieces[i].keep_most = share(timeline, i, KEPT, KEPT_LEAST);
	}
	return error;
}

static void release(struct timeline *timeline)
{
	for (size_t i = 0; timeline->pieces && i < timeline->count; i++)
		export_pieces_free(&timeline->pieces[i]);
	free(timeline->pieces);
	free(timeline->states);
	free(timeline->threads);
}

/* ---- writing ---- */

/* Columns of numbers: one per piece, then one per part of a piece. */
enum column { LENGTHS, COUNTS, NODES, STATES, TIMES, COLUMNS };

static void write_piece(FILE *out, const struct export_piece *piece, enum column column, const char **separator)
{
	size_t parts = column == LENGTHS || column == COUNTS ? 1 : piece->count;
	for (size_t i = column == TIMES; i < parts; i++) { /* the first part has the rest of the length */
		const struct export_piece_part *part = &piece->parts[i];
		int64_t value = column == LENGTHS  ? (int64_t)(piece->to_ns - piece->from_ns)
				: column == COUNTS ? piece->count
				: column == NODES  ? (part->node == EXPORT_PIECE_OTHERS ? -1 : (int64_t)part->node)
				: column == STATES ? (part->state == EXPORT_PIECE_NOTHING ? -1 : part->state)
						   : (int64_t)part->ns;
		fprintf(out, "%s%" PRId64, *separator, value);
		*separator = ",";
	}
}

static void write_thread(const struct timeline *timeline, size_t index, FILE *out)
{
	static const char *const names[COLUMNS] = {"lengths", "counts", "nodes", "states", "times"};
	const struct profile_trace_thread *thread = &timeline->request->trace->threads[timeline->threads[index]];
	const struct export_pieces *pieces = &timeline->pieces[index];
	const struct profile_process *process = timeline->request->trace->files[thread->file].process;
	bool helper = thread->row && profile_thread_is_helper(process, thread->row);
	fprintf(out, "%s{\"thread\":%" PRId64 ",\"helper\":%s,\"least\":%" PRIu64, index ? ",\n" : "",
		export_thread_number(timeline->request, thread->row), helper ? "true" : "false", pieces->least_ns);
	for (enum column column = LENGTHS; column < COLUMNS; column++) {
		const char *separator = "";
		fprintf(out, ",\"%s\":[", names[column]);
		for (size_t i = 0; i < pieces->count; i++)
			write_piece(out, &pieces->items[i], column, &separator);
		fputc(']', out);
	}
	fputc('}', out);
}

static void write_damage(const struct profile_trace *trace, FILE *out)
{
	const char *separator = "";
	fputs(",\"damage\":[", out);
	for (size_t f = 0; f < trace->file_count; f++) {
		if (!trace->files[f].damage)
			continue;
		fputs(separator, out);
		export_json_string(out, trace->files[f].damage);
		separator = ",";
	}
	fputs("]", out);
}

/* Returns the range in which all threads have all spans. */
static struct profile_trace_part kept_of(const struct timeline *timeline)
{
	struct profile_trace_part kept = timeline->stretch;
	for (size_t i = 0; i < timeline->count; i++)
		if (timeline->pieces[i].keep.to_ns < kept.to_ns)
			kept.to_ns = timeline->pieces[i].keep.to_ns;
	return kept;
}

static void write_timeline(const struct timeline *timeline, FILE *out)
{
	struct profile_trace_part kept = kept_of(timeline);
	fprintf(out,
		"\"timeline\":{\"from\":%" PRIu64 ",\"to\":%" PRIu64 ",\"records\":%" PRIu64 ",\"kept\":[%" PRIu64
		",%" PRIu64 "]",
		timeline->part.from_ns, timeline->part.to_ns, timeline->records, kept.from_ns, kept.to_ns);
	write_damage(timeline->request->trace, out);
	fputs(",\"threads\":[\n", out);
	for (size_t i = 0; i < timeline->count; i++)
		write_thread(timeline, i, out);
	fputs("],\n", out);
}

static int write_all(const struct export_page *page, struct timeline *timeline, FILE *out)
{
	size_t workers = profile_processors();
	workers = workers < 1 ? 1 : workers > timeline->count ? timeline->count + 1 : workers;
	struct export_timeline shown = {
		page->request, timeline->part, {0}, timeline->threads, timeline->count, workers};
	int error = export_curves_begin(&timeline->curves, &shown);
	if (!error)
		error = profile_parallel(workers, timeline->count, add_thread, timeline);
	if (!error) {
		shown.kept = kept_of(timeline);
		write_timeline(timeline, out);
		error = export_curves_write(&timeline->curves, out);
	}
	export_curves_free(&timeline->curves);
	if (error)
		return error;
	fputs(",\n", out);
	error = export_timeline_arrows(&shown, out);
	fputs("}", out);
	return error;
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
	int error = prepare(&timeline);
	if (!error)
		error = write_all(page, &timeline, out);
	release(&timeline);
	return error;
}
