/* SPDX-License-Identifier: BSD-3-Clause */
/* The first lines of a report: what was measured, so that a report in a mail explains itself. */
#include "cli/report_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What the processes of a measurement sum up to. */
struct summary {
	const Heddle__Profile__Process *first;
	size_t processes, threads;
	uint64_t cpu_ns, start_ns, end_ns, samples;
};

static struct summary summarize(const struct heddle_measurement *measurement)
{
	struct summary sum = {.start_ns = UINT64_MAX};
	for (size_t p = 0; p < measurement->process_count; p++) {
		const struct heddle_process *process = &measurement->processes[p];
		if (process->error)
			continue;
		uint64_t start = process->info->start_unix_ns, end = start + process->info->duration_ns;
		if (!sum.first || start < sum.start_ns)
			sum.first = process->info;
		sum.processes++;
		sum.cpu_ns += process->info->cpu_ns;
		sum.samples += process->info->samples_taken;
		sum.start_ns = start < sum.start_ns ? start : sum.start_ns;
		sum.end_ns = end > sum.end_ns ? end : sum.end_ns;
		for (size_t t = 0; t < process->thread_count; t++)
			sum.threads += process->threads[t].threads ? process->threads[t].threads : 1;
	}
	return sum;
}

static void print_command(const struct heddle_report *report, const struct summary *sum)
{
	heddle__style(&report->look, HEDDLE_STYLE_BOLD);
	heddle__print_safely(stdout, heddle_base_name(sum->first->program));
	heddle__style(&report->look, HEDDLE_STYLE_PLAIN);
	size_t width = 0;
	for (size_t i = 1; i < sum->first->n_arguments && width < 100; i++) {
		putchar(' ');
		heddle__print_safely(stdout, sum->first->arguments[i]);
		width += strlen(sum->first->arguments[i]) + 1;
	}
}

static void print_time(const struct heddle_report *report, const struct summary *sum)
{
	char when[64], text[32];
	struct tm broken;
	time_t seconds = (time_t)(sum->start_ns / 1000000000u);
	if (sum->start_ns && localtime_r(&seconds, &broken)) {
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", &broken);
		printf("%s%s", report->look.dot, when);
	}
	if (*sum->first->host) {
		fputs(" on ", stdout);
		heddle__print_safely(stdout, sum->first->host);
	}
	printf("%s%s\n", report->look.dot, heddle__format_time(text, sizeof(text), sum->end_ns - sum->start_ns));
}

static void print_counted(size_t count, const char *one, const char *many)
{
	char text[32];
	printf("%s %s", heddle__format_count(text, sizeof(text), count), count == 1 ? one : many);
}

static void print_sampling(const struct heddle_report *report, const struct summary *sum)
{
	const Heddle__Profile__Process *info = sum->first;
	fputs(report->look.dot, stdout);
	if (sum->samples == 0 && (!*info->sample_source || strcmp(info->sample_source, "none") == 0)) {
		fputs("not sampled", stdout);
		return;
	}
	print_counted(sum->samples, "sample", "samples");
	if (!*info->sample_source)
		return;
	fputs(" (", stdout);
	heddle__print_safely(stdout, info->sample_source);
	if (info->sample_hz == 0) { /* by an event, which the source tells */
		putchar(')');
		return;
	}
	printf(", %" PRIu64 " Hz of ", info->sample_hz);
	fputs(strcmp(info->sample_clock, "wall") == 0 ? "elapsed time)" : "CPU time)", stdout);
}

static void print_counts(const struct heddle_report *report, const struct summary *sum)
{
	char text[32];
	print_counted(sum->processes, "process", "processes");
	fputs(report->look.dot, stdout);
	print_counted(sum->threads, "thread", "threads");
	printf("%s%s CPU", report->look.dot, heddle__format_time(text, sizeof(text), sum->cpu_ns));
	print_sampling(report, sum);
	putchar('\n');
}

static int print_note(struct heddle_intern *said, const char *note)
{
	size_t before = said->count;
	if (heddle__intern(said, note) == HEDDLE_INTERN_NONE)
		return -ENOMEM;
	if (said->count == before || !*note)
		return 0;
	fputs("note: ", stdout);
	heddle__print_safely(stdout, note);
	putchar('\n');
	return 0;
}

/* Each note once, though every process has it. */
static void print_notes(const struct heddle_measurement *measurement)
{
	struct heddle_intern said = {0};
	for (size_t p = 0; p < measurement->process_count; p++)
		for (size_t i = 0; !measurement->processes[p].error && i < measurement->processes[p].info->n_note; i++)
			if (print_note(&said, measurement->processes[p].info->note[i]) != 0)
				break;
	heddle__intern_free(&said);
}

/* The visited events of one model whose names are made up; only the first few are told by name. */
static void print_generated(const struct heddle_call_tree *tree, const bool *visited, const char *model)
{
	bool upc = strcmp(model, "upc") == 0;
	size_t told = 0, count = 0;
	fputs("note: ", stdout);
	heddle__print_safely(stdout, upc ? "UPC" : model);
	fputs(" events of unknown names (", stdout);
	for (size_t e = 0; e < tree->event_count; e++) {
		if (!visited[e] || strcmp(tree->events[e].model, model) != 0 || ++count > 4)
			continue;
		fputs(told++ ? ", " : "", stdout);
		heddle__print_safely(stdout, *tree->events[e].label ? tree->events[e].label : tree->events[e].name);
	}
	if (count > told)
		printf(", ... %zu in all", count);
	puts(upc ? "): link by `heddle upcc`" : ")");
}

static void print_generated_names(const struct heddle_call_tree *tree)
{
	const uint64_t *visits = tree->values[HEDDLE_METRIC_VISITS];
	bool *visited = calloc(tree->event_count + 1, sizeof(*visited));
	for (size_t i = 0; visited && visits && i < tree->node_count; i++)
		if (visits[i] && tree->nodes[i].kind == HEDDLE_NODE_REGION)
			visited[tree->nodes[i].event] = tree->events[tree->nodes[i].event].generated;
	for (size_t e = 0; visited && e < tree->event_count; e++) {
		bool first = visited[e];
		for (size_t before = 0; before < e; before++)
			first = first &&
				!(visited[before] && strcmp(tree->events[before].model, tree->events[e].model) == 0);
		if (first)
			print_generated(tree, visited, tree->events[e].model);
	}
	free(visited);
}

void heddle__report_header(const struct heddle_report *report)
{
	struct summary sum = summarize(&report->session->measurement);
	if (!sum.first)
		return;
	print_command(report, &sum);
	print_time(report, &sum);
	print_counts(report, &sum);
	print_notes(&report->session->measurement);
	print_generated_names(&report->session->measurement.tree);
	putchar('\n');
}
