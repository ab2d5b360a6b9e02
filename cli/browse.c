/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle browse`: browses a measurement in the terminal. Its parts are in cli/browse/. */
#include "cli/base/commands.h"
#include "cli/base/exit_status.h"
#include "cli/base/source_dirs.h"
#include "cli/browse/browse_follow.h"
#include "cli/browse/browse_screen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct browse_options {
	bool follow;
	const char *metric, *thread;
	struct heddle_words directories; /* directories of sources */
};

static const struct heddle_option options[] = {
	{"--follow", NULL, "reload whenever the running program writes a profile", HEDDLE_OPTION_FLAG,
		offsetof(struct browse_options, follow)},
	{"--metric", "NAME", "see --metric help (default: cpu-time, else wall-time)", HEDDLE_OPTION_TEXT,
		offsetof(struct browse_options, metric)},
	{"--thread", "N", "show one thread only: its rank, or its number in its team", HEDDLE_OPTION_TEXT,
		offsetof(struct browse_options, thread)},
	HEDDLE_SOURCE_DIR_OPTION(browse_options),
	{0},
};

#ifdef HEDDLE_HAVE_CURSES
static int choose_metric(struct heddle_browse *browse, const char *name)
{
	int metric = name ? heddle__choose_metric(&browse->data.session.measurement, name) : 0;
	if (metric < 0)
		return -metric;
	if (name)
		heddle__browse_choose_metric(browse, (enum heddle_metric)metric);
	return 0;
}

/* True if the thread has that number: its rank in the program if there are ranks, else its number in a team. */
static bool is_thread(const struct profile_thread *thread, unsigned long number, bool ranks)
{
	return ranks ? profile_thread_is_rank(thread) && thread->rank - 1 == number
		     : thread->number >= 0 && (unsigned long)thread->number == number;
}

static const struct profile_thread *find_thread(const struct profile_measurement *measurement, unsigned long number,
	bool ranks, const struct profile_process **process)
{
	for (size_t p = 0; p < measurement->process_count; p++) {
		*process = &measurement->processes[p];
		for (size_t t = 0; !(*process)->error && t < (*process)->thread_count; t++)
			if (is_thread(&(*process)->threads[t], number, ranks))
				return &(*process)->threads[t];
	}
	return NULL;
}

static int choose_thread(struct heddle_browse *browse, const char *word)
{
	const struct profile_measurement *measurement = &browse->data.session.measurement;
	const struct profile_process *process;
	char *end = NULL;
	unsigned long number = word ? strtoul(word, &end, 10) : 0;
	if (!word)
		return 0;
	const struct profile_thread *thread = NULL;
	if (*word && !*end) {
		thread = find_thread(measurement, number, true, &process);
		thread = thread ? thread : find_thread(measurement, number, false, &process);
	}
	if (!thread) {
		fprintf(stderr,
			"heddle: browse: --thread: there is no thread '%s': heddle report --threads lists them\n",
			word);
		return HEDDLE_EXIT_USAGE;
	}
	heddle__browse_choose_thread(browse, process, thread);
	return 0;
}

static int load(struct heddle_browse *browse, const struct browse_options *chosen)
{
	struct heddle_session session;
	if (chosen->follow && heddle__browse_reread(browse))
		return choose_metric(browse, chosen->metric);
	if (chosen->follow && !chosen->metric && !chosen->thread)
		return 0;
	int status = heddle__session_open(&session, browse->path, &heddle__browse_session_options);
	if (status)
		return status;
	if (heddle__browse_data_take(&browse->data, &session, -1) != 0)
		return heddle__complain_file(browse->path, -ENOMEM);
	return choose_metric(browse, chosen->metric);
}

static int browse_measurement(const char *path, const struct browse_options *chosen)
{
	struct heddle_browse browse = {
		.path = path, .follow = chosen->follow, .terminal = heddle__terminal_describe(false)};
	uint64_t seen = heddle__browse_fingerprint(path);
	int status = load(&browse, chosen);
	browse.seen = browse.data.loaded ? seen : 0;
	if (!status) {
		heddle__browse_start(&browse);
		status = choose_thread(&browse, chosen->thread);
	}
	if (!status)
		status = heddle__browse_screen(&browse);
	heddle__browse_end(&browse);
	return status;
}
#else
static int browse_measurement(const char *path, const struct browse_options *chosen)
{
	(void)path;
	(void)chosen;
	fputs("heddle: browse: this build lacks ncurses (package libncurses-dev): use heddle report\n", stderr);
	return HEDDLE_EXIT_FAILED;
}
#endif

static int run(int argc, char **argv)
{
	struct browse_options chosen = {0};
	const char *path;
	int status = heddle__measurement_argument(&heddle__command_browse, argc, argv, &chosen, &path);
	if (!status)
		status = heddle__source_dirs_allow("browse", &chosen.directories);
	if (status)
		return status;
	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)) {
		fputs("heddle: browse: standard input and output must be a terminal: heddle report prints to files\n",
			stderr);
		return HEDDLE_EXIT_USAGE;
	}
	return browse_measurement(path, &chosen);
}

const struct heddle_command heddle__command_browse = {
	.name = "browse",
	.summary = "Browse a measurement in the terminal: call tree, source, threads",
	.arguments = "[DIR]",
	.details = "DIR is a measurement, or one of its profile files; the default is the newest in this directory.\n"
		   "h shows all keys, q quits. `heddle help run`: how a program writes profiles while it runs.\n",
	.lists_metrics = true,
	.options = options,
	.run = run,
};
