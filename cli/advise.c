/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle advise`: the loops in which caching or coalescing of remote accesses would save time, and how much. */
#include "cli/base/commands.h"
#include "cli/base/exit_status.h"
#include "cli/base/network_costs.h"
#include "cli/base/session.h"
#include "cli/base/source_dirs.h"
#include "cli/base/terminal_options.h"
#include "cli/report/report_parts.h"
#include "tune/advise/advice.h"
#include "tune/advise/print.h"

#include <errno.h>
#include <stdio.h>

struct advise_options {
	const char *network, *cflags;
	double min_percent;
	struct heddle_words directories; /* directories of sources */
	struct heddle_terminal_options terminal;
};

static const struct heddle_option options[] = {
	{"--network", "FILE",
		"costs of accesses, written by heddle doctor --network (default: the newest *.network here)",
		HEDDLE_OPTION_TEXT, offsetof(struct advise_options, network)},
	{"--min", "PCT", "hide lines below this percentage of the run (default: 1; 0 in short tables)",
		HEDDLE_OPTION_PERCENT, offsetof(struct advise_options, min_percent)},
	{"--cflags", "FLAGS", "options that the sources are compiled with", HEDDLE_OPTION_TEXT,
		offsetof(struct advise_options, cflags)},
	HEDDLE_SOURCE_DIR_OPTION(advise_options),
	HEDDLE_TERMINAL_OPTIONS(advise_options),
	{0},
};

static void print_page(const struct heddle_advice_page *page)
{
	heddle__advice_print_costs(page);
	putchar('\n');
	heddle__advice_print_table(page);
	heddle__advice_print_sentences(page);
}

static void print_header(const struct heddle_session *session, const struct heddle_terminal *terminal)
{
	struct heddle_report report = {.session = session, .terminal = *terminal};
	heddle__report_header(&report);
}

static int advise(const struct heddle_session *session, const struct profile_accesses *accesses,
	const struct heddle_advice_page *outline)
{
	struct heddle_advice_page page = *outline;
	struct heddle_advices advices;
	struct heddle_cache_costs costs;
	int error = heddle__advices_find(
		&advices, &costs, &session->measurement, accesses, page.network, page.flags, &page.problem);
	if (error)
		return error;
	print_header(session, &page.terminal);
	if (advices.count == 0) {
		puts("No access went to another node, so a cache would save nothing.");
	} else {
		page.advices = &advices;
		page.costs = &costs;
		print_page(&page);
	}
	heddle__advices_free(&advices);
	return 0;
}

static int complain_unmeasured(const struct profile_accesses *accesses)
{
	fprintf(stderr, "heddle: advise: %s\n",
		accesses->row_count
			? "accesses were not measured by variable: measure with `heddle run --accesses`"
			: "no accesses to shared memory were measured: compile with `heddle upcc --inst` and "
			  "measure with `heddle run --accesses`");
	return HEDDLE_EXIT_NO_VALUES;
}

static int show(const struct heddle_session *session, const struct heddle_advice_page *page)
{
	struct profile_accesses accesses;
	int error = profile_accesses_make(&accesses, &session->measurement);
	int status = 0;
	if (error)
		return heddle__complain_file(session->measurement.path, error);
	if (accesses.pair_count == 0)
		status = complain_unmeasured(&accesses);
	else
		error = advise(session, &accesses, page);
	profile_accesses_free(&accesses);
	return error ? heddle__complain_file(session->measurement.path, error) : status;
}

static int run(int argc, char **argv)
{
	struct advise_options chosen = {.min_percent = HEDDLE_MIN_NOT_GIVEN};
	struct heddle_session_options how = {0};
	struct heddle_session session;
	struct heddle_network network = {0};
	struct heddle_advice_page page = {0};
	struct heddle_words flags = {0};
	const char *path;
	int status = heddle__measurement_argument(&heddle__command_advise, argc, argv, &chosen, &path);
	if (!status)
		status = heddle__source_dirs_allow("advise", &chosen.directories);
	if (!status)
		status = heddle__terminal_options_check("advise", &chosen.terminal);
	if (!status && chosen.cflags && heddle__words_split(&flags, chosen.cflags) != 0) {
		fprintf(stderr, "heddle: advise: --cflags: a quote is not closed: %s\n", chosen.cflags);
		status = HEDDLE_EXIT_USAGE;
	}
	if (status)
		return status;
	page.measurement = path;
	page.cflags = chosen.cflags;
	page.flags = (const char *const *)flags.at;
	page.min_percent = chosen.min_percent;
	page.network_path = chosen.network ? chosen.network : heddle__newest_network();
	if (page.network_path) {
		status = heddle__network_read(&network, page.network_path);
		page.network = &network;
	}
	if (!status)
		status = heddle__session_open(&session, path, &how);
	if (!status) {
		page.terminal = heddle__terminal_begin(&chosen.terminal);
		status = show(&session, &page);
		heddle__session_close(&session);
	}
	heddle__network_free(&network);
	heddle__words_free(&flags);
	return status;
}

const struct heddle_command heddle__command_advise = {
	.name = "advise",
	.summary = "Find UPC loops whose remote accesses are worth caching or coalescing",
	.arguments = "[DIR]",
	.details =
		"DIR is a measurement with accesses by variable (`heddle help run`); the default is the newest here.\n"
		"Times are sums over all threads; \"after\" is predicted. \"coalesce\": indices are known before the\n"
		"loop, so few messages bring the elements; \"cache\": each element is brought at its first access.\n",
	.options = options,
	.run = run,
};
