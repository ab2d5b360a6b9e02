/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "cli/run/outcome.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "cli/base/exit_status.h"
#include "cli/run/aftermath.h"
#include "cli/run/launch_words.h"
#include "cli/run/launchers.h"
#include "cli/run/missing_ranks.h"
#include "cli/run/own_cost_line.h"
#include "cli/run/unmeasured.h"
#include "format/shell_word.h"

/*
 * Describes, by its status, the end of a program that left no profile. The dynamic linker's own status is that of
 * shells. Returns `text`.
 */
static char *describe_end(char *text, size_t size, int status)
{
	int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
	char name[32];
	if (number >= SIGRTMIN)
		snprintf(name, sizeof name, "SIGRTMIN+%d", number - SIGRTMIN);
	else
		snprintf(name, sizeof name, "SIG%s", sigabbrev_np(number) ? sigabbrev_np(number) : "?");
	if (number != 0)
		snprintf(text, size,
			"it was killed by %s before one was written: `--flush-seconds N` writes one every N seconds, "
			"the first after N",
			name);
	else if (WEXITSTATUS(status) == HEDDLE_EXIT_NO_PROGRAM)
		snprintf(text, size,
			"the dynamic linker could not start it, or ended it: a library or symbol is missing (exit "
			"status %d)",
			WEXITSTATUS(status));
	else
		snprintf(text, size,
			"it exited with status %d without running exit handlers, is a wrapper that clears LD_PRELOAD, "
			"or could no longer write to the directory (another user, chroot)",
			WEXITSTATUS(status));
	return text;
}

/* Returns the command's name, as the user called it. */
static const char *command(void)
{
	static char word[HEDDLE_SHELL_WORD_SIZE(PATH_MAX)];
	return heddle__shell_word(word, sizeof word, program_invocation_name);
}

static void say_survivors(const struct heddle_outcome *outcome, bool profiles)
{
	const char *name = outcome->program, *quoted = outcome->directory->quoted;
	char who[64];
	if (outcome->survivors == 1)
		snprintf(who, sizeof who, "1 process that it started still runs");
	else
		snprintf(who, sizeof who, "%d processes that it started still run", outcome->survivors);
	if (profiles)
		fprintf(stderr, "heddle: measured %s: %s, and %s: more profiles follow; see: %s report %s\n", name,
			quoted, who, command(), quoted);
	else
		fprintf(stderr,
			"heddle: %s has ended, and %s: profiles will be written to %s; see then: %s report %s\n", name,
			who, quoted, command(), quoted);
}

/*
 * Prints a line about other ranks. Those that still run matter only if the launcher may end them now, because this one
 * failed.
 */
static bool say_ranks(const struct heddle_outcome *outcome)
{
	const struct heddle_companions *ranks = &outcome->companions;
	size_t running = outcome->status != 0 ? ranks->running : 0;
	if (ranks->lost + running == 0)
		return false;
	fprintf(stderr, "heddle: incomplete: of %zu ranks", ranks->count);
	if (ranks->lost > 0)
		fprintf(stderr, ", %zu ended without a profile", ranks->lost);
	if (running > 0)
		fprintf(stderr, ", %zu had not ended when this one failed", running);
	fputs(": a rank that is killed leaves the profile that was written last, if any: `--flush-seconds N` writes it "
	      "every N seconds\n",
		stderr);
	return true;
}

/* What the profiles say, and what they lack; `error`: why one could not be written, or 0. */
static void say_profiles(const struct heddle_outcome *outcome, int error)
{
	const struct heddle_output *directory = outcome->directory;
	struct heddle_run_profiles profiles = heddle__run_profiles_read(directory->absolute);
	struct heddle_unmeasured unmeasured = heddle__unmeasured(&profiles, outcome->waited_ns);
	heddle__launchers_set_aside(directory, &profiles);
	fprintf(stderr, "heddle: measured %s: %s; see: %s report %s\n", outcome->program, directory->quoted, command(),
		directory->quoted);
	heddle__own_cost_say(directory->absolute);
	if (outcome->may_miss_mpi)
		heddle__launch_words_say(&profiles);
	if (!heddle__aftermath_say_missing(&profiles, error) && !say_ranks(outcome) &&
		!(outcome->companions.count == 1 && heddle__missing_ranks_say(&profiles)) && unmeasured.missing_ns > 0)
		heddle__unmeasured_say(&unmeasured);
	heddle__run_profiles_free(&profiles);
}

void heddle__outcome_say(const struct heddle_outcome *outcome)
{
	struct heddle_output *directory = outcome->directory;
	char why[256];
	bool resolved = heddle__output_resolve(directory, outcome->pid) == 0;
	int error = resolved ? heddle__aftermath_failure(directory->absolute) : ENOENT;
	if (resolved && outcome->survivors > 0) {
		say_survivors(outcome, heddle__output_holds_profiles(directory));
		return;
	}
	if (resolved)
		heddle__output_tidy(directory, outcome->pid);
	if (resolved && heddle__output_holds_profiles(directory)) {
		say_profiles(outcome, error);
		return;
	}
	if (error == 0)
		error = heddle__aftermath_unwritable(directory->absolute);
	if (error != 0) {
		fprintf(stderr, "heddle: no profile of %s: it could not be written to %s: %s\n", outcome->program,
			directory->quoted, strerror(error));
		heddle__output_remove_if_empty(directory);
		return;
	}
	fputs("heddle: no profile of ", stderr);
	if (outcome->companions.running > 0) /* they may still write profiles */
		fprintf(stderr, "rank %zu of ", outcome->companions.rank);
	fprintf(stderr, "%s was written: %s", outcome->program, describe_end(why, sizeof why, outcome->status));
	if (!WIFSIGNALED(outcome->status))
		fprintf(stderr, "; see: %s doctor", command());
	fputs("\n", stderr);
	heddle__output_remove_if_empty(directory);
}
