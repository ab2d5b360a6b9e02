/* SPDX-License-Identifier: BSD-3-Clause */
/* What was measured, and how completely, as `heddle info` shows it. Times are in ns, sizes in bytes. */
#include "export/html_views.h"

#include "export/json_text.h"

#include <inttypes.h>

static void text(FILE *out, const char *name, const char *value)
{
	fprintf(out, ",\"%s\":", name);
	export_json_string(out, value);
}

static void number(FILE *out, const char *name, uint64_t value)
{
	fprintf(out, ",\"%s\":%" PRIu64, name, value);
}

static void write_counters(FILE *out, const Heddle__Profile__Process *info)
{
	fputs(",\"counters\":[", out);
	for (size_t i = 0; i < info->n_counters; i++) {
		fprintf(out, "%s{\"name\":", i ? "," : "");
		export_json_string(out, info->counters[i]->name);
		text(out, "source", info->counters[i]->source);
		fputc('}', out);
	}
	fputs("],\"sources\":[", out);
	for (size_t i = 0; i < info->n_sample_sources; i++) {
		const Heddle__Profile__SampleSource *source = info->sample_sources[i];
		fprintf(out, "%s{\"name\":", i ? "," : "");
		export_json_string(out, source->name);
		number(out, "signals", source->signals);
		number(out, "cpu", source->cpu_ns);
		fputc('}', out);
	}
	fputc(']', out);
}

static void write_counts(FILE *out, const struct profile_process *process)
{
	const Heddle__Profile__Process *info = process->info;
	uint64_t found = 0, threads = 0;
	for (size_t t = 0; t < process->thread_count; t++) {
		found += profile_thread_total(&process->threads[t], HEDDLE_METRIC_SAMPLES);
		threads += profile_thread_number(&process->threads[t]);
	}
	number(out, "threads", threads);
	number(out, "found", found);
	number(out, "paused", info->samples_paused);
	number(out, "late", info->samples_late);
	number(out, "cut", info->nodes_dropped);
	number(out, "own", info->memory_bytes);
	fprintf(out, ",\"memory\":%s", info->memory_measured ? "true" : "false");
	number(out, "peak", info->memory_peak);
	number(out, "peakAt", info->memory_peak_ns);
	number(out, "inUse", info->memory_in_use);
}

static void write_process(FILE *out, const struct profile_process *process)
{
	const Heddle__Profile__Process *info = process->info;
	fprintf(out, "{\"parent\":%" PRIu64, info->parent_pid);
	text(out, "program", info->program);
	text(out, "directory", info->start_directory);
	text(out, "machine", info->machine);
	text(out, "ended", info->ended_by);
	text(out, "clock", info->sample_clock);
	text(out, "unwinding", info->unwinder);
	text(out, "runtime", info->runtime);
	text(out, "heddle", info->heddle_version);
	text(out, "file", process->path);
	write_counts(out, process);
	write_counters(out, info);
	fputc('}', out);
}

static void write_left_out(const struct profile_measurement *measurement, FILE *out)
{
	const char *separator = "";
	fputs(",\n\"left\":[", out);
	for (size_t p = 0; p < measurement->process_count; p++) {
		if (!measurement->processes[p].error)
			continue;
		fputs(separator, out);
		export_json_string(out, measurement->processes[p].path);
		separator = ",";
	}
	fputc(']', out);
}

/* Writes the modules with code that could not be named. */
static void write_unnamed(const struct export_request *request, FILE *out)
{
	const char *separator = "";
	fputs(",\n\"unnamed\":[", out);
	for (size_t m = 0; m < request->measurement->tree.module_count; m++) {
		const struct profile_module_names *names = &request->naming->modules[m];
		if (names->unnamed == 0)
			continue;
		fprintf(out, "%s{\"unnamed\":%zu,\"places\":%zu", separator, names->unnamed, names->places);
		text(out, "path", request->measurement->tree.modules[m].path);
		fputc('}', out);
		separator = ",\n";
	}
	fputc(']', out);
}

int export_page_about(const struct export_page *page, FILE *out)
{
	const struct profile_measurement *measurement = page->request->measurement;
	const char *separator = "";
	fputs("\"about\":{\"processes\":[", out);
	for (size_t p = 0; p < measurement->process_count; p++) {
		if (measurement->processes[p].error)
			continue;
		fputs(separator, out);
		write_process(out, &measurement->processes[p]);
		separator = ",\n";
	}
	fputc(']', out);
	write_left_out(measurement, out);
	write_unnamed(page->request, out);
	fputc('}', out);
	return 0;
}
