/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What ranks exchanged, by communicator and by size, the operations that they never completed, and what they read and
 * wrote, by file: the numbers of `heddle report --messages`, which are known only for the whole run.
 */
#include "export/html_views.h"

#include "analysis/exchange_table.h"
#include "analysis/file_table.h"
#include "export/json_text.h"

#include <inttypes.h>

static void write_sums(FILE *out, const struct heddle_exchange_sum *sent, const struct heddle_exchange_sum *collective)
{
	fprintf(out, "\"sums\":[%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]}",
		sent->messages, sent->bytes, sent->time_ns, collective->messages, collective->bytes,
		collective->time_ns);
}

static void write_communicators(const struct heddle_exchange_table *table, FILE *out)
{
	fputs("\"communicators\":[", out);
	for (size_t i = 0; i < table->communicator_count; i++) {
		const struct heddle_exchange_communicator *row = &table->communicators[i];
		fputs(i ? ",\n{\"name\":" : "{\"name\":", out);
		export_json_string(out, row->name);
		fputc(',', out);
		write_sums(out, &row->sent, &row->collective);
	}
	fputs("],\n", out);
}

static void write_sizes(const struct heddle_exchange_table *table, FILE *out)
{
	const char *separator = "";
	fputs("\"sizes\":[", out);
	for (unsigned int b = 0; b < HEDDLE_SIZE_BUCKETS; b++) {
		if (!table->sent[b].messages && !table->collective[b].messages)
			continue;
		fprintf(out, "%s{\"below\":%" PRIu64 ",", separator,
			b + 1 == HEDDLE_SIZE_BUCKETS ? (uint64_t)0 : (uint64_t)1 << b);
		write_sums(out, &table->sent[b], &table->collective[b]);
		separator = ",\n";
	}
	fputs("],\n", out);
}

static void write_unfinished(const struct heddle_exchange_table *table, FILE *out)
{
	fputs("\"unfinished\":[", out);
	for (size_t i = 0; i < table->unfinished_count; i++) {
		const struct heddle_exchange_unfinished *row = &table->unfinished[i];
		fprintf(out, "%s{\"count\":%" PRIu64 ",\"rank\":%" PRId64 ",\"partner\":%" PRId64 ",\"communicator\":",
			i ? ",\n" : "", row->count, row->rank == HEDDLE_NO_PARTNER ? -1 : (int64_t)row->rank,
			row->partner == HEDDLE_NO_PARTNER ? -1 : (int64_t)row->partner);
		export_json_string(out, row->communicator);
		if (heddle__exchange_unfinished_with(row))
			fprintf(out, ",\"with\":\"%s\"", heddle__exchange_unfinished_with(row));
		fputc('}', out);
	}
	fputs("],\n", out);
}

static void write_files(const struct heddle_file_table *table, FILE *out)
{
	fputs("\"files\":[", out);
	for (size_t i = 0; i < table->count; i++) {
		const struct heddle_file *file = &table->files[i];
		fputs(i ? ",\n{\"name\":" : "{\"name\":", out);
		export_json_string(out, file->name);
		fputs(",\"shown\":", out);
		export_json_string(out, file->shown);
		fprintf(out,
			",\"counts\":[%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
			"],\"times\":[",
			file->ranks, file->opens, file->reads, file->bytes_read, file->writes, file->bytes_written);
		fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 "],\"bandwidth\":%" PRIu64 "}",
			file->open_ns, file->read_ns, file->write_ns, file->other_ns, heddle__file_bandwidth(file));
	}
	fputc(']', out);
}

static void write_tables(const struct heddle_exchange_table *table, const struct heddle_file_table *files, FILE *out)
{
	fputs("\"exchanges\":{\"rank\":", out);
	export_json_string(out, table->rank);
	fputs(",\n", out);
	write_communicators(table, out);
	write_sizes(table, out);
	write_unfinished(table, out);
	write_files(files, out);
	fputc('}', out);
}

int export_page_exchanges(const struct export_page *page, FILE *out)
{
	struct heddle_exchange_table table;
	struct heddle_file_table files = {0};
	int error = heddle__exchange_table_make(&table, page->request->measurement);
	if (error)
		return error;
	error = heddle__file_table_make(&files, page->request->measurement);
	if (!error && !page->part && (table.communicator_count || files.count))
		write_tables(&table, &files, out);
	else
		fputs("\"exchanges\":null", out);
	heddle__file_table_free(&files);
	heddle__exchange_table_free(&table);
	return error;
}
