/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --critical`: the threads that the critical path runs on. Reports of its metric show the code. */
#include "analysis/critical.h"
#include "analysis/text.h"
#include "analysis/thread_names.h"
#include "cli/base/wrap.h"
#include "cli/report/report_traced.h"

#include <string.h>

#define NAME_LIMIT 64
#define STATES 3       /* of a thread, at most */
#define STATE_WIDTH 10 /* with its share, without its name */
#define NAME_COLUMN 19
#define NAME_WIDTH 24

/* Prints the states of the thread on the path, longest first, as far as they fit into the line. */
static void print_states(const struct heddle_report *report, const uint64_t *states, uint64_t total, size_t used)
{
	bool printed[HEDDLE_STATE_COUNT] = {false};
	for (int i = 0; i < STATES; i++) {
		int most = -1;
		for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
			if (!printed[s] && states[s] * 100 >= total && states[s] &&
				(most < 0 || states[s] > states[most]))
				most = s;
		size_t width = most < 0 ? 0 : strlen(profile_state_label(most)) + STATE_WIDTH;
		used += width;
		if (most < 0 || (report->terminal.width && used > report->terminal.width))
			break;
		printf("  %s ", profile_state_label(most));
		heddle__print_percent(&report->terminal, states[most], total);
		printed[most] = true;
	}
}

static void print_thread(const struct heddle_report *report, const struct heddle_traced *traced,
	const struct heddle_critical_row *row, uint64_t total)
{
	char name[NAME_LIMIT], time[32];
	heddle__traced_thread_name(name, sizeof(name), &traced->trace, row->thread);
	printf("%9s ", heddle__format_time(time, sizeof(time), row->ns));
	heddle__print_percent(&report->terminal, row->ns, total);
	fputs("  ", stdout);
	size_t width = heddle__print_fitting(&report->terminal, name, NAME_COLUMN);
	width = width < NAME_WIDTH ? NAME_WIDTH : width;
	printf("%*s", (int)(width - heddle__columns(name) < NAME_WIDTH ? width - heddle__columns(name) : 0), "");
	print_states(report, row->states, row->ns, NAME_COLUMN + width);
	putchar('\n');
}

static void print_length(
	const struct heddle_report *report, const struct heddle_traced *traced, const struct heddle_critical_rows *rows)
{
	char time[32], count[32];
	struct heddle_capture capture;
	size_t changes = traced->critical.changes;
	heddle__capture_begin(&capture);
	printf("critical path: %s, the length of %s, on %zu thread%s, %s change%s of thread\n",
		heddle__format_time(time, sizeof(time), rows->total), traced->whole ? "the run" : "this part",
		rows->count, rows->count == 1 ? "" : "s", heddle__format_count(count, sizeof(count), changes),
		changes == 1 ? "" : "s");
	heddle__capture_end(&capture, (struct heddle_wrap){.width = report->terminal.width, .glue = ", "});
}

static void print_crowded(const struct heddle_report *report, const struct heddle_critical_rows *rows)
{
	struct heddle_critical_crowd crowd;
	struct heddle_capture capture;
	char threads[32];
	if (heddle__critical_crowd_find(&crowd, rows, &report->session->measurement) != 0 || crowd.threads == 0)
		return;
	heddle__capture_begin(&capture);
	printf("%.0f %% of the path is wake-up latency: %s threads share %zu processor%s, "
	       "so a thread whose wait has ended waits for a processor\n",
		100 * crowd.share, heddle__format_count(threads, sizeof(threads), crowd.threads), crowd.processors,
		crowd.processors == 1 ? "" : "s");
	heddle__capture_end(&capture, (struct heddle_wrap){.width = report->terminal.width, .indent = 2});
}

static int print(const struct heddle_report *report)
{
	const struct heddle_traced *traced = report->traced;
	struct heddle_critical_rows rows;
	int error = heddle__critical_rows_make(&rows, &traced->trace, &traced->critical);
	if (error)
		return error;
	if (rows.count) {
		print_length(report, traced, &rows);
		heddle__style(&report->terminal, HEDDLE_STYLE_DIM);
		printf("%9s %7s  %-*s  %s\n", "time", "path", NAME_WIDTH, "thread", "states");
		heddle__style(&report->terminal, HEDDLE_STYLE_NORMAL);
	} else {
		puts("critical path: the trace has no events");
	}
	for (size_t i = 0; i < rows.count; i++)
		print_thread(report, traced, &rows.items[i], rows.total);
	print_crowded(report, &rows);
	heddle__critical_rows_free(&rows);
	return 0;
}

const struct heddle_report_part heddle__report_part_critical = {.traced = true, .beside_tree = true, .print = print};
