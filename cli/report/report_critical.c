/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --critical`: which threads the critical path runs on. Where it runs is told by the reports of its
 * metric. */
#include "cli/report/report_traced.h"
#include "cli/report/thread_names.h"

#include <errno.h>
#include <stdlib.h>

#define NAME_LIMIT 64
#define STATES 3 /* of a thread, beside work */

static void print_state(const struct heddle_report *report, enum heddle_state state, uint64_t ns, uint64_t total)
{
	printf("  %s", profile_state_label(state));
	heddle__print_percent(report, ns, total);
}

/* What the thread did on the path: most first. */
static void print_states(const struct heddle_report *report, const uint64_t *states, uint64_t total)
{
	bool printed[HEDDLE_STATE_COUNT] = {false};
	for (int i = 0; i < STATES; i++) {
		int most = -1;
		for (int s = 0; s < HEDDLE_STATE_COUNT; s++)
			if (!printed[s] && states[s] * 100 >= total && states[s] &&
				(most < 0 || states[s] > states[most]))
				most = s;
		if (most < 0)
			break;
		print_state(report, most, states[most], total);
		printed[most] = true;
	}
}

static void print_thread(
	const struct heddle_report *report, const struct heddle_traced *traced, size_t thread, uint64_t total)
{
	char name[NAME_LIMIT], time[32];
	uint64_t ns = traced->critical.of_thread[thread];
	if (!ns)
		return;
	heddle__traced_thread_name(name, sizeof(name), &traced->trace, thread);
	printf("%9s ", heddle__format_time(time, sizeof(time), ns));
	heddle__print_percent(report, ns, total);
	fputs("  ", stdout);
	heddle__print_safely(stdout, name);
	printf("%*s", (int)(heddle__columns(name) < 24 ? 24 - heddle__columns(name) : 0), "");
	print_states(report, &traced->critical.of_state[thread * HEDDLE_STATE_COUNT], ns);
	putchar('\n');
}

int heddle__report_critical(const struct heddle_report *report, const struct heddle_traced *traced)
{
	char time[32], changes[32];
	const struct profile_trace_critical *critical = &traced->critical;
	size_t *order = calloc(traced->trace.thread_count + 1, sizeof(*order)), threads = 0;
	uint64_t total = 0;
	if (!order)
		return -ENOMEM;
	size_t count = heddle__traced_thread_order(&traced->trace, order);
	for (size_t t = 0; t < critical->thread_count; t++) {
		total += critical->of_thread[t];
		threads += critical->of_thread[t] > 0;
	}
	printf("critical path: %s, the length of %s, on %zu thread%s, %s change%s of thread\n",
		heddle__format_time(time, sizeof(time), total), traced->whole ? "the run" : "this part", threads,
		threads == 1 ? "" : "s", heddle__format_count(changes, sizeof(changes), critical->changes),
		critical->changes == 1 ? "" : "s");
	heddle__style(&report->look, HEDDLE_STYLE_DIM);
	printf("%9s %7s  %-24s  %s\n", "time", "path", "thread", "what it did then");
	heddle__style(&report->look, HEDDLE_STYLE_PLAIN);
	for (size_t i = 0; i < count; i++)
		print_thread(report, traced, order[i], total);
	free(order);
	return 0;
}
