/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle info`: what was measured, on which system, and how complete it is. */
#include "analysis/hosts.h"
#include "analysis/summary.h"
#include "analysis/uncounted.h"
#include "cli/base/commands.h"
#include "cli/base/exit_status.h"
#include "cli/base/options.h"
#include "cli/base/pager.h"
#include "cli/base/session.h"
#include "cli/base/wrap.h"
#include "cli/info_traces.h"
#include "profile/base/base_name.h"
#include "profile/file/profile_peek.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PROCESSES_IN_FULL 4 /* if there are more, each gets one line */

static struct heddle_wrap wrapped(size_t indent)
{
	size_t width = heddle__terminal_width();
	return (struct heddle_wrap){.width = width, .indent = width < 72 ? 4 : indent};
}

__attribute__((format(printf, 1, 0))) static void print_safely(const char *format, va_list arguments)
{
	char *text;
	if (vasprintf(&text, format, arguments) < 0)
		return;
	heddle__print_safely(stdout, text);
	free(text);
}

__attribute__((format(printf, 2, 3))) static void line(const char *name, const char *format, ...)
{
	struct heddle_capture capture;
	va_list arguments;
	heddle__capture_begin(&capture);
	printf("  %-18s ", name);
	va_start(arguments, format);
	print_safely(format, arguments);
	va_end(arguments);
	heddle__capture_end(&capture, wrapped(21));
	putchar('\n');
}

static void line_if(const char *name, const char *text)
{
	if (*text)
		line(name, "%s", text);
}

static uint64_t samples_in_file(const struct profile_process *process)
{
	uint64_t sum = 0;
	for (size_t t = 0; t < process->thread_count; t++)
		sum += profile_thread_total(&process->threads[t], HEDDLE_METRIC_SAMPLES);
	return sum;
}

static uint64_t thread_number(const struct profile_process *process)
{
	uint64_t sum = 0;
	for (size_t t = 0; t < process->thread_count; t++)
		sum += profile_thread_number(&process->threads[t]);
	return sum;
}

static void print_command(const Heddle__Profile__Process *info)
{
	struct heddle_capture capture;
	heddle__capture_begin(&capture);
	printf("  %-18s ", "command");
	for (size_t i = 0; i < info->n_arguments; i++) {
		if (i > 0)
			putchar(' ');
		heddle__print_safely(stdout, info->arguments[i]);
	}
	heddle__capture_end(&capture, wrapped(21));
	putchar('\n');
}

static void print_when(const Heddle__Profile__Process *info)
{
	char when[64] = "", elapsed[32], cpu[32];
	struct tm broken;
	time_t seconds = (time_t)(info->start_unix_ns / 1000000000u);
	if (localtime_r(&seconds, &broken))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S %z", &broken);
	line("started", "%s", when);
	line("lasted", "%s, %s CPU", heddle__format_time(elapsed, sizeof(elapsed), info->duration_ns),
		heddle__format_time(cpu, sizeof(cpu), info->cpu_ns));
}

/* Prints how many signals each kind of timer sent, and the CPU time that it sampled. */
static void print_sources(const Heddle__Profile__Process *info)
{
	char signals[32], cpu[32], late[32];
	for (size_t i = 0; i < info->n_sample_sources; i++) {
		const Heddle__Profile__SampleSource *source = info->sample_sources[i];
		line(i ? "" : "sampled by", "%s: %s signals, %s of CPU time; time in the kernel %s", source->name,
			heddle__format_count(signals, sizeof(signals), source->signals),
			heddle__format_time(cpu, sizeof(cpu), source->cpu_ns),
			source->kernel ? "is attributed to the calling code" : "is charged to the next sample");
	}
	if (info->samples_late)
		line("", "%s period%s ended without a signal; the next sample accounts for %s time",
			heddle__format_count(late, sizeof(late), info->samples_late),
			info->samples_late == 1 ? "" : "s", info->samples_late == 1 ? "its" : "their");
}

static void print_samples(const struct profile_process *process)
{
	char samples[32], counted[32], found[32], paused[32];
	const Heddle__Profile__Process *info = process->info;
	uint64_t in_file = samples_in_file(process);
	line("samples", "%s", heddle__format_count(samples, sizeof(samples), heddle__samples_of(info)));
	line("periods", "%s counted, %s in the file%s",
		heddle__format_count(counted, sizeof(counted), info->samples_taken),
		heddle__format_count(found, sizeof(found), in_file),
		info->samples_taken == in_file ? ": all" : ": NOT ALL, the measurement is incomplete");
	if (info->samples_paused)
		line("", "%s more arrived while measurement was switched off",
			heddle__format_count(paused, sizeof(paused), info->samples_paused));
	if (info->nodes_dropped)
		line("paths cut", "%" PRIu64 ": the tree was full, their cost stands at the callers",
			info->nodes_dropped);
}

/* The ranks of a process or host: numbers in the whole program, of which each process of a job has some. */
struct ranks {
	const char *word; /* the model's word for a rank */
	uint32_t first, last;
	size_t count; /* 0: `first` is larger than any rank */
};

static void add_ranks(
	struct ranks *ranks, const struct profile_measurement *measurement, const struct profile_process *process)
{
	for (size_t t = 0; t < process->thread_count; t++) {
		uint32_t rank = process->threads[t].rank;
		if (rank == 0)
			continue;
		ranks->word = profile_models_named(&measurement->tree.models, process->threads[t].rank_model)->ranks;
		ranks->count++;
		ranks->first = rank - 1 < ranks->first ? rank - 1 : ranks->first;
		ranks->last = rank - 1 > ranks->last ? rank - 1 : ranks->last;
	}
}

static void print_threads(const struct profile_measurement *measurement, const struct profile_process *process)
{
	struct ranks ranks = {.first = UINT32_MAX};
	add_ranks(&ranks, measurement, process);
	uint32_t first = ranks.first, last = ranks.last;
	size_t count = ranks.count;
	char all[32];
	uint64_t threads = thread_number(process);
	heddle__format_count(all, sizeof(all), threads);
	if (count == 0)
		line("threads", "%s", all);
	else if (first == last)
		line("threads", "%s, %s%s %" PRIu32, all, threads == 1 ? "" : "one of them ", ranks.word, first);
	else if (threads == count)
		line("threads", "%s, %ss %" PRIu32 " %s %" PRIu32, all, ranks.word, first,
			last - first < count ? "to" : "...", last);
	else
		line("threads", "%s, %zu of them %ss (%" PRIu32 " to %" PRIu32 ")", all, count, ranks.word, first,
			last);
}

static void print_memory(const Heddle__Profile__Process *info)
{
	char peak[32], when[32], in_use[32];
	if (info->memory_measured)
		line("memory", "at most %s (after %s), %s in use at the end",
			heddle__format_bytes(peak, sizeof(peak), info->memory_peak),
			heddle__format_time(when, sizeof(when), info->memory_peak_ns),
			heddle__format_bytes(in_use, sizeof(in_use), info->memory_in_use));
}

static void print_counters(const Heddle__Profile__Process *info)
{
	for (size_t i = 0; i < info->n_counters; i++)
		line(i ? "" : "counters", "%s, by %s", info->counters[i]->name, info->counters[i]->source);
}

static void print_process(const struct profile_measurement *measurement, const struct profile_process *process)
{
	const Heddle__Profile__Process *info = process->info;
	printf("process %" PRIu64 " (child of %" PRIu64 ")\n", info->pid, info->parent_pid);
	line_if("program", info->program);
	print_command(info);
	line_if("directory", info->start_directory);
	line("host", "%s, %s", info->host, info->machine);
	print_when(info);
	line_if("ended by", info->ended_by);
	if (profile_is_incomplete(info))
		line("incomplete",
			"last written at that time; the process was killed later, could not write, or still runs");
	print_threads(measurement, process);
	bool sampled = profile_is_sampled(info);
	if (sampled && info->sample_hz == 0)
		line("sampling", "%s", info->sample_source);
	else if (sampled)
		line("sampling", "%s, %" PRIu64 " Hz, %s clock", info->sample_source, info->sample_hz,
			info->sample_clock);
	else
		line("sampling", "none");
	print_samples(process);
	print_sources(info);
	line_if("unwinding", info->unwinder);
	print_counters(info);
	print_memory(info);
	line("OpenMP runtime", "%s", *info->runtime ? info->runtime : "none that reports events");
	line("Heddle", "%s, %" PRIu64 " KiB of memory in the program", info->heddle_version, info->memory_bytes / 1024);
	for (size_t i = 0; i < info->n_note; i++)
		line_if("note", info->note[i]);
	line("file", "%s", process->path);
}

/* The processes and threads on a host. */
struct host {
	size_t processes;
	uint64_t threads;
	struct ranks ranks;
};

static struct host sum_of_host(const struct profile_measurement *measurement, const char *name)
{
	struct host sum = {.ranks = {.first = UINT32_MAX}};
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct profile_process *process = &measurement->processes[p];
		if (process->error || strcmp(process->info->host, name) != 0)
			continue;
		sum.processes++;
		sum.threads += thread_number(process);
		add_ranks(&sum.ranks, measurement, process);
	}
	return sum;
}

static void print_host(const struct profile_measurement *measurement, const char *name)
{
	struct host sum = sum_of_host(measurement, name);
	const struct ranks *ranks = &sum.ranks;
	char of[64] = "";
	if (ranks->count == 1)
		snprintf(of, sizeof(of), ", %s %" PRIu32, ranks->word, ranks->first);
	else if (ranks->count)
		snprintf(of, sizeof(of), ", %ss %" PRIu32 " %s %" PRIu32, ranks->word, ranks->first,
			ranks->last - ranks->first < ranks->count ? "to" : "...", ranks->last);
	struct heddle_capture capture;
	heddle__capture_begin(&capture);
	fputs("  ", stdout);
	heddle__print_safely(stdout, name);
	printf("%*s %zu process%s, %" PRIu64 " thread%s%s", strlen(name) < 18 ? (int)(18 - strlen(name)) : 0, "",
		sum.processes, sum.processes == 1 ? "" : "es", sum.threads, sum.threads == 1 ? "" : "s", of);
	heddle__capture_end(&capture, wrapped(21));
	putchar('\n');
}

static void print_hosts(const struct profile_measurement *measurement)
{
	struct profile_intern hosts = {0};
	if (heddle__hosts_collect(&hosts, measurement) == 0 && hosts.count > 1) {
		puts("\nhosts");
		for (size_t h = 0; h < hosts.count; h++)
			print_host(measurement, hosts.texts[h]);
	}
	profile_intern_free(&hosts);
}

static void print_brief(const struct profile_process *process, bool hosts)
{
	char samples[32], elapsed[32];
	const Heddle__Profile__Process *info = process->info;
	struct heddle_capture capture;
	heddle__capture_begin(&capture);
	printf("process %-8" PRIu64 " %-16.40s %10s %6" PRIu64 " thread%s %10s samples%s, ended by ", info->pid,
		profile_base_name(info->program), heddle__format_time(elapsed, sizeof(elapsed), info->duration_ns),
		thread_number(process), thread_number(process) == 1 ? " " : "s",
		heddle__format_count(samples, sizeof(samples), heddle__samples_of(info)),
		info->samples_taken == samples_in_file(process) ? "" : " (NOT ALL in the file)");
	heddle__print_safely(stdout, info->ended_by);
	if (hosts && *info->host) {
		fputs(", on ", stdout);
		heddle__print_safely(stdout, info->host);
	}
	heddle__capture_end(&capture, wrapped(17));
	putchar('\n');
}

static void print_broken(const struct profile_measurement *measurement)
{
	for (size_t p = 0; p < measurement->process_count; p++)
		if (measurement->processes[p].error)
			printf("left out: %s %s\n", heddle__shown(measurement->processes[p].path),
				heddle__file_error_text(measurement->processes[p].error));
}

static const char *why_no_code(const struct profile_module_names *names)
{
	switch (names->status) {
	case HEDDLE_CODE_MISSING:
		return "not found on this machine";
	case HEDDLE_CODE_CHANGED:
		return "changed after the measurement";
	case HEDDLE_CODE_NO_SYMBOLS:
		return "without symbols";
	default:
		return "some names are missing";
	}
}

static void print_modules(const struct heddle_session *session)
{
	bool heading = false;
	struct heddle_capture capture;
	for (size_t m = 0; m < session->measurement.tree.module_count; m++) {
		const struct profile_module_names *names = &session->naming.modules[m];
		const char *path = session->measurement.tree.modules[m].path;
		if (names->unnamed == 0)
			continue;
		if (!heading)
			puts("\ncode without names (shown as addresses)");
		heading = true;
		heddle__capture_begin(&capture);
		printf("  %6zu of %zu places  ", names->unnamed, names->places);
		heddle__print_safely(stdout, *path ? path : "[no module: generated code]");
		printf(": %s", *path ? why_no_code(names) : "no file to read names from");
		heddle__capture_end(&capture, wrapped(9));
		putchar('\n');
	}
}

/* Prints "openmp (3 kinds), upc (7 kinds)", for the events that occurred. */
static void print_models(const struct profile_call_tree *tree)
{
	char text[512] = "";
	size_t used = 0;
	bool *happened = calloc(tree->event_count + 1, sizeof(*happened));
	for (size_t i = 0; happened && i < tree->node_count; i++)
		if (tree->nodes[i].kind == HEDDLE_NODE_REGION)
			happened[tree->nodes[i].event] = true;
	for (size_t e = 0; happened && e < tree->event_count && used < sizeof(text); e++) {
		size_t count = 0;
		const char *model = tree->events[e].model;
		for (size_t i = 0; happened[e] && i < tree->event_count; i++) {
			if (!happened[i] || strcmp(tree->events[i].model, model) != 0)
				continue;
			if (i < e) /* was printed already */
				break;
			count++;
		}
		if (count)
			used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s (%zu kind%s)",
				used ? ", " : "", model, count, count == 1 ? "" : "s");
	}
	line_if("events", text);
	free(happened);
}

static void print_totals(const struct heddle_session *session)
{
	const struct profile_measurement *measurement = &session->measurement;
	char text[32], *uncounted = heddle__uncounted_note(&session->view);
	puts("\nmetrics");
	for (int m = 0; m < HEDDLE_METRIC_LIMIT; m++) {
		uint64_t total = profile_measurement_total(measurement, m);
		if (total)
			line(profile_metric_name(m), "%12s  %s",
				heddle__format_value(text, sizeof(text), total, profile_metric_unit(m)),
				profile_metric_meaning(m));
	}
	line_if("note", uncounted ? uncounted : "");
	free(uncounted);
	print_models(&measurement->tree);
	printf("  %-18s %12zu\n", "tree nodes", measurement->tree.node_count);
}

static void print_info(const struct heddle_session *session)
{
	const struct profile_measurement *measurement = &session->measurement;
	size_t good = measurement->process_count - measurement->broken_count;
	bool hosts = heddle__hosts_count(measurement) > 1;
	for (size_t p = 0; p < measurement->process_count; p++) {
		if (measurement->processes[p].error)
			continue;
		if (good <= PROCESSES_IN_FULL)
			print_process(measurement, &measurement->processes[p]);
		else
			print_brief(&measurement->processes[p], hosts);
	}
	print_hosts(measurement);
	print_broken(measurement);
	print_totals(session);
	heddle__print_traces(session);
	print_modules(session);
}

struct info_options {
	bool check_trace;
};

static const struct heddle_option options[] = {
	{"--check-trace", NULL, "only compare the values of the traces with those of the profile", HEDDLE_OPTION_FLAG,
		offsetof(struct info_options, check_trace)},
	{0},
};

static int show(const struct heddle_session *session, const struct info_options *chosen)
{
	if (chosen->check_trace)
		return heddle__check_traces(session);
	print_info(session);
	return 0;
}

static int run(int argc, char **argv)
{
	const char *path;
	struct info_options chosen = {0};
	int status = heddle__measurement_argument(&heddle__command_info, argc, argv, &chosen, &path);
	if (status)
		return status;
	struct heddle_session session;
	struct heddle_session_options how = {.quiet = true, .keep_threads = true};
	status = heddle__session_open(&session, path, &how);
	if (status)
		return status;
	heddle__pager_begin(false);
	status = show(&session, &chosen);
	heddle__session_close(&session);
	return status;
}

const struct heddle_command heddle__command_info = {
	.name = "info",
	.summary = "Show what was measured, on which system, and how completely",
	.arguments = "[DIR]",
	.options = options,
	.details = "DIR is a measurement, or one of its profile files; the default is the newest in this directory.\n",
	.run = run,
};
