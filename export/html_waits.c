/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who waited for whom, and the critical path: the numbers of `heddle report --late` and `--critical`. If there are many
 * places and threads, those with most waiting are written, and the sum of the rest.
 */
#include "export/html_views.h"

#include "analysis/critical.h"
#include "analysis/waits.h"
#include "export/costs.h"
#include "export/json_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

struct writer {
	const struct export_page *page;
	FILE *out;
	struct heddle_waits waits;
	int64_t *numbers; /* by thread of the trace: its number in the page; -1: none */
};

/* ---- late arrivals ---- */

static void write_kinds(const struct writer *writer)
{
	fputs("\"kinds\":[", writer->out);
	for (int kind = 0; kind < HEDDLE_WAITS; kind++) {
		fputs(kind ? ",{\"text\":" : "{\"text\":", writer->out);
		export_json_string(writer->out, heddle__late_text((enum profile_trace_wait)kind));
		fprintf(writer->out, ",\"waited\":%" PRIu64 "}", writer->waits.late.of_kind[kind]);
	}
	fputs("],\n", writer->out);
}

static void write_causes(const struct writer *writer, const struct heddle_late_row *row)
{
	struct heddle_late_cause rest = {0};
	size_t count = row->cause_count < EXPORT_PAGE_WAIT_CAUSES ? row->cause_count : EXPORT_PAGE_WAIT_CAUSES;
	fputs(",\"causes\":[", writer->out);
	for (size_t i = 0; i < row->cause_count; i++) {
		const struct heddle_late_cause *cause = &row->causes[i];
		if (i < count)
			fprintf(writer->out, "%s[%" PRId64 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 "]", i ? "," : "",
				writer->numbers[cause->thread], cause->label, cause->last, cause->caused_ns);
		rest.last += i < count ? 0 : cause->last;
		rest.caused_ns += i < count ? 0 : cause->caused_ns;
	}
	fprintf(writer->out, "],\"rest\":[%zu,%" PRIu64 ",%" PRIu64 "]", row->cause_count - count, rest.last,
		rest.caused_ns);
}

static void write_rows(const struct writer *writer)
{
	const struct heddle_late *late = &writer->waits.late;
	uint64_t left_ns = 0;
	size_t count = late->count < EXPORT_PAGE_WAITS ? late->count : EXPORT_PAGE_WAITS;
	fprintf(writer->out, "\"elapsed\":%" PRIu64 ",\"rows\":[", late->elapsed_ns);
	for (size_t i = 0; i < count; i++) {
		const struct heddle_late_row *row = &late->rows[i];
		fprintf(writer->out,
			"%s{\"kind\":%d,\"label\":%" PRIu32 ",\"node\":%" PRIu32 ",\"count\":%" PRIu64
			",\"waited\":%" PRIu64 ",\"longest\":%" PRIu64 ",\"longestAt\":%" PRIu64
			",\"longestFor\":%" PRId64,
			i ? ",\n" : "\n", (int)row->kind, row->label, row->node, row->count, row->waited_ns,
			row->longest_ns, row->longest_at_ns, writer->numbers[row->longest_by]);
		write_causes(writer, row);
		fputc('}', writer->out);
	}
	for (size_t i = count; i < late->count; i++)
		left_ns += late->rows[i].waited_ns;
	fprintf(writer->out, "],\n\"left\":[%zu,%" PRIu64 "],\n", late->count - count, left_ns);
}

/* ---- the critical path ---- */

static void write_path_threads(const struct writer *writer, const struct heddle_critical_rows *rows)
{
	fputs("\"threads\":[", writer->out);
	for (size_t i = 0; i < rows->count; i++) {
		const struct heddle_critical_row *row = &rows->items[i];
		fprintf(writer->out, "%s{\"thread\":%" PRId64 ",\"ns\":%" PRIu64 ",\"states\":[", i ? ",\n" : "",
			writer->numbers[row->thread], row->ns);
		for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
			fprintf(writer->out, "%s%" PRIu64, s ? "," : "", row->states[s]);
		fputs("]}", writer->out);
	}
	fputs("],\n", writer->out);
}

/* Writes columns: nodes with a time, and their times. */
static int write_nodes(const struct writer *writer)
{
	const struct profile_view *view = writer->page->request->view;
	uint64_t *nodes = heddle__critical_nodes(view, &writer->waits.critical);
	if (!nodes)
		return -ENOMEM;
	for (int times = 0; times < 2; times++) {
		const char *separator = "";
		fputs(times ? "],\"times\":[" : "\"nodes\":[", writer->out);
		for (size_t i = 0; i < view->node_count; i++) {
			if (!nodes[i])
				continue;
			fprintf(writer->out, "%s%" PRIu64, separator, times ? nodes[i] : (uint64_t)i);
			separator = ",";
		}
	}
	fputs("]}}", writer->out);
	free(nodes);
	return 0;
}

static int write_critical(const struct writer *writer)
{
	const struct profile_trace_critical *critical = &writer->waits.critical;
	struct heddle_critical_rows rows;
	struct heddle_critical_crowd crowd;
	int error = heddle__critical_rows_make(&rows, writer->page->request->trace, critical);
	if (error)
		return error;
	error = heddle__critical_crowd_find(&crowd, &rows, writer->page->request->measurement);
	if (!error) {
		fprintf(writer->out,
			"\"critical\":{\"length\":%" PRIu64
			",\"changes\":%zu,\"crowd\":{\"share\":%.6f,\"threads\":%zu,\"processors\":%zu},",
			rows.total, critical->changes, crowd.share, crowd.threads, crowd.processors);
		write_path_threads(writer, &rows);
		error = write_nodes(writer);
	}
	heddle__critical_rows_free(&rows);
	return error;
}

/* ---- all ---- */

static int number_threads(struct writer *writer)
{
	const struct profile_trace *trace = writer->page->request->trace;
	writer->numbers = calloc(trace->thread_count + 1, sizeof(*writer->numbers));
	for (size_t t = 0; writer->numbers && t < trace->thread_count; t++)
		writer->numbers[t] = export_thread_number(writer->page->request, trace->threads[t].row);
	return writer->numbers ? 0 : -ENOMEM;
}

static int write_waits(struct writer *writer)
{
	if (!writer->waits.late.count && !writer->waits.critical.changes) {
		fputs("\"waits\":null", writer->out);
		return 0;
	}
	int error = number_threads(writer);
	if (error)
		return error;
	fprintf(writer->out, "\"waits\":{\"part\":%s,", writer->page->part ? "true" : "false");
	write_kinds(writer);
	write_rows(writer);
	return write_critical(writer);
}

static uint64_t count_records(const struct profile_trace *trace)
{
	uint64_t records = 0;
	for (size_t t = 0; t < trace->thread_count; t++)
		records += trace->threads[t].records;
	return records;
}

int export_page_waits(const struct export_page *page, FILE *out)
{
	struct writer writer = {.page = page, .out = out};
	const struct export_request *request = page->request;
	const struct profile_trace_part part = {page->from_ns, page->to_ns};
	uint64_t records = request->trace ? count_records(request->trace) : 0;
	uint64_t unread = records > EXPORT_PAGE_WAIT_RECORDS ? records : 0;
	fprintf(out, "\"unread\":%" PRIu64 ",", unread);
	if (unread || !request->trace || part.to_ns <= part.from_ns) {
		fputs("\"waits\":null", out);
		return 0;
	}
	int error = heddle__waits_make(&writer.waits, request->view, request->trace, &part);
	if (error)
		return error;
	error = write_waits(&writer);
	heddle__waits_free(&writer.waits);
	free(writer.numbers);
	return error;
}
