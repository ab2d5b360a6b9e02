/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Members of the JSON export: `exchanges`, what ranks sent, received and shared, and `files`, what they read and wrote.
 * Left out if empty.
 */
#include "export/json_exchanges.h"

#include "analysis/exchange_table.h"
#include "analysis/file_table.h"
#include "export/json_text.h"

#include <inttypes.h>

static void write_rank(FILE *out, const char *name, uint32_t rank)
{
	if (rank == HEDDLE_NO_PARTNER)
		fprintf(out, "\"%s\":null,", name);
	else
		fprintf(out, "\"%s\":%" PRIu32 ",", name, rank);
}

static void write_row(FILE *out, uint32_t rank, const struct profile_exchange *row)
{
	fputc('{', out);
	write_rank(out, "rank", rank);
	write_rank(out, "partner", row->partner);
	fprintf(out, "\"kind\":\"%s\",\"communicator\":", heddle__exchange_kind_name(row->kind));
	export_json_string(out, row->communicator);
	if (row->bucket + 1 < HEDDLE_SIZE_BUCKETS)
		fprintf(out, ",\"size_below\":%" PRIu64, (uint64_t)1 << row->bucket);
	fprintf(out, ",\"messages\":%" PRIu64 ",\"bytes\":%" PRIu64 ",\"time_ns\":%" PRIu64 "}", row->messages,
		row->bytes, row->time_ns);
}

void export_json_exchanges(FILE *out, const struct profile_measurement *measurement)
{
	const char *separator = "\"exchanges\":[\n";
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		uint32_t rank = heddle__exchange_rank(process);
		for (size_t t = 0; t < process->thread_count; t++)
			for (size_t i = 0; i < process->threads[t].exchanges.count; i++) {
				if (HEDDLE_EXCHANGE_IS_OF_FILE(process->threads[t].exchanges.rows[i].kind))
					continue;
				fputs(separator, out);
				write_row(out, rank, &process->threads[t].exchanges.rows[i]);
				separator = ",\n";
			}
	}
	if (*separator == ',')
		fputs("],\n", out);
}

static void write_file(FILE *out, const struct heddle_file *file)
{
	fputs("{\"name\":", out);
	export_json_string(out, file->name);
	fprintf(out, ",\"ranks\":%" PRIu32 ",\"opens\":%" PRIu64 ",\"reads\":%" PRIu64 ",\"writes\":%" PRIu64,
		file->ranks, file->opens, file->reads, file->writes);
	fprintf(out, ",\"bytes_read\":%" PRIu64 ",\"bytes_written\":%" PRIu64 ",\"read_ns\":%" PRIu64, file->bytes_read,
		file->bytes_written, file->read_ns);
	fprintf(out,
		",\"write_ns\":%" PRIu64 ",\"open_ns\":%" PRIu64 ",\"other_ns\":%" PRIu64 ",\"slowest_ns\":%" PRIu64
		"}",
		file->write_ns, file->open_ns, file->other_ns, file->slowest_ns);
}

int export_json_files(FILE *out, const struct profile_measurement *measurement)
{
	struct heddle_file_table table;
	int error = heddle__file_table_make(&table, measurement);
	if (error)
		return error;
	for (size_t i = 0; i < table.count; i++) {
		fputs(i ? ",\n" : "\"files\":[\n", out);
		write_file(out, &table.files[i]);
	}
	if (table.count)
		fputs("],\n", out);
	heddle__file_table_free(&table);
	return 0;
}
