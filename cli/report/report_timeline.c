/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle report --timeline`: a line for each thread, a column for each piece of time, a character for the state that
 * the thread was in longest; above them the time and the program's phases, below them what the threads executed in each
 * slice of time.
 */
#include "analysis/label_times.h"
#include "analysis/text.h"
#include "analysis/thread_names.h"
#include "cli/base/wrap.h"
#include "cli/report/report_traced.h"

#include "profile/base/parallel.h"
#include "profile/trace/trace_activity.h"
#include "profile/trace/trace_phases.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NAME_LIMIT 64
#define FILE_WIDTH 120 /* if stdout is not a terminal */
#define LEAST_COLUMNS 30
#define LEAST_NAME 16
#define MARK_COLUMNS 14 /* at least, between marks of the ruler */
#define SLICES 10
#define TOP 3          /* regions of a slice */
#define SLICE_WIDTH 20 /* of a slice's time */
#define LEAST_SHARE 27 /* columns of a region in a slice */
#define PHASE_LIMIT 64 /* names of phases on the ruler */

struct page {
	const struct heddle_report *report;
	const struct heddle_traced *traced;
	struct profile_trace_activity activity;
	size_t *order, count; /* numbers of threads */
	size_t name_width;
	bool used[HEDDLE_ACTIVITY_KINDS];
};

/* ---- characters ---- */

static const struct sign {
	char sign;
	uint8_t style; /* enum heddle_style */
	const char *meaning;
} signs[HEDDLE_ACTIVITY_KINDS] = {
	[HEDDLE_STATE_WORK] = {'#', HEDDLE_STYLE_BOLD, "work"},
	[HEDDLE_STATE_OVERHEAD] = {'o', HEDDLE_STYLE_STATE, "overhead of a runtime"},
	[HEDDLE_STATE_IDLE] = {'.', HEDDLE_STYLE_DIM, "idle"},
	[HEDDLE_STATE_BARRIER_WAIT] = {'b', HEDDLE_STYLE_WARM, "barrier wait"},
	[HEDDLE_STATE_LOCK_WAIT] = {'l', HEDDLE_STYLE_HOT, "lock wait"},
	[HEDDLE_STATE_TASK_WAIT] = {'t', HEDDLE_STYLE_WARM, "task wait"},
	[HEDDLE_STATE_HEDDLE] = {'h', HEDDLE_STYLE_STATE, "heddle"},
	[HEDDLE_STATE_OFF_CPU] = {'s', HEDDLE_STYLE_DIM, "off cpu"},
	[HEDDLE_STATE_PARTIAL] = {'#', HEDDLE_STYLE_BOLD, "work"},
	[HEDDLE_STATE_FENCE_WAIT] = {'f', HEDDLE_STYLE_WARM, "fence wait"},
	[HEDDLE_STATE_COLLECTIVE_WAIT] = {'c', HEDDLE_STYLE_WARM, "collective wait"},
	[HEDDLE_STATE_COMMUNICATION] = {'r', HEDDLE_STYLE_REGION, "communication"},
	[HEDDLE_ACTIVITY_OFF] = {'-', HEDDLE_STYLE_DIM, "not measured"},
};

/* Returns the state that a thread was in longest; -1: none. */
static int mostly(const uint64_t *values)
{
	int most = -1;
	for (int k = 0; k < HEDDLE_ACTIVITY_KINDS; k++)
		if (values[k] && signs[k].sign && (most < 0 || values[k] > values[most]))
			most = k;
	return most;
}

static void print_thread(struct page *page, size_t thread)
{
	char name[NAME_LIMIT];
	const struct heddle_terminal *terminal = &page->report->terminal;
	int style = HEDDLE_STYLE_NORMAL;
	heddle__traced_thread_name(name, sizeof(name), &page->traced->trace, thread);
	size_t width = heddle__print_fitting(terminal, name, terminal->width ? terminal->width - page->name_width : 0);
	printf("%*s", (int)(page->name_width > width ? page->name_width - width : 0) + 1, "");
	for (size_t c = 0; c < page->activity.columns; c++) {
		int kind = mostly(profile_trace_activity_of(&page->activity, thread, c));
		int wanted = kind < 0 ? HEDDLE_STYLE_NORMAL : signs[kind].style;
		if (wanted != style) {
			heddle__style(terminal, HEDDLE_STYLE_NORMAL);
			heddle__style(terminal, wanted);
		}
		style = wanted;
		putchar(kind < 0 ? ' ' : signs[kind].sign);
		if (kind >= 0)
			page->used[kind] = true;
	}
	heddle__style(terminal, HEDDLE_STYLE_NORMAL);
	putchar('\n');
}

static void print_legend(const struct page *page)
{
	struct heddle_capture capture;
	const struct heddle_terminal *terminal = &page->report->terminal;
	bool explained[256] = {false};
	heddle__capture_begin(&capture);
	heddle__style(terminal, HEDDLE_STYLE_DIM);
	fputs("mostly: ", stdout);
	heddle__style(terminal, HEDDLE_STYLE_NORMAL);
	for (int k = 0; k < HEDDLE_ACTIVITY_KINDS; k++) {
		if (!page->used[k] || explained[(unsigned char)signs[k].sign])
			continue;
		explained[(unsigned char)signs[k].sign] = true;
		heddle__style(terminal, signs[k].style);
		putchar(signs[k].sign);
		heddle__style(terminal, HEDDLE_STYLE_NORMAL);
		printf(" %s, ", signs[k].meaning);
	}
	fputs("blank: no thread\n", stdout);
	heddle__capture_end(&capture, (struct heddle_wrap){.width = terminal->width, .glue = ", "});
}

/* ---- rulers ---- */

/* Returns 1, 2 or 5 times a power of ten, so that marks are not too close. */
static uint64_t mark_step(const struct page *page)
{
	const struct profile_trace_part *part = &page->activity.part;
	uint64_t least = (part->to_ns - part->from_ns) / page->activity.columns * MARK_COLUMNS, step = 1;
	for (unsigned i = 0; step < least && step < UINT64_MAX / 10; i++)
		step = i % 3 == 1 ? step / 2 * 5 : step * 2;
	return step;
}

static size_t column_of(const struct page *page, uint64_t ns)
{
	const struct profile_trace_part *part = &page->activity.part;
	return (size_t)((unsigned __int128)(ns - part->from_ns) * page->activity.columns /
			(part->to_ns - part->from_ns));
}

static void begin_ruler(const struct page *page, const char *name)
{
	heddle__style(&page->report->terminal, HEDDLE_STYLE_DIM);
	printf("%-*s ", (int)page->name_width, name);
}

static void end_ruler(const struct page *page)
{
	putchar('\n');
	heddle__style(&page->report->terminal, HEDDLE_STYLE_NORMAL);
}

/* Prints marks of time. A mark that does not fit is left out. */
static void print_times(const struct page *page)
{
	const struct profile_trace_part *part = &page->activity.part;
	size_t columns = page->activity.columns, used = 0;
	uint64_t step = mark_step(page), first = (part->from_ns + step - 1) / step * step;
	begin_ruler(page, "time");
	for (uint64_t ns = first; ns < part->to_ns; ns += step) {
		char text[40] = "|";
		size_t at = column_of(page, ns);
		heddle__format_time(text + 1, sizeof(text) - 1, ns);
		if (at >= used && at + strlen(text) <= columns)
			used += (size_t)printf("%*s%s", (int)(at - used), "", text);
	}
	printf("%*s", (int)(columns - used), "");
	end_ruler(page);
}

/* Time of phases by column: of the outermost phases of one thread. */
struct phases {
	const struct page *page;
	const char *names[PHASE_LIMIT];
	size_t count;
	uint64_t *ns; /* by column, phase */
};

static size_t phase_number(struct phases *phases, const char *name)
{
	size_t i = 0;
	while (i < phases->count && strcmp(phases->names[i], name) != 0)
		i++;
	if (i == phases->count && i < PHASE_LIMIT)
		phases->names[phases->count++] = name;
	return i;
}

static int add_phase(void *context, const struct profile_trace_phase *phase)
{
	struct phases *phases = context;
	const struct profile_trace_activity *activity = &phases->page->activity;
	const struct profile_trace_part *part = &activity->part;
	uint64_t from = phase->from_ns > part->from_ns ? phase->from_ns : part->from_ns;
	uint64_t to = phase->to_ns < part->to_ns ? phase->to_ns : part->to_ns;
	size_t number = phase->depth == 0 && from < to ? phase_number(phases, phase->name) : PHASE_LIMIT;
	if (number == PHASE_LIMIT)
		return 0;
	for (size_t c = column_of(phases->page, from); c < activity->columns && from < to; c++) {
		uint64_t end = profile_trace_boundary(part, c + 1, activity->columns);
		uint64_t until = end < to ? end : to;
		if (until > from)
			phases->ns[c * PHASE_LIMIT + number] += until - from;
		from = until > from ? until : from;
	}
	return 0;
}

/* Returns the phase with the largest part of a column; PHASE_LIMIT: none. */
static size_t phase_at(const struct phases *phases, size_t column)
{
	size_t most = PHASE_LIMIT;
	const uint64_t *ns = &phases->ns[column * PHASE_LIMIT];
	for (size_t i = 0; i < phases->count; i++)
		if (ns[i] && (most == PHASE_LIMIT || ns[i] > ns[most]))
			most = i;
	return most;
}

/* True if the phase had half of the column, or more. */
static bool fills(const struct phases *phases, size_t column, size_t phase)
{
	const struct profile_trace_activity *activity = &phases->page->activity;
	uint64_t length = profile_trace_boundary(&activity->part, column + 1, activity->columns) -
			  profile_trace_boundary(&activity->part, column, activity->columns);
	return phases->ns[column * PHASE_LIMIT + phase] * 2 >= length;
}

/* Returns the columns used, `room` at most. */
static size_t print_name(const struct page *page, const char *name, size_t room)
{
	char *text = heddle__safe_copy(name);
	if (!text)
		return 0;
	struct heddle_cut cut = heddle__cut(text, room, page->report->terminal.utf8);
	printf("%.*s%s%s", (int)cut.head, text, cut.mark, cut.tail);
	free(text);
	return cut.columns;
}

/* Prints a phase over the columns of which it has the largest part. */
static void print_phase(const struct phases *phases, size_t phase, size_t from, size_t to)
{
	putchar('|');
	size_t at = from + 1 + print_name(phases->page, phases->names[phase], to - from - 1);
	for (; at < to; at++)
		putchar(fills(phases, at, phase) ? '_' : '.');
}

static void print_phases(const struct phases *phases)
{
	const struct page *page = phases->page;
	size_t columns = page->activity.columns, end;
	begin_ruler(page, "phase");
	for (size_t c = 0; c < columns; c = end) {
		size_t phase = phase_at(phases, c);
		for (end = c + 1; end < columns && phase_at(phases, end) == phase;)
			end++;
		if (phase == PHASE_LIMIT)
			printf("%*s", (int)(end - c), "");
		else
			print_phase(phases, phase, c, end);
	}
	end_ruler(page);
}

/* Prints the phases of the first thread that has any. */
static int print_phase_ruler(const struct page *page)
{
	struct phases phases = {.page = page};
	int error = 0;
	phases.ns = calloc(page->activity.columns * PHASE_LIMIT, sizeof(*phases.ns));
	if (!phases.ns)
		return -ENOMEM;
	heddle__traced_begin(page->traced);
	for (size_t i = 0; i < page->count && !phases.count && !error; i++)
		error = profile_trace_phases(&page->traced->trace, page->order[i], add_phase, &phases);
	heddle__traced_end(page->traced);
	if (!error && phases.count)
		print_phases(&phases);
	free(phases.ns);
	return error;
}

/* ---- slices ---- */

static bool is_worth(const struct heddle_label_time *share, uint64_t total)
{
	return total && share->ns * 100 >= total;
}

/* Prints "  61.2 % label" in at most `room` columns; 0: as many as needed. Returns the columns used. */
static size_t print_share(const struct page *page, const struct heddle_label_time *share, uint64_t total, size_t room)
{
	const struct heddle_terminal *terminal = &page->report->terminal;
	const struct profile_label *label = &page->report->session->view.labels[share->label];
	size_t taken = (size_t)printf("  %5.1f %% ", 100.0 * (double)share->ns / (double)total);
	return taken + heddle__print_label(&page->report->terminal, label, room ? terminal->width - (room - taken) : 0);
}

/* Prints as many shares as fit on a terminal; reserves room for the next one if there is enough for two. */
static void print_shares(const struct page *page, const struct heddle_label_time *shares, uint64_t total)
{
	size_t width = page->report->terminal.width, left = width > SLICE_WIDTH ? width - SLICE_WIDTH : 0;
	for (size_t i = 0; i < TOP && is_worth(&shares[i], total); i++) {
		bool more = i + 1 < TOP && is_worth(&shares[i + 1], total) && left >= (size_t)2 * LEAST_SHARE;
		if (width && left < LEAST_SHARE)
			break;
		size_t taken = print_share(page, &shares[i], total, width ? left - (more ? LEAST_SHARE : 0) : 0);
		left -= taken < left ? taken : left;
	}
}

static void print_slice(const struct page *page, size_t slice, struct heddle_label_time *shares)
{
	char from[32], to[32];
	const struct profile_trace_part *part = &page->activity.part;
	const uint64_t *ns = &page->activity.nodes[slice * page->activity.node_count];
	uint64_t total = heddle__label_times(shares, &page->report->session->view, ns, page->activity.node_count);
	heddle__format_time(from, sizeof(from), profile_trace_boundary(part, slice, page->activity.slices));
	heddle__format_time(to, sizeof(to), profile_trace_boundary(part, slice + 1, page->activity.slices));
	printf("%8s to %8s", from, to);
	print_shares(page, shares, total);
	putchar('\n');
}

static int print_slices(const struct page *page)
{
	struct heddle_label_time *shares = calloc(page->report->session->view.label_count + TOP, sizeof(*shares));
	if (!shares)
		return -ENOMEM;
	heddle__style(&page->report->terminal, HEDDLE_STYLE_DIM);
	printf("\n%*s  time of all threads", SLICE_WIDTH, "time");
	if (page->activity.helpers)
		printf(", but [off cpu] of %zu helper%s", page->activity.helpers,
			page->activity.helpers == 1 ? "" : "s");
	putchar('\n');
	heddle__style(&page->report->terminal, HEDDLE_STYLE_NORMAL);
	for (size_t s = 0; s < page->activity.slices; s++)
		print_slice(page, s, shares);
	free(shares);
	return 0;
}

/* ---- the page ---- */

static void measure_names(struct page *page)
{
	char name[NAME_LIMIT];
	page->name_width = strlen("thread");
	for (size_t i = 0; i < page->count; i++) {
		heddle__traced_thread_name(name, sizeof(name), &page->traced->trace, page->order[i]);
		size_t width = heddle__columns(name);
		page->name_width = width > page->name_width ? width : page->name_width;
	}
	size_t most = page->report->terminal.width;
	most = most > LEAST_COLUMNS + LEAST_NAME ? most - LEAST_COLUMNS - 1 : LEAST_NAME;
	if (page->report->terminal.width && page->name_width > most)
		page->name_width = most;
}

static int print_page(struct page *page)
{
	char each[32], count[32];
	const struct profile_trace_part *part = &page->activity.part;
	heddle__format_time(each, sizeof(each), (part->to_ns - part->from_ns) / page->activity.columns);
	printf("timeline: %s thread%s, %s a column\n", heddle__format_count(count, sizeof(count), page->count),
		page->count == 1 ? "" : "s", each);
	print_times(page);
	int error = print_phase_ruler(page);
	for (size_t i = 0; i < page->count && !error; i++)
		print_thread(page, page->order[i]);
	if (error)
		return error;
	print_legend(page);
	return print_slices(page);
}

static int print(const struct heddle_report *report)
{
	const struct heddle_traced *traced = report->traced;
	struct page page = {.report = report, .traced = traced};
	size_t width = report->terminal.width ? report->terminal.width : FILE_WIDTH;
	if (traced->part.from_ns >= traced->part.to_ns) {
		puts("timeline: the trace has no events");
		return 0;
	}
	page.order = calloc(traced->trace.thread_count + 1, sizeof(*page.order));
	if (!page.order)
		return -ENOMEM;
	page.count = heddle__traced_thread_order(&traced->trace, page.order);
	measure_names(&page);
	page.activity.part = traced->part;
	page.activity.slices = SLICES;
	page.activity.columns =
		width > page.name_width + 1 + LEAST_COLUMNS ? width - page.name_width - 1 : LEAST_COLUMNS;
	heddle__traced_begin(traced);
	int error = profile_trace_activity_make(&page.activity, &traced->trace, profile_processors());
	heddle__traced_end(traced);
	if (!error)
		error = print_page(&page);
	profile_trace_activity_free(&page.activity);
	free(page.order);
	return error;
}

const struct heddle_report_part heddle__report_part_timeline = {
	.traced = true, .own_metric = true, .on_page = true, .print = print};
