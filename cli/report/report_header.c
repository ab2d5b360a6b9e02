/* SPDX-License-Identifier: BSD-3-Clause */
/* The first lines of a report: what was measured, so that a report in a mail is self-contained. */
#include "analysis/summary.h"
#include "cli/base/wrap.h"
#include "cli/report/report_parts.h"

#include "profile/base/base_name.h"
#include "profile/file/profile_peek.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MODELS_LIMIT 8 /* models that notes name */

static void print_command(const struct heddle_report *report, const struct heddle_summary *sum)
{
	heddle__style(&report->terminal, HEDDLE_STYLE_BOLD);
	heddle__print_safely(stdout, profile_base_name(sum->first->program));
	heddle__style(&report->terminal, HEDDLE_STYLE_NORMAL);
	size_t width = 0;
	for (size_t i = 1; i < sum->first->n_arguments && width < 100; i++) {
		putchar(' ');
		heddle__print_safely(stdout, sum->first->arguments[i]);
		width += strlen(sum->first->arguments[i]) + 1;
	}
}

static void print_time(const struct heddle_report *report, const struct heddle_summary *sum)
{
	char when[64], text[32];
	struct tm broken;
	time_t seconds = (time_t)(sum->start_ns / 1000000000u);
	if (sum->start_ns && localtime_r(&seconds, &broken)) {
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", &broken);
		printf("%s%s", report->terminal.dot, when);
	}
	if (sum->hosts > 1) {
		printf(" on %zu hosts", sum->hosts);
	} else if (*sum->first->host) {
		fputs(" on ", stdout);
		heddle__print_safely(stdout, sum->first->host);
	}
	printf("%s%s\n", report->terminal.dot, heddle__format_time(text, sizeof(text), sum->end_ns - sum->start_ns));
}

static void print_counted(size_t count, const char *one, const char *many)
{
	char text[32];
	printf("%s %s", heddle__format_count(text, sizeof(text), count), count == 1 ? one : many);
}

/* Prints the timers that delivered the samples, each with its share of CPU time if several have 1 % or more. */
static void print_sources(const struct heddle_summary *sum)
{
	uint64_t all = 0, count = 0;
	for (size_t s = 0; s < HEDDLE_SUMMARY_SOURCES; s++)
		all += sum->sources[s].cpu_ns;
	for (size_t s = 0; s < HEDDLE_SUMMARY_SOURCES; s++)
		count += all > 0 && sum->sources[s].cpu_ns * 100 >= all;
	if (count == 0)
		heddle__print_safely(stdout, sum->first->sample_source);
	for (size_t s = 0, printed = 0; s < HEDDLE_SUMMARY_SOURCES && count > 0; s++) {
		if (sum->sources[s].cpu_ns * 100 < all)
			continue;
		fputs(printed++ ? ", " : "", stdout);
		heddle__print_safely(stdout, sum->sources[s].name);
		if (count > 1)
			printf(" %.0f %%", 100.0 * (double)sum->sources[s].cpu_ns / (double)all);
	}
}

/* True if the timer was slower than requested, as at the kernel's tick: a sample then accounts for several periods. */
static bool is_slow(const struct heddle_summary *sum)
{
	return sum->signals > 0 && sum->signals * 20 < sum->samples * 19;
}

/* Prints the rate in the time that the samples account for; time without sampling does not affect the timer. */
static void print_rate(const struct heddle_summary *sum, bool wall)
{
	uint64_t asked = sum->first->sample_hz, cpu_ns = 0;
	for (size_t s = 0; s < HEDDLE_SUMMARY_SOURCES; s++)
		cpu_ns += sum->sources[s].cpu_ns;
	double hz = cpu_ns ? (double)sum->signals * 1e9 / (double)cpu_ns : 0;
	if (!wall && is_slow(sum) && hz >= 1 && hz < (double)asked)
		printf(" at %.0f Hz of CPU time, %" PRIu64 " asked", hz, asked);
	else
		printf(" at %" PRIu64 " Hz of %s", asked, wall ? "elapsed time" : "CPU time");
}

/*
 * Prints how many times a call path was sampled, and at which rate; `heddle info` has the periods that samples account
 * for.
 */
static void print_sampling(const struct heddle_report *report, const struct heddle_summary *sum)
{
	const Heddle__Profile__Process *info = sum->first;
	char paused[32];
	fputs(report->terminal.dot, stdout);
	if (sum->samples == 0 && !profile_is_sampled(info)) {
		fputs("not sampled", stdout);
		return;
	}
	print_counted(sum->signals > 0 ? sum->signals : sum->samples, "sample", "samples");
	if (!*info->sample_source)
		return;
	if (info->sample_hz > 0) /* otherwise by an event, which the source names */
		print_rate(sum, strcmp(info->sample_clock, "wall") == 0);
	fputs(" (", stdout);
	print_sources(sum);
	if (info->sample_hz > 0 && sum->paused * 20 > sum->samples)
		printf("; %s more while measurement was off",
			heddle__format_count(paused, sizeof(paused), sum->paused));
	putchar(')');
}

static void print_counts(const struct heddle_report *report, const struct heddle_summary *sum)
{
	char text[32];
	print_counted(sum->processes, "process", "processes");
	fputs(report->terminal.dot, stdout);
	print_counted(sum->threads, "thread", "threads");
	printf("%s%s CPU", report->terminal.dot, heddle__format_time(text, sizeof(text), sum->cpu_ns));
	print_sampling(report, sum);
	putchar('\n');
}

void heddle__print_incomplete(const struct profile_measurement *measurement)
{
	struct heddle_incomplete incomplete = heddle__incomplete_of(measurement);
	char text[32];
	if (!incomplete.first)
		return;
	heddle__format_time(text, sizeof(text), incomplete.first->duration_ns);
	if (incomplete.processes == 1)
		printf("incomplete: ends after %s: the process was killed, could not write, or still runs\n", text);
	else
		printf("incomplete: %zu of %zu processes, process %" PRIu64
		       " after %s: killed, unable to write, or running\n",
			incomplete.count, incomplete.processes, incomplete.first->pid, text);
}

/* Prints the notes; if memory is exhausted, fewer of them. */
static void print_notes(const struct heddle_session *session)
{
	struct profile_intern notes = {0};
	(void)heddle__notes_collect(&notes, &session->measurement, &session->view);
	for (size_t i = 0; i < notes.count; i++) {
		fputs("note: ", stdout);
		heddle__print_safely(stdout, notes.texts[i]);
		putchar('\n');
	}
	profile_intern_free(&notes);
}

/* The visited events of a model whose names are generated; only the first few are named. */
static void print_generated(const struct profile_call_tree *tree, const bool *visited, const char *model)
{
	const struct profile_model *known = profile_models_named(&tree->models, model);
	const char *label = profile_model_label(known);
	size_t printed = 0, count = 0;
	fputs("note: ", stdout);
	heddle__print_safely(stdout, *label ? label : model);
	fputs(" events of unknown names (", stdout);
	for (size_t e = 0; e < tree->event_count; e++) {
		if (!visited[e] || strcmp(tree->events[e].model, model) != 0 || ++count > 4)
			continue;
		fputs(printed++ ? ", " : "", stdout);
		heddle__print_safely(stdout, *tree->events[e].label ? tree->events[e].label : tree->events[e].name);
	}
	if (count > printed)
		printf(", ... %zu in all", count);
	fputs(*known->generated ? "): " : ")", stdout);
	heddle__print_safely(stdout, known->generated);
	putchar('\n');
}

static void print_generated_names(const struct profile_call_tree *tree)
{
	const uint64_t *visits = tree->values[HEDDLE_METRIC_VISITS];
	bool *visited = calloc(tree->event_count + 1, sizeof(*visited));
	struct profile_intern printed = {0};
	for (size_t i = 0; visited && visits && i < tree->node_count; i++)
		if (visits[i] && tree->nodes[i].kind == HEDDLE_NODE_REGION)
			visited[tree->nodes[i].event] = tree->events[tree->nodes[i].event].generated;
	for (size_t e = 0; visited && e < tree->event_count && printed.count < MODELS_LIMIT; e++) {
		size_t before = printed.count;
		if (visited[e] && profile_intern(&printed, tree->events[e].model) == before)
			print_generated(tree, visited, tree->events[e].model);
	}
	profile_intern_free(&printed);
	free(visited);
}

/* Prints one line for all modules: for a measurement from another machine, many may be missing. */
static void print_missing_code(const struct heddle_session *session)
{
	const struct profile_call_tree *tree = &session->measurement.tree;
	const char *first = NULL;
	size_t count = 0;
	for (size_t m = 0; m < tree->module_count; m++) {
		const struct profile_module_names *names = &session->naming.modules[m];
		const char *path = tree->modules[m].path;
		if (names->status != HEDDLE_CODE_MISSING || names->unnamed == 0 || *path != '/' ||
			access(path, F_OK) == 0)
			continue;
		first = count++ ? first : path;
	}
	if (count == 0)
		return;
	fputs("note: ", stdout);
	heddle__print_safely(stdout, first);
	if (count > 1)
		printf(" and %zu more %s", count - 1, count == 2 ? "file" : "files");
	printf(" %s not on this machine: %s functions are shown as addresses%s\n", count == 1 ? "is" : "are",
		count == 1 ? "its" : "their", count == 1 ? "" : " (`heddle info` lists them)");
}

void heddle__report_header(const struct heddle_report *report)
{
	struct heddle_capture capture;
	struct heddle_summary sum = heddle__summarize(&report->session->measurement);
	if (!sum.first)
		return;
	heddle__capture_begin(&capture);
	print_command(report, &sum);
	print_time(report, &sum);
	print_counts(report, &sum);
	if (report->part) {
		heddle__style(&report->terminal, HEDDLE_STYLE_BOLD);
		heddle__print_safely(stdout, report->part);
		heddle__style(&report->terminal, HEDDLE_STYLE_NORMAL);
		putchar('\n');
	}
	if (report->part && sum.samples == 0 && profile_is_sampled(sum.first))
		puts("note: this part of the run has no samples: code that worked in it is counted as [off cpu]");
	if (report->clocks)
		printf("%s\n", report->clocks);
	heddle__print_incomplete(&report->session->measurement);
	print_notes(report->session);
	print_generated_names(&report->session->measurement.tree);
	print_missing_code(report->session);
	putchar('\n');
	heddle__capture_end(&capture, heddle__wrap_facts(&report->terminal));
}
