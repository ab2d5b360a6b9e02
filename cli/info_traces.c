/* SPDX-License-Identifier: BSD-3-Clause */
/* Contents of a measurement's traces, and how accurate they are. */
#include "cli/info_traces.h"

#include "cli/base/exit_status.h"
#include "cli/base/terminal.h"
#include "cli/base/wrap.h"
#include "profile/trace/trace_causality.h"
#include "profile/trace/trace_check.h"
#include "profile/trace/trace_clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void line(const char *name, const char *format, ...)
{
	struct heddle_capture capture;
	va_list arguments;
	char *text;
	size_t width = heddle__terminal_width();
	va_start(arguments, format);
	int length = vasprintf(&text, format, arguments);
	va_end(arguments);
	if (length < 0)
		return;
	heddle__capture_begin(&capture);
	printf("  %-18s ", name);
	heddle__print_safely(stdout, text);
	heddle__capture_end(&capture, (struct heddle_wrap){.width = width, .indent = width < 72 ? 4 : 21});
	putchar('\n');
	free(text);
}

/* ---- contents ---- */

struct sums {
	uint64_t bytes, records, dropped, lost, waits, wait_ns, error_ns;
	uint64_t error;         /* of a file that could not be written completely */
	uint64_t unmeasured_ns; /* the longest time in which clocks may drift further than the bound */
	size_t threads, unfinished, by_tsc, unmeasured;
	size_t windowed, last;                    /* files with a part of the run only */
	const struct heddle_trace_info *selected; /* one of these files */
	size_t clocks[HEDDLE_TRACE_SYSTEM_CLOCKS + 1];
};

static void add_selection(struct sums *sums, const struct heddle_trace_info *info)
{
	bool windowed = info->from_ns || info->to_ns;
	sums->windowed += windowed;
	sums->last += info->last_ns != 0;
	if (windowed || info->last_ns)
		sums->selected = info;
}

static uint64_t drift_of(uint64_t ns)
{
	return ns / (1000000 / HEDDLE_TRACE_DRIFT_PPM);
}

static struct sums add_up(const struct profile_trace *trace)
{
	struct sums sums = {0};
	for (size_t f = 0; f < trace->file_count; f++) {
		const struct profile_trace_file *file = &trace->files[f];
		sums.bytes += file->size;
		sums.dropped += file->info.dropped;
		sums.lost += file->info.lost;
		sums.error = file->info.error ? file->info.error : sums.error;
		sums.waits += file->info.waits;
		sums.wait_ns += (uint64_t)((unsigned __int128)file->info.wait_ticks * file->info.ns_per_tick >> 32);
		sums.unfinished += file->info.end_ticks == 0;
		sums.by_tsc += file->info.tick_source == 1;
		sums.clocks[file->clock]++;
		sums.error_ns = file->clock_error_ns > sums.error_ns ? file->clock_error_ns : sums.error_ns;
		add_selection(&sums, &file->info);
		if (drift_of(file->unmeasured_ns) > file->clock_error_ns) {
			sums.unmeasured++;
			sums.unmeasured_ns =
				file->unmeasured_ns > sums.unmeasured_ns ? file->unmeasured_ns : sums.unmeasured_ns;
		}
	}
	for (size_t t = 0; t < trace->thread_count; t++) {
		sums.records += trace->threads[t].records;
		sums.threads += trace->threads[t].chunk_count != 0;
	}
	return sums;
}

/* Prints what was left out on request. */
static void print_selection(const struct sums *sums)
{
	char from[32], to[32], last[32];
	const struct heddle_trace_info *info = sums->selected;
	if (sums->windowed)
		line("partial", "only from %s to %s of each process's run (--trace-window)",
			heddle__format_time(from, sizeof(from), info->from_ns),
			info->to_ns == UINT64_MAX ? "its end" : heddle__format_time(to, sizeof(to), info->to_ns));
	if (sums->last)
		line(sums->windowed ? "" : "partial",
			"only the last %s before the end, a crash or a flush, and older events in its buffers "
			"(--trace-last)",
			heddle__format_time(last, sizeof(last), info->last_ns));
}

static const char *advice(int error)
{
	switch (error) {
	case EFBIG:
		return "raise the limit of file sizes (ulimit -f)";
	case EMFILE:
	case ENFILE:
		return "raise the limit of open files (ulimit -n)";
	default:
		return "free space, or write traces elsewhere with --trace-dir";
	}
}

static void print_losses(const struct sums *sums)
{
	char count[32], time[32];
	if (sums->waits)
		line("waited", "%s times for a buffer, %s in all",
			heddle__format_count(count, sizeof(count), sums->waits),
			heddle__format_time(time, sizeof(time), sums->wait_ns));
	if (sums->dropped)
		line("dropped", "%s events: the buffers were full; try a larger --trace-buffer, or --trace-full wait",
			heddle__format_count(count, sizeof(count), sums->dropped));
	if (sums->error)
		line("lost", "%s events: they could not be written: %s; %s",
			heddle__format_count(count, sizeof(count), sums->lost), strerror((int)sums->error),
			advice((int)sums->error));
	if (sums->unfinished)
		line("incomplete", "%zu of the files: the process was killed, could not write, or still runs",
			sums->unfinished);
}

static void print_clock(const struct sums *sums)
{
	char bound[32], more[32];
	const char *source = sums->by_tsc ? "the processor's time-stamp counter" : "CLOCK_MONOTONIC";
	if (!sums->clocks[HEDDLE_TRACE_MEASURED_OFFSETS] && !sums->clocks[HEDDLE_TRACE_SYSTEM_CLOCKS])
		line("clock", "%s of one machine", source);
	else
		line("clock", "%s of several machines", source);
	if (sums->clocks[HEDDLE_TRACE_MEASURED_OFFSETS])
		line("", "%zu processes have measured offsets, with an error of at most %s at that time",
			sums->clocks[HEDDLE_TRACE_MEASURED_OFFSETS],
			heddle__format_time(bound, sizeof(bound), sums->error_ns));
	if (sums->unmeasured)
		line("",
			"%zu of these have events up to %s before the first or after the last measurement: a drift of "
			"%d ppm adds %s there",
			sums->unmeasured, heddle__format_time(bound, sizeof(bound), sums->unmeasured_ns),
			HEDDLE_TRACE_DRIFT_PPM, heddle__format_time(more, sizeof(more), drift_of(sums->unmeasured_ns)));
	if (sums->clocks[HEDDLE_TRACE_SYSTEM_CLOCKS])
		line("",
			"%zu processes have only their systems' clocks: the order of events across machines is as "
			"accurate as these (with NTP about a millisecond)",
			sums->clocks[HEDDLE_TRACE_SYSTEM_CLOCKS]);
}

/* Prints "318 barriers: 3 violated within the clocks' error bound, 1 beyond it, by 2.1 ms at most". */
static void print_violations(const char *name, const char *pairs, const struct profile_trace_violations *found)
{
	char checked[32], within[32], beyond[32], largest[32];
	heddle__format_count(checked, sizeof(checked), found->checked);
	if (!found->violated) {
		line(name, "%s %s: none violated", checked, pairs);
		return;
	}
	line(name, "%s %s: %s violated within the clocks' error bound, %s beyond it, by %s at most", checked, pairs,
		heddle__format_count(within, sizeof(within), found->violated - found->beyond),
		heddle__format_count(beyond, sizeof(beyond), found->beyond),
		heddle__format_time(largest, sizeof(largest), found->largest_ns));
}

/* Reads the traces, only if there are several clocks. */
static void print_causality(const struct profile_trace *trace, const struct sums *sums)
{
	struct profile_trace_causality causality;
	if (!sums->clocks[HEDDLE_TRACE_MEASURED_OFFSETS] && !sums->clocks[HEDDLE_TRACE_SYSTEM_CLOCKS])
		return;
	if (profile_trace_causality_check(&causality, trace) != 0) {
		line("causality", "not checked: no memory");
		return;
	}
	print_violations("causality", "barriers", &causality.barriers);
	if (causality.collectives.checked)
		print_violations("", "collectives", &causality.collectives);
	if (causality.messages.checked)
		print_violations("", "messages", &causality.messages);
	if (causality.partial)
		line("", "barriers, collectives and messages are not checked after a thread's first lost or unmeasured "
			 "events");
	if (causality.locks.checked)
		print_violations("", "lock hand-overs", &causality.locks);
}

static void print_damage(const struct profile_trace *trace)
{
	for (size_t f = 0; f < trace->file_count; f++)
		if (trace->files[f].damage)
			line("damaged", "%s: %s", trace->files[f].path, trace->files[f].damage);
}

static void print_section(const struct profile_trace *trace)
{
	char text[32], each[32], span[32];
	struct sums sums = add_up(trace);
	puts("\ntraces");
	line("files", "%zu, %s", trace->file_count, heddle__format_bytes(text, sizeof(text), sums.bytes));
	line("threads", "%zu", sums.threads);
	line("events", "%s, %s bytes each, in %s", heddle__format_count(text, sizeof(text), sums.records),
		heddle__format_number(each, sizeof(each), sums.records ? (double)sums.bytes / (double)sums.records : 0),
		heddle__format_time(span, sizeof(span), trace->end_ns));
	print_selection(&sums);
	print_losses(&sums);
	print_clock(&sums);
	print_causality(trace, &sums);
	print_damage(trace);
}

/* Returns 0, or an exit status after one line on stderr. */
static int open_trace(struct profile_trace *trace, const struct heddle_session *session)
{
	char *bad_path;
	int error = profile_trace_open(trace, &session->measurement, &bad_path);
	int status = error == -ENOENT ? HEDDLE_EXIT_NO_VALUES : HEDDLE_EXIT_OK;
	if (error && error != -ENOENT)
		status = heddle__complain_file(bad_path ? bad_path : session->measurement.path, error);
	free(bad_path);
	return status;
}

void heddle__print_traces(const struct heddle_session *session)
{
	struct profile_trace trace;
	if (open_trace(&trace, session) != 0)
		return;
	print_section(&trace);
	profile_trace_close(&trace);
}

/* ---- agreement with the profiles ---- */

/* Prints a path from the program on; the program's name only if the path is empty. */
static void print_path(const struct profile_view *view, uint32_t node)
{
	uint32_t parent = node ? view->parents[node] : 0;
	if (parent)
		print_path(view, parent);
	fputs(parent ? " > " : " ", stdout);
	heddle__print_safely(stdout, view->labels[view->label_of[node]].text);
}

static void print_difference(const struct heddle_session *session, const struct profile_trace_difference *difference)
{
	const struct profile_view *view = &session->view;
	uint32_t node = difference->distribution ? view->of_node[difference->node]
						 : profile_view_holder(view, difference->node, difference->metric);
	printf("%" PRIu64 ".%" PRIu32 " %s: %" PRIu64 " in the profile, %" PRIu64 " in the trace:",
		difference->process->info->pid, difference->thread,
		difference->distribution ? "values of an argument" : profile_metric_name(difference->metric),
		difference->profile, difference->trace);
	print_path(view, node);
	putchar('\n');
}

static void print_reasons(const struct profile_trace *trace, const struct profile_trace_check *check)
{
	struct sums sums = add_up(trace);
	print_selection(&sums);
	print_losses(&sums);
	print_damage(trace);
	if (check->broken)
		line("damaged", "chunks of %zu threads: a wrong checksum or record", check->broken);
}

static int print_check(const struct heddle_session *session, const struct profile_trace *trace,
	const struct profile_trace_check *check)
{
	if (!check->differences && !check->broken) {
		printf("the trace and the profile agree: %zu thread%s, %" PRIu64 " values\n", check->threads,
			check->threads == 1 ? "" : "s", check->values);
		return HEDDLE_EXIT_OK;
	}
	for (uint64_t i = 0; i < check->differences && i < HEDDLE_TRACE_DIFFERENCES; i++)
		print_difference(session, &check->first[i]);
	printf("the trace and the profile differ in %" PRIu64 " of %" PRIu64 " values\n", check->differences,
		check->values);
	print_reasons(trace, check);
	return HEDDLE_EXIT_FAILED;
}

int heddle__check_traces(const struct heddle_session *session)
{
	struct profile_trace trace;
	struct profile_trace_check check;
	char *bad_path;
	int status = open_trace(&trace, session);
	if (status == HEDDLE_EXIT_NO_VALUES)
		fprintf(stderr, "heddle: %s has no traces; measure with `heddle run --trace`\n",
			heddle__shown(session->measurement.path));
	if (status)
		return status;
	int error = profile_trace_check(&check, &trace, &bad_path);
	status = error ? heddle__complain_file(bad_path ? bad_path : session->measurement.path, error)
		       : print_check(session, &trace, &check);
	free(bad_path);
	profile_trace_close(&trace);
	return status;
}
