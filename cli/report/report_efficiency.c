/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `heddle report --efficiency`: which part of the threads' time was useful, and which factors and places lost the rest:
 * for the run, its phases, and its parallel regions.
 */
#include "analysis/efficiency_network.h"
#include "analysis/text.h"
#include "analysis/useful_counts.h"
#include "cli/base/wrap.h"
#include "cli/report/report_parts.h"
#include "cli/report/report_traced.h"

#include <stdlib.h>

#define LOSS_MATTERS 0.01  /* part of the threads' time that the sentence mentions */
#define PLACE_MATTERS 0.25 /* part of a loss */
#define FIRST_LOSSES 3     /* losses in the first sentence of a report */
#define MARGIN 2           /* columns between numbers and names */

enum { COLUMN_LOST, COLUMN_EFFICIENCY, COLUMN_ELAPSED, COLUMN_FACTORS, COLUMNS = COLUMN_FACTORS + HEDDLE_FACTOR_COUNT };

struct printed {
	const struct heddle_report *report;
	const struct heddle_efficiency_factors *factors;
	struct heddle_column columns[COLUMNS];
};

/* ---- in a sentence ---- */

struct loss {
	enum heddle_factor factor;
	double share;
};

static int by_share(const void *a, const void *b)
{
	const struct loss *x = a, *y = b;
	if (x->share != y->share)
		return x->share > y->share ? -1 : 1;
	return (int)x->factor - (int)y->factor;
}

static void print_place(const struct printed *printed, enum heddle_factor factor, double lost_ns)
{
	const struct heddle_loss_place *place = &printed->factors->scopes[0].place[factor];
	if (place->label == HEDDLE_NO_LABEL || place->ns < PLACE_MATTERS * lost_ns)
		return;
	fputs(factor == HEDDLE_FACTOR_SERIALIZATION ? ", most in `" : ", most at `", stdout);
	heddle__print_safely(stdout, printed->report->session->view.labels[place->label].text);
	putchar('`');
}

static void print_sentence(const struct printed *printed, int most)
{
	const struct heddle_efficiency_scope *run = &printed->factors->scopes[0];
	struct loss losses[HEDDLE_FACTOR_COUNT];
	struct heddle_capture capture;
	char text[32], threads[32];
	for (int factor = 0; factor < HEDDLE_FACTOR_COUNT; factor++)
		losses[factor] = (struct loss){factor, heddle__scope_loss(run, factor)};
	qsort(losses, HEDDLE_FACTOR_COUNT, sizeof(*losses), by_share);
	heddle__capture_begin(&capture);
	if (run->threads > 1)
		printf("Of %s threads' time (%s) ", heddle__format_count(threads, sizeof(threads), run->threads),
			heddle__format_time(text, sizeof(text), (uint64_t)run->left[0]));
	else
		printf("Of the thread's time (%s) ", heddle__format_time(text, sizeof(text), (uint64_t)run->left[0]));
	printf("%.1f %% is useful", 100 * heddle__scope_efficiency(run));
	for (int i = 0; i < most && losses[i].share >= LOSS_MATTERS; i++) {
		printf("; %.1f %% is lost to %s", 100 * losses[i].share, heddle__factor_loss(losses[i].factor));
		print_place(printed, losses[i].factor, losses[i].share * run->left[0]);
	}
	puts(".");
	heddle__capture_end(&capture, (struct heddle_wrap){.width = printed->report->terminal.width});
}

/* ---- the run, factor by factor ---- */

static void print_factor(const struct printed *printed, double factor, double loss, int indent, const char *name)
{
	printf("%8.1f %8.1f  %*s", 100 * factor, 100 * loss, indent, "");
	heddle__style(&printed->report->terminal, indent ? HEDDLE_STYLE_NORMAL : HEDDLE_STYLE_BOLD);
	puts(name);
	heddle__style(&printed->report->terminal, HEDDLE_STYLE_NORMAL);
}

/*
 * Prints instructions per cycle, separately: what a core does in useful time is not a part of how threads use their
 * time.
 */
static int print_ipc(const struct printed *printed)
{
	struct heddle_useful_counts counts;
	int error = heddle__useful_counts_make(&counts, &printed->report->session->measurement);
	if (!error && counts.instructions > 0 && counts.cycles > 0)
		printf("\nUseful code executes %.2f instructions per cycle.\n", counts.instructions / counts.cycles);
	return error;
}

/* Prints transfer and serialization, which are parts of communication, below it. */
static void print_network(const struct printed *printed, const struct heddle_efficiency_network *network)
{
	if (!(network->ideal_ns > 0))
		return;
	print_factor(printed, network->transfer, network->transfer_loss, 4, "transfer");
	print_factor(printed, network->serialization, network->serialization_loss, 4, "serialization between ranks");
}

static void print_run(const struct printed *printed, const struct heddle_efficiency_network *network)
{
	const struct heddle_efficiency_scope *run = &printed->factors->scopes[0];
	double efficiency = heddle__scope_efficiency(run);
	heddle__style(&printed->report->terminal, HEDDLE_STYLE_DIM);
	puts("factor %   lost %  of the run");
	heddle__style(&printed->report->terminal, HEDDLE_STYLE_NORMAL);
	print_factor(printed, efficiency, 1 - efficiency, 0, "parallel efficiency");
	for (int factor = 0; factor < HEDDLE_FACTOR_COUNT; factor++) {
		if (heddle__factor_matters(printed->factors, factor))
			print_factor(printed, heddle__scope_factor(run, factor), heddle__scope_loss(run, factor), 2,
				heddle__factor_label(factor));
		if (factor == HEDDLE_FACTOR_COMMUNICATION)
			print_network(printed, network);
	}
}

/* ---- phases and regions ---- */

static void make_columns(struct printed *printed, size_t names)
{
	static const char *const headings[HEDDLE_FACTOR_COUNT] = {
		"comm. %", "ranks %", "serial %", "balance %", "sync. %", "runtime %", "heddle %", "procs %"};
	static const unsigned ranks[HEDDLE_FACTOR_COUNT] = {2, 1, 1, 1, 2, 3, 5, 4};
	printed->columns[COLUMN_LOST] = (struct heddle_column){"lost %", 6, 0, false};
	printed->columns[COLUMN_EFFICIENCY] = (struct heddle_column){"effic. %", 8, 0, false};
	printed->columns[COLUMN_ELAPSED] = (struct heddle_column){"elapsed", 9, 6, false};
	for (int factor = 0; factor < HEDDLE_FACTOR_COUNT; factor++)
		printed->columns[COLUMN_FACTORS + factor] = (struct heddle_column){headings[factor],
			heddle__factor_matters(printed->factors, factor) ? 9 : 0, ranks[factor], false};
	heddle__columns_fit(&printed->report->terminal, printed->columns, COLUMNS,
		heddle__names_least(&printed->report->terminal, names));
}

static void print_cell(const struct printed *printed, int column, double percent)
{
	if (heddle__column_shown(&printed->columns[column]))
		printf(" %*.1f", printed->columns[column].width, percent);
}

static void print_scope(const struct printed *printed, const struct heddle_efficiency_scope *scope)
{
	const struct heddle_efficiency_scope *run = &printed->factors->scopes[0];
	char text[32];
	double lost = scope->left[0] - scope->left[HEDDLE_FACTOR_COUNT];
	printf("%*.1f", printed->columns[COLUMN_LOST].width, run->left[0] > 0 ? 100 * lost / run->left[0] : 0);
	print_cell(printed, COLUMN_EFFICIENCY, 100 * heddle__scope_efficiency(scope));
	if (heddle__column_shown(&printed->columns[COLUMN_ELAPSED]))
		printf(" %*s", printed->columns[COLUMN_ELAPSED].width,
			heddle__format_time(text, sizeof(text), (uint64_t)scope->elapsed_ns));
	for (int factor = 0; factor < HEDDLE_FACTOR_COUNT; factor++) {
		if (heddle__kind_has_factor(scope->kind, factor))
			print_cell(printed, COLUMN_FACTORS + factor, 100 * heddle__scope_factor(scope, factor));
		else if (heddle__column_shown(&printed->columns[COLUMN_FACTORS + factor]))
			printf(" %*s", printed->columns[COLUMN_FACTORS + factor].width, "-");
	}
	printf("%*s", MARGIN, "");
	heddle__print_label(&printed->report->terminal, &printed->report->session->view.labels[scope->label],
		heddle__columns_width(printed->columns, COLUMNS) + MARGIN);
	putchar('\n');
}

static void print_scopes(struct printed *printed)
{
	const struct heddle_efficiency_factors *factors = printed->factors;
	double whole = factors->scopes[0].left[0], hidden_ns = 0;
	size_t hidden = 0;
	if (factors->count < 2)
		return;
	putchar('\n');
	make_columns(printed, 30);
	heddle__columns_print_heading(&printed->report->terminal, printed->columns, COLUMNS, "phase, parallel region");
	double least = heddle__least_percent(printed->report->min_percent, factors->count - 1);
	for (size_t s = 1; s < factors->count; s++) {
		const struct heddle_efficiency_scope *scope = &factors->scopes[s];
		if (100 * scope->left[0] >= least * whole) {
			print_scope(printed, scope);
			continue;
		}
		hidden++;
		hidden_ns += scope->left[0];
	}
	heddle__print_hidden(printed->report, hidden, "row", (uint64_t)hidden_ns, (uint64_t)whole);
	heddle__columns_print_omitted(&printed->report->terminal, printed->columns, COLUMNS);
}

int heddle__report_efficiency_sentence(const struct heddle_report *report, bool *printed_one)
{
	struct heddle_efficiency_factors factors;
	struct printed printed = {.report = report, .factors = &factors};
	if (report->session->measurement.merged)
		return 0;
	int error = heddle__efficiency_factors_make(&factors, &report->session->measurement, &report->session->view);
	bool parallel = !factors.of_everyone && (factors.of_ranks || factors.of_threads);
	if (!error && parallel && factors.scopes[0].left[HEDDLE_FACTOR_COUNT] > 0) {
		print_sentence(&printed, FIRST_LOSSES);
		*printed_one = true;
	}
	heddle__efficiency_factors_free(&factors);
	return error;
}

/* Reads the network's factors; they are known only for the whole run. */
static int read_network(struct heddle_efficiency_network *network, const struct printed *printed)
{
	const struct heddle_traced *traced = printed->report->traced;
	if (!traced->open || !traced->whole || !heddle__traced_is_sound(traced, HEDDLE_NO_NETWORK))
		return 0;
	heddle__traced_begin(traced);
	int error = heddle__efficiency_network_make(
		network, printed->factors, &printed->report->session->view, &traced->trace);
	heddle__traced_end(traced);
	return error;
}

static int print(const struct heddle_report *report)
{
	struct heddle_efficiency_network network = {0};
	struct heddle_efficiency_factors factors;
	struct printed printed = {.report = report, .factors = &factors};
	int error = heddle__efficiency_factors_make(&factors, &report->session->measurement, &report->session->view);
	if (!error && !(factors.scopes[0].left[0] > 0))
		puts("No time was measured: no samples and no events.");
	else if (!error)
		error = read_network(&network, &printed);
	if (!error && factors.scopes[0].left[0] > 0) {
		print_sentence(&printed, HEDDLE_FACTOR_COUNT);
		putchar('\n');
		print_run(&printed, &network);
		error = print_ipc(&printed);
		print_scopes(&printed);
	}
	heddle__efficiency_factors_free(&factors);
	return error;
}

const struct heddle_report_part heddle__report_part_efficiency = {.own_metric = true, .print = print};
