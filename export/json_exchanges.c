/* SPDX-License-Identifier: BSD-3-Clause */
/* The member `exchanges` of the JSON export: what ranks sent, received and shared; left out where nothing was. */
#include "export/json_exchanges.h"

#include "analysis/exchange_table.h"
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
				fputs(separator, out);
				write_row(out, rank, &process->threads[t].exchanges.rows[i]);
				separator = ",\n";
			}
	}
	if (*separator == ',')
		fputs("],\n", out);
}
