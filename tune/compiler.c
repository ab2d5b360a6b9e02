/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the compiler as a separate process: it may be missing, and its input may crash it. */
#include "tune/compiler.h"

#include "cli/base/exit_status.h"
#include "cli/base/locate.h"
#include "cli/base/words.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Starts the compiler with its output in a pipe, whose other end is *output. Returns 0 or an errno. */
static int start(const struct heddle_words *words, bool quiet, pid_t *compiler, int *output)
{
	int ends[2], error;
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t set;
	if (pipe2(ends, O_CLOEXEC) != 0)
		return errno;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD); /* if it were ignored, the compiler would lose the exit statuses of its commands */
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigdefault(&attributes, &set);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
	if (quiet)
		posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	error = posix_spawn(compiler, words->at[0], &actions, &attributes, (char **)words->at, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	close(ends[1]);
	if (error)
		close(ends[0]);
	*output = ends[0];
	return error;
}

static void read_all(int descriptor, struct tune_text *text)
{
	char part[65536];
	ssize_t got;
	while ((got = read(descriptor, part, sizeof part)) > 0 || (got < 0 && errno == EINTR))
		if (got > 0)
			heddle__tune_add_bytes(text, part, (size_t)got);
	close(descriptor);
}

static int exit_status_of(pid_t compiler)
{
	int status;
	pid_t ended;
	while ((ended = waitpid(compiler, &status, 0)) < 0 && errno == EINTR)
		;
	return ended == compiler && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The last query and its answer, because `heddle advise` reads a source for the advice and again for each command. */
static struct {
	char *question, *answer;
} last;

static void remember(const char *question, const char *answer)
{
	free(last.question);
	free(last.answer);
	last.answer = strdup(answer);
	last.question = last.answer ? strdup(question) : NULL;
}

/* The command and the state of the file, which identify a query. */
static const char *question_of(struct tune_work *work, const struct heddle_words *words, const char *path, bool quiet)
{
	struct stat state = {0};
	struct tune_text question = {.work = work};
	stat(path, &state); /* if the file does not exist, the compiler fails, and nothing is recorded */
	heddle__tune_add_format(&question, "%d %ju %jd %jd.%09ld", quiet, (uintmax_t)state.st_ino,
		(intmax_t)state.st_size, (intmax_t)state.st_mtim.tv_sec, state.st_mtim.tv_nsec);
	for (size_t i = 0; i < words->count; i++)
		heddle__tune_add_format(&question, "\n%s", words->at[i]);
	return question.at;
}

/* Adds the command's output to `text`, and frees the words. */
static void run(const char *compiler, struct heddle_words *words, bool quiet, const char *path, struct tune_text *text)
{
	pid_t process = 0;
	int output = -1, error = words->failed ? ENOMEM : start(words, quiet, &process, &output);
	heddle__words_free(words);
	if (error)
		heddle__tune_stop(
			text->work, HEDDLE_EXIT_FAILED, NULL, 0, "%s cannot be started: %s", compiler, strerror(error));
	heddle__tune_add(text, "");
	read_all(output, text); /* without memory the work ends here, and the compiler by a broken pipe */
	if (exit_status_of(process) != 0)
		heddle__tune_stop(text->work, HEDDLE_EXIT_REFUSED, path, 1,
			"the source does not compile: options that it needs are given with --cflags");
}

const char *heddle__tune_ask_compiler(struct tune_work *work, const char *path, const char *const *flags, bool quiet)
{
	char compiler[PATH_MAX], headers[PATH_MAX];
	struct heddle_words words = {0};
	struct tune_text text = {.work = work};
	if (heddle__locate_upc_driver(compiler) != 0)
		heddle__tune_stop(work, HEDDLE_EXIT_NOT_FOUND, NULL, 0,
			"the UPC compiler, which reads %s, is not part of this installation", path);
	const char *option = heddle__tune_format(work, "--source-tree=%s", path);
	heddle__words_add(&words, compiler);
	while (flags && *flags)
		heddle__words_add(&words, *flags++);
	if (heddle__locate_headers(headers) == 0)
		heddle__words_add_format(&words, "-I%s", headers); /* like heddle upcc */
	heddle__words_add(&words, option);
	const char *question = question_of(work, &words, path, quiet);
	if (last.question && strcmp(question, last.question) == 0) {
		heddle__words_free(&words);
		return heddle__tune_copy(work, last.answer, strlen(last.answer));
	}
	run(compiler, &words, quiet, path, &text);
	remember(question, text.at);
	return text.at;
}
