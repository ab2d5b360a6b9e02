/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The program is compiled where all its threads can read it: in the temporary directory or, for a launcher, which may
 * start ranks on other machines, in the current directory. Under a launcher, each rank is such a command: rank 0
 * compiles and prints, all ranks run the program.
 */
#include "cli/network/measure.h"

#include "cli/base/exit_status.h"
#include "cli/base/locate.h"
#include "cli/base/network_costs.h"
#include "cli/base/words.h"
#include "cli/run/ranks.h"
#include "format/shell_word.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct network_run {
	const struct heddle_network_options *options;
	struct heddle_ranks ranks;
	char directory[PATH_MAX], program[PATH_MAX + 16], results[PATH_MAX + 16];
};

/* ---- files ---- */

/* Makes a directory for a command without ranks. */
static int make_directory(struct network_run *run)
{
	const char *base = getenv("TMPDIR");
	if (run->options->launcher)
		base = ".";
	else if (!base || *base == '\0')
		base = "/tmp";
	snprintf(run->directory, sizeof run->directory, "%.4000s/heddle-network-XXXXXX", base);
	if (mkdtemp(run->directory))
		return 0;
	fprintf(stderr, "heddle: doctor: can't make a directory in %s: %s: %s\n", base, strerror(errno),
		run->options->launcher ? "start heddle in another directory" : "set TMPDIR");
	run->directory[0] = '\0';
	return HEDDLE_EXIT_OUTPUT;
}

static int meet(struct network_run *run)
{
	char job[256];
	int status;
	if (run->ranks.count == 1) {
		status = make_directory(run);
	} else {
		heddle__ranks_job(&run->ranks, job, sizeof job);
		snprintf(run->directory, sizeof run->directory, "heddle-network-%s.parts", job);
		status = heddle__ranks_meet(&run->ranks, run->directory);
	}
	snprintf(run->program, sizeof run->program, "%s/network", run->directory);
	snprintf(run->results, sizeof run->results, "%s/results-0", run->directory);
	if (*run->program != '/') /* a path, so that PATH is not searched */
		snprintf(run->program, sizeof run->program, "./%.4000s/network", run->directory);
	return status;
}

static void clean(struct network_run *run)
{
	if (run->ranks.count > 1) {
		if (run->ranks.rank == 0)
			heddle__ranks_clean(&run->ranks);
		return;
	}
	unlink(run->program);
	unlink(run->results);
	if (run->directory[0])
		rmdir(run->directory);
}

/* ---- processes ---- */

/* Runs a command and returns its exit status; -1 if it could not be started or was killed. */
static int run_words(const struct heddle_words *words)
{
	int status;
	pid_t child;
	fflush(NULL);
	child = words->failed ? -1 : fork();
	if (child == 0) {
		execvp(words->at[0], words->at);
		fprintf(stderr, "heddle: doctor: can't start %s: %s\n", words->at[0], strerror(errno));
		_exit(HEDDLE_EXIT_NO_PROGRAM);
	}
	if (child < 0)
		return -1;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int complain_missing(const char *path)
{
	fprintf(stderr,
		"heddle: doctor: --network: %s is missing: build or install Heddle with its UPC compiler (clang-N, "
		"llvm-N-dev, libclang-N-dev)\n",
		path);
	return HEDDLE_EXIT_FAILED;
}

static int compile(const struct network_run *run)
{
	char self[PATH_MAX], source[PATH_MAX], driver[PATH_MAX];
	struct heddle_words words = {0};
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	int status;
	self[length > 0 ? length : 0] = '\0';
	if (heddle__locate_network_program(source) != 0)
		return complain_missing(source);
	if (heddle__locate_upc_driver(driver) != 0)
		return complain_missing(driver);
	heddle__words_add(&words, self);
	heddle__words_add(&words, "upcc");
	heddle__words_add_format(&words, "--with-upcc=%s", driver);
	heddle__words_add(&words, "-O2");
	heddle__words_add(&words, "-o");
	heddle__words_add(&words, run->program);
	heddle__words_add(&words, source);
	status = run_words(&words);
	heddle__words_free(&words);
	if (status == 0)
		return 0;
	fputs("heddle: doctor: --network: the measuring program could not be compiled\n", stderr);
	return HEDDLE_EXIT_FAILED;
}

/* Rank 0 compiles; the other ranks wait for the file that it then creates. */
static int compile_once(const struct network_run *run)
{
	char *done = run->ranks.count > 1 ? heddle__ranks_file(&run->ranks, "compiled", 0) : NULL;
	int status = 0;
	if (run->ranks.rank > 0) {
		status = done && heddle__ranks_wait(&run->ranks, done) ? 0 : HEDDLE_EXIT_FAILED;
	} else {
		FILE *file = NULL;
		status = compile(run);
		if (status == 0 && done)
			file = fopen(done, "we");
		if (file)
			fclose(file);
		else if (status)
			heddle__ranks_fail(&run->ranks);
	}
	free(done);
	return status;
}

static int run_program(const struct network_run *run)
{
	struct heddle_words words = {0};
	const char *launcher = run->options->launcher;
	unsigned threads = run->options->threads;
	int status = 0;
	if (launcher && heddle__words_split(&words, launcher) != 0) {
		fprintf(stderr, "heddle: doctor: --launcher: a quote is not closed: %s\n", launcher);
		heddle__words_free(&words);
		return HEDDLE_EXIT_USAGE;
	}
	heddle__words_add(&words, run->program);
	if (!launcher && run->ranks.count == 1)
		heddle__words_add_format(&words, "-n%u", threads ? threads : 2);
	heddle__words_add(&words, run->results);
	status = run_words(&words);
	if (status != 0)
		fprintf(stderr, "heddle: doctor: --network: the measuring program failed: %s %s\n", words.at[0],
			status < 0 ? "was killed or not started" : "printed the reason above");
	heddle__words_free(&words);
	return status != 0 ? HEDDLE_EXIT_FAILED : 0;
}

/* ---- the results ---- */

/* True if a variable affects the transports. */
static bool is_setting(const char *variable)
{
	static const char *const beginnings[] = {"UCX_", "UPC_NODE_SIZE=", "UPC_NETWORK_DEVICES="};
	for (size_t i = 0; i < sizeof beginnings / sizeof beginnings[0]; i++)
		if (strncmp(variable, beginnings[i], strlen(beginnings[i])) == 0)
			return true;
	return false;
}

static void write_settings(FILE *file)
{
	extern char **environ;
	bool any = false;
	for (char **variable = environ; *variable; variable++) {
		if (!is_setting(*variable))
			continue;
		fprintf(file, any ? " " : "settings ");
		for (const char *c = *variable; *c; c++)
			fputc((unsigned char)*c < ' ' ? '?' : *c, file);
		any = true;
	}
	if (any)
		fputc('\n', file);
}

static int complain_output(const char *path, int error)
{
	fprintf(stderr, "heddle: doctor: can't write %s: %s: choose another file with -o FILE\n", path,
		strerror(error));
	return HEDDLE_EXIT_OUTPUT;
}

/* Writes the complete file, from the program's results. */
static int write_file(const char *path, const char *results)
{
	FILE *from = fopen(results, "re"), *file = from ? fopen(path, "wxe") : NULL;
	char host[256] = "", date[32], line[256];
	time_t now = time(NULL);
	int error = errno;
	if (!file) {
		if (from)
			fclose(from);
		return complain_output(path, error);
	}
	gethostname(host, sizeof host - 1);
	strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", localtime(&now));
	fprintf(file, HEDDLE_NETWORK_FIRST_LINE "\nhost %s\ndate %s\n", host, date);
	write_settings(file);
	fputs("# microseconds of an operation: name, memory, threads at the same time, bytes\n", file);
	while (fgets(line, sizeof line, from))
		fputs(line, file);
	fclose(from);
	error = ferror(file);
	if (fclose(file) != 0 || error)
		return complain_output(path, EIO);
	return 0;
}

static int complain_alone(void)
{
	fputs("heddle: doctor: --network: needs 2 threads or more: mpirun -n 2 heddle doctor --network\n", stderr);
	return HEDDLE_EXIT_USAGE;
}

static int show(const struct network_run *run)
{
	char whole[PATH_MAX + 32], word[HEDDLE_SHELL_WORD_SIZE(PATH_MAX)];
	struct heddle_network network;
	int status;
	snprintf(whole, sizeof whole, "%s/whole-0", run->directory);
	status = write_file(whole, run->results);
	if (status == 0)
		status = heddle__network_read(&network, whole);
	unlink(whole);
	if (status)
		return status;
	if (heddle__network_value(&network, "threads") < 2) {
		heddle__network_free(&network);
		return complain_alone();
	}
	heddle__network_print(&network);
	status = run->options->output ? write_file(run->options->output, run->results) : 0;
	if (status == 0 && run->options->output)
		printf("\nWritten to %s; heddle advise --network %s uses it.\n", run->options->output,
			heddle__shell_word(word, sizeof word, run->options->output));
	heddle__network_free(&network);
	return status;
}

/* ---- the command ---- */

static int check_options(const struct network_run *run)
{
	const struct heddle_network_options *options = run->options;
	if (run->ranks.launched && run->ranks.count == 1)
		return complain_alone();
	if (options->threads && (options->launcher || run->ranks.launched)) {
		fputs("heddle: doctor: -n: the launcher determines the number of threads: leave it out\n", stderr);
		return HEDDLE_EXIT_USAGE;
	}
	if (options->threads == 1)
		return complain_alone();
	if (options->launcher && run->ranks.launched) {
		fputs("heddle: doctor: --launcher: this process is a rank of a launcher already: leave it out\n",
			stderr);
		return HEDDLE_EXIT_USAGE;
	}
	if (options->output && access(options->output, F_OK) == 0) /* the ranks have not met: each checks */
		return run->ranks.rank == 0 ? complain_output(options->output, EEXIST) : HEDDLE_EXIT_OUTPUT;
	return 0;
}

int heddle__network_measure(const struct heddle_network_options *options)
{
	struct network_run run = {.options = options};
	int status;
	if (!heddle__ranks_detect(&run.ranks))
		return HEDDLE_EXIT_USAGE;
	run.ranks.command = "doctor";
	status = check_options(&run);
	if (status)
		return status;
	status = meet(&run);
	if (status == 0)
		status = compile_once(&run);
	if (status == 0)
		status = run_program(&run);
	if (status == 0 && run.ranks.rank == 0)
		status = show(&run);
	clean(&run);
	heddle__ranks_free(&run.ranks);
	return status;
}
