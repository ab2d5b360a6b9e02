/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each run is a separate `heddle run`, the leader of a process group, so that launchers and ranks end together. After
 * an interrupt, the current run ends and no other one begins; a second interrupt kills it at once.
 */
#include "cli/scale/scale_runs.h"

#include "cli/base/exit_status.h"
#include "cli/base/parent_state.h"
#include "cli/base/program.h"
#include "cli/base/terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE 5.0 /* seconds from SIGTERM to SIGKILL */
#define OUT_OF_TIME (-1)

/* Paths of the directory of all runs, and of files and directories in it. */
struct making {
	struct heddle_scale_runs *runs;
	char own_path[PATH_MAX], directory[PATH_MAX], measurement[PATH_MAX + 64], printed[PATH_MAX + 80];
	bool upc; /* -n applies to the program itself */
	sigset_t signals, before;
	size_t turns; /* runs that were begun */
};

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* ---- one run ---- */

_Noreturn static void become(
	const struct making *making, const struct heddle_words *words, const struct heddle_plan_configuration *of)
{
	char threads[16];
	int in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int out = open(making->printed, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	setpgid(0, 0);
	if (of->threads) {
		snprintf(threads, sizeof(threads), "%u", of->threads);
		setenv("OMP_NUM_THREADS", threads, 1);
	}
	sigprocmask(SIG_SETMASK, &making->before, NULL);
	heddle__parent_state_restore();
	if (in >= 0 && out >= 0 && dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
		dup2(out, STDERR_FILENO) >= 0)
		execv(making->own_path, words->at);
	_exit(HEDDLE_EXIT_NO_PROGRAM);
}

static double wait_left(double end)
{
	double left = end - now();
	return left > 0 ? left : 0;
}

/*
 * Waits for the end of the run until `end` (0: forever), and forwards interrupts. Returns as waitpid, or OUT_OF_TIME.
 */
static int wait_for(struct making *making, pid_t child, double end)
{
	bool late = false;
	int status = HEDDLE_EXIT_FAILED << 8;
	while (waitpid(child, &status, WNOHANG) == 0) {
		double left = end > 0 ? wait_left(end) : 3600;
		struct timespec time = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
		int signal = sigtimedwait(&making->signals, NULL, &time);
		if (signal > 0 && signal != SIGCHLD) {
			kill(-child, making->runs->signal ? SIGKILL : signal);
			making->runs->signal = signal;
		} else if (end > 0 && now() >= end) {
			kill(-child, late ? SIGKILL : SIGTERM);
			end = late ? 0 : now() + PATIENCE;
			late = true;
		}
	}
	return late ? OUT_OF_TIME : status;
}

/* Adds the words of a text, split as a shell does, with %n replaced. */
static void add_template(struct heddle_words *words, const char *text, unsigned ranks)
{
	struct heddle_words parts = {0};
	heddle__words_split(&parts, text);
	for (size_t i = 0; i < parts.count; i++) {
		const char *place = strstr(parts.at[i], "%n");
		if (place)
			heddle__words_add_format(words, "%.*s%u%s", (int)(place - parts.at[i]), parts.at[i],
				ranks ? ranks : 1, place + 2);
		else
			heddle__words_add(words, parts.at[i]);
	}
	words->failed |= parts.failed;
	heddle__words_free(&parts);
}

static void make_words(
	const struct making *making, const struct heddle_plan_configuration *of, struct heddle_words *words)
{
	const struct heddle_scale_runs *runs = making->runs;
	heddle__words_add(words, "heddle");
	heddle__words_add(words, "run");
	heddle__words_add(words, "-o");
	heddle__words_add(words, making->measurement);
	if (runs->run_options)
		add_template(words, runs->run_options, of->ranks);
	if (of->ranks && making->upc) {
		heddle__words_add(words, "-n");
		heddle__words_add_format(words, "%u", of->ranks);
	}
	heddle__words_add(words, "--");
	if (runs->launcher)
		add_template(words, runs->launcher, of->ranks);
	for (const char *const *argument = runs->arguments; *argument; argument++)
		heddle__words_add(words, *argument);
}

/* Returns "-n 2 -t 1". */
static const char *name_of(const struct heddle_plan_configuration *of)
{
	static char text[48];
	char *at = text;
	*at = '\0';
	if (of->ranks)
		at += snprintf(at, 24, "-n %u%s", of->ranks, of->threads ? " " : "");
	if (of->threads)
		snprintf(at, 24, "-t %u", of->threads);
	return text;
}

static void name_files(struct making *making, const struct heddle_plan_configuration *of, unsigned round)
{
	char ranks[16] = "", threads[16] = "";
	if (of->ranks)
		snprintf(ranks, sizeof(ranks), "n%u-", of->ranks);
	if (of->threads)
		snprintf(threads, sizeof(threads), "t%u-", of->threads);
	snprintf(making->measurement, sizeof(making->measurement), "%s/%s%s%u", making->directory, ranks, threads,
		round + 1);
	snprintf(making->printed, sizeof(making->printed), "%s.txt", making->measurement);
}

static void conclude(struct making *making, struct heddle_plan_configuration *of, int status, double seconds)
{
	struct heddle_scale_runs *runs = making->runs;
	if (runs->signal) {
		fputs("interrupted\n", stderr);
	} else if (status == 0) {
		fprintf(stderr, "%.3g s\n", seconds);
		heddle__words_add(&runs->made, making->measurement);
		heddle__plan_add(&runs->plan, of, seconds);
		return;
	} else if (status == OUT_OF_TIME) {
		fputs("out of time", stderr);
	} else if (WIFSIGNALED(status)) {
		fprintf(stderr, "ended by signal %d", WTERMSIG(status));
	} else {
		fprintf(stderr, "ended with status %d", WEXITSTATUS(status));
	}
	if (!runs->signal)
		fprintf(stderr, ": left out, and not repeated; what it printed is in %s\n",
			heddle__shown(making->printed));
	runs->failed += status != OUT_OF_TIME || of->runs == 0;
	of->over = true;
}

static int make_run(struct making *making, struct heddle_plan_configuration *of, unsigned round)
{
	struct heddle_words words = {0};
	const struct heddle_plan *plan = &making->runs->plan;
	name_files(making, of, round);
	make_words(making, of, &words);
	if (words.failed) {
		heddle__words_free(&words);
		return HEDDLE_EXIT_FAILED;
	}
	fprintf(stderr, "heddle: scale: run %zu of at most %zu, %s: ", ++making->turns, plan->count * plan->repeat,
		name_of(of));
	double start = now();
	pid_t child = fork();
	if (child == 0)
		become(making, &words, of);
	heddle__words_free(&words);
	if (child < 0) {
		fprintf(stderr, "cannot be started: %s\n", strerror(errno));
		return HEDDLE_EXIT_FAILED;
	}
	setpgid(child, child);
	int status = wait_for(making, child, plan->seconds > 0 ? start + plan->seconds - of->used : 0);
	conclude(making, of, status, now() - start);
	return 0;
}

/* ---- all runs ---- */

static int complain(const char *what, const char *name, const char *remedy)
{
	fprintf(stderr, "heddle: scale: %s %s %s\n", what, heddle__shown(name), remedy);
	return HEDDLE_EXIT_USAGE;
}

static int check_launcher(const struct heddle_scale_runs *runs)
{
	struct heddle_words words = {0};
	bool bad = runs->launcher && heddle__words_split(&words, runs->launcher) != 0;
	heddle__words_free(&words);
	bad |= runs->run_options && heddle__words_split(&words, runs->run_options) != 0;
	heddle__words_free(&words);
	return bad ? complain("a quote in", runs->launcher ? "--launcher" : "--run-options", "is not closed") : 0;
}

/* Determines, before anything runs, what -n applies to. */
static int look_at_program(struct making *making)
{
	struct heddle_scale_runs *runs = making->runs;
	struct heddle_program program = {0};
	int error = heddle__program_find(runs->arguments[0], &program);
	if (error) {
		fprintf(stderr, "heddle: scale: %s: %s\n", heddle__shown(runs->arguments[0]), strerror(-error));
		return error == -EACCES ? HEDDLE_EXIT_NOT_EXECUTABLE : HEDDLE_EXIT_NO_PROGRAM;
	}
	heddle__program_inspect(&program);
	bool numbered = runs->plan.configurations[0].ranks > 0;
	if (!numbered && !runs->launcher)
		return 0;
	if (!runs->launcher && program.needs_wrapped[HEDDLE_WRAPPED_MPI])
		runs->launcher = "mpirun -np %n";
	making->upc = !runs->launcher && heddle__program_is_upc(program.path) != 0;
	if (!making->upc && !runs->launcher)
		return complain("-n has no effect on", runs->arguments[0],
			"(no UPC or MPI program): add --launcher such as \"mpirun -np %n\"");
	return check_launcher(runs);
}

static int make_directory(struct making *making)
{
	const char *program = making->runs->arguments[0], *slash = strrchr(program, '/');
	if (making->runs->output)
		snprintf(making->directory, sizeof(making->directory), "%s", making->runs->output);
	else
		snprintf(making->directory, sizeof(making->directory), "scale-%s-%d", slash ? slash + 1 : program,
			(int)getpid());
	if (mkdir(making->directory, 0777) == 0)
		return 0;
	fprintf(stderr, "heddle: scale: %s: %s; runs need a new directory\n", heddle__shown(making->directory),
		strerror(errno));
	return HEDDLE_EXIT_OUTPUT;
}

static void take_signals(struct making *making)
{
	sigemptyset(&making->signals);
	sigaddset(&making->signals, SIGCHLD);
	sigaddset(&making->signals, SIGINT);
	sigaddset(&making->signals, SIGTERM);
	sigaddset(&making->signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &making->signals, &making->before);
}

static int make_all(struct making *making)
{
	const struct heddle_plan *plan = &making->runs->plan;
	int status = 0;
	for (unsigned round = 0; round < plan->repeat; round++)
		for (size_t turn = 0; !status && !making->runs->signal && turn < plan->count; turn++) {
			struct heddle_plan_configuration *of = heddle__plan_at(plan, round, turn);
			if (!of->over)
				status = make_run(making, of, round);
		}
	return status;
}

int heddle__scale_runs_make(struct heddle_scale_runs *runs)
{
	static struct making making;
	making = (struct making){.runs = runs};
	ssize_t length = readlink("/proc/self/exe", making.own_path, sizeof(making.own_path) - 1);
	int status = length > 0 ? look_at_program(&making) : HEDDLE_EXIT_FAILED;
	if (!status)
		status = make_directory(&making);
	if (status)
		return status;
	take_signals(&making);
	status = make_all(&making);
	sigprocmask(SIG_SETMASK, &making.before, NULL);
	if (!status && runs->made.count == 0) {
		fputs("heddle: scale: no run is complete: nothing to compare\n", stderr);
		status = HEDDLE_EXIT_FAILED;
	} else if (!status) {
		fprintf(stderr, "heddle: scale: the measurements stay in %s\n", heddle__shown(making.directory));
	}
	return status;
}
