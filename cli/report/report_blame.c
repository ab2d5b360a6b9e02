/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle report --blame`: how long threads waited, and who made them wait, by call path, function or line. */
#include "analysis/blame.h"
#include "analysis/state_times.h"
#include "analysis/thread_table.h"
#include "cli/base/wrap.h"
#include "cli/report/report_traced.h"

static void print_share(const char *before, const char *what, uint64_t part, uint64_t whole)
{
	char text[32];
	if (part)
		printf("%s%s %s (%.1f %%)", before, what, heddle__format_time(text, sizeof(text), part),
			whole ? 100.0 * (double)part / (double)whole : 0);
}

/* Percentage of the threads' elapsed time above which lock wait has a line at the top. */
#define MUCH_LOCK_WAIT 10.0

/* CPU time does not contain lock wait: a waiting thread sleeps, or yields. */
static void print_lock_wait(const struct heddle_report *report, const struct heddle_state_times *times, bool blamed)
{
	struct heddle_capture capture;
	char text[32];
	uint64_t lock_wait = times->wall[HEDDLE_STATE_LOCK_WAIT];
	double percent = times->elapsed ? 100.0 * (double)lock_wait / (double)times->elapsed : 0;
	if (percent < MUCH_LOCK_WAIT)
		return;
	heddle__capture_begin(&capture);
	printf("lock wait is %.0f %% of the threads' time (%s); %s says why\n\n", percent,
		heddle__format_time(text, sizeof(text), lock_wait), blamed ? "--blame" : "`heddle run --blame`");
	heddle__capture_end(&capture, heddle__wrap_facts(&report->terminal));
}

static void print_split(const struct heddle_report *report, const uint64_t sums[HEDDLE_STATE_COUNT])
{
	struct heddle_capture capture;
	uint64_t all = 0, waited = 0;
	for (int state = 0; state < HEDDLE_STATE_COUNT; state++) {
		all += sums[state];
		waited += profile_state_waits(state) || state == HEDDLE_STATE_IDLE ? sums[state] : 0;
	}
	heddle__capture_begin(&capture);
	fputs("time of all threads: ", stdout);
	print_share("", "work", all - waited, all);
	const char *joint = all > waited ? report->terminal.dot : "";
	for (int state = 0; state < HEDDLE_STATE_COUNT; state++) {
		if (!profile_state_waits(state) && state != HEDDLE_STATE_IDLE)
			continue;
		print_share(joint, profile_state_label(state), sums[state], all);
		joint = sums[state] ? report->terminal.dot : joint;
	}
	heddle__capture_end(&capture, heddle__wrap_facts(&report->terminal));
	puts("\n");
}

void heddle__report_waiting(const struct heddle_report *report, bool locks)
{
	const struct profile_measurement *measurement = &report->session->measurement;
	struct heddle_state_times times;
	bool blamed = profile_measurement_total(measurement, HEDDLE_METRIC_BLAME) != 0;
	if (heddle__state_times_make(&times, measurement) != 0)
		return;
	if (blamed)
		print_split(report, times.wall);
	if (locks)
		print_lock_wait(report, &times, blamed);
}

static void print_totals(const struct heddle_report *report, uint64_t blame)
{
	char text[32];
	struct heddle_capture capture;
	struct heddle_state_times times;
	uint64_t waited = 0;
	if (heddle__state_times_make(&times, &report->session->measurement) != 0)
		return;
	const uint64_t *sums = times.wall;
	for (size_t i = 0; i < HEDDLE_CHARGED_STATES; i++)
		waited += sums[heddle__charged_states[i]];
	heddle__capture_begin(&capture);
	printf("waited: %s", heddle__format_time(text, sizeof(text), waited));
	for (size_t i = 0; i < HEDDLE_CHARGED_STATES; i++)
		print_share(report->terminal.dot, profile_state_label(heddle__charged_states[i]),
			sums[heddle__charged_states[i]], waited);
	printf("\ntotal blame: %s\n\n", heddle__format_time(text, sizeof(text), blame));
	heddle__capture_end(&capture, heddle__wrap_facts(&report->terminal));
}

/* True if --blame shows functions or lines: these are then the culprits, unless another metric is named. */
static bool is_flat(const struct heddle_report_options *options)
{
	bool flat = options->given[HEDDLE_REPORT_flat] || (options->lines && !options->given[HEDDLE_REPORT_tree]);
	return flat && !options->metric;
}

/* Prints the blame of ranks, and the method that found it. */
static void print_ranks(const struct heddle_report *report)
{
	struct heddle_capture capture;
	char text[32];
	if (!report->traced->rank_waits_ns)
		return;
	heddle__capture_begin(&capture);
	heddle__format_time(text, sizeof(text), report->traced->rank_waits_ns);
	if (report->traced->ranks_traced)
		printf("ranks waited %s for each other; by the trace, this is charged to what the late ranks did "
		       "meanwhile\n\n",
			text);
	else
		printf("ranks waited at least %s for each other; without a trace, this is charged by imbalance, to "
		       "code in which ranks spent unequal time; `heddle run --trace` records who waited for whom\n\n",
			text);
	heddle__capture_end(&capture, heddle__wrap_facts(&report->terminal));
}

static int print(const struct heddle_report *report)
{
	const struct profile_measurement *measurement = &report->session->measurement;
	struct heddle_extra extras[HEDDLE_BLAME_WAYS];
	struct heddle_report part = *report;
	_Static_assert(HEDDLE_BLAME_WAYS <= HEDDLE_EXTRA_LIMIT, "the tree has columns for all");
	uint64_t blame = profile_measurement_total(measurement, HEDDLE_METRIC_BLAME);
	if (!blame) {
		puts("No blame was measured: use `heddle run --blame`; or no thread waited for another.");
		return 0;
	}
	part.metric = HEDDLE_METRIC_BLAME;
	part.counts = HEDDLE_METRIC_BLAME; /* visits do not matter here */
	part.arguments = false;
	part.extras = extras;
	part.extra_count = 0;
	for (size_t i = 0; i < HEDDLE_BLAME_WAYS; i++)
		if (profile_measurement_total(measurement, heddle__blame_ways[i].blame))
			extras[part.extra_count++] =
				(struct heddle_extra){heddle__blame_ways[i].blame, heddle__blame_ways[i].heading};
	print_totals(report, blame);
	print_ranks(report);
	if (is_flat(report->options))
		return heddle__report_flat(&part, report->options->lines ? "line" : "function");
	return heddle__report_tree(&part);
}

const struct heddle_report_part heddle__report_part_blame = {.own_metric = true, .unfolded = true, .print = print};
