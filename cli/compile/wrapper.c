/* SPDX-License-Identifier: BSD-3-Clause */
/* Words are passed to the compiler unchanged; no shell is involved. */
#include "cli/compile/wrapper.h"

#include "cli/base/exit_status.h"
#include "cli/base/parent_state.h"
#include "cli/base/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Compilers' options that take the next word as argument: that word is neither Heddle's nor an input file. */
static const char *const with_argument[] = {"-o", "-x", "-D", "-U", "-I", "-L", "-l", "-T", "-u", "-z", "-A", "-B",
	"-G", "-e", "-h", "-MF", "-MT", "-MQ", "-MJ", "-include", "-imacros", "-isystem", "-iquote", "-idirafter",
	"-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot", "--sysroot", "-Xlinker", "-Xassembler",
	"-Xpreprocessor", "-Xclang", "-mllvm", "-aux-info", "--param", "-arch", "-target", "-wrapper", "-dumpbase",
	"-dumpdir", NULL};

/* Options with which no program is linked. */
static const char *const no_link[] = {"-c", "-E", "-S", "-M", "-MM", "-fsyntax-only", "-trans", "--trans", NULL};

static bool is_one_of(const char *const *words, const char *word)
{
	for (; *words; words++)
		if (strcmp(*words, word) == 0)
			return true;
	return false;
}

bool heddle__wrapper_wants_help(int argc, char **argv)
{
	return argc == 2 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
}

/* Selects the events of a flag. GASP 1.3's --profile (section 3.1.1) selects all events, including functions. */
static void take_flag(struct heddle_wrapper *wrapper, const char *word)
{
	bool profile = strcmp(word, "--profile") == 0 || strcmp(word, "--profile-local") == 0;
	if (strcmp(word, "--noinst") == 0) {
		wrapper->inst = wrapper->local = wrapper->functions = false;
		wrapper->only = NULL;
		return;
	}
	wrapper->inst = true;
	wrapper->local |= strcmp(word, "--inst-local") == 0 || strcmp(word, "--profile-local") == 0;
	wrapper->functions |= profile || strcmp(word, "--inst-functions") == 0;
}

/* Reads one argument, with its value; moves *at to its last word. Returns 0 or an exit status. */
static int take_argument(struct heddle_wrapper *wrapper, int argc, char **argv, int *at)
{
	const char *word = argv[*at], *only = wrapper->only;
	int status;
	wrapper->flag = NULL;
	status = heddle__option_take(wrapper->command, argc, argv, at, wrapper);
	if (wrapper->flag)
		take_flag(wrapper, word);
	else if (wrapper->only != only)
		wrapper->inst = true;
	if (status >= 0)
		return status;
	heddle__words_add(&wrapper->rest, word);
	if (is_one_of(with_argument, word) && *at + 1 < argc)
		heddle__words_add(&wrapper->rest, argv[++*at]);
	return 0;
}

static void judge_link(struct heddle_wrapper *wrapper)
{
	bool input = false, stops = false;
	for (size_t i = 0; i < wrapper->rest.count; i++) {
		const char *word = wrapper->rest.at[i];

		stops |= is_one_of(no_link, word);
		input |= word[0] != '-' || word[1] == '\0';
		i += is_one_of(with_argument, word);
	}
	wrapper->links = input && !stops;
}

/* Returns false if the file of --inst-only cannot be read. */
static bool read_events(struct heddle_wrapper *wrapper)
{
	int error = wrapper->only ? heddle__event_list_read(wrapper->name, wrapper->only, &wrapper->events) : 0;
	if (error != 0)
		fprintf(stderr, "heddle: %s: --inst-only: cannot read '%s': %s\n", wrapper->name, wrapper->only,
			strerror(-error));
	if (wrapper->only)
		wrapper->functions = wrapper->events.functions;
	return error == 0;
}

static int find_default(struct heddle_wrapper *wrapper)
{
	struct heddle_program program;
	for (const char *const *name = wrapper->defaults; *name; name++) {
		if (heddle__program_find(*name, &program) == 0) {
			heddle__words_add(&wrapper->compiler, *name);
			return 0;
		}
	}
	fprintf(stderr, "heddle: %s: no compiler found (", wrapper->name);
	for (const char *const *name = wrapper->defaults; *name; name++)
		fprintf(stderr, "%s%s", name == wrapper->defaults ? "" : ", ", *name);
	fprintf(stderr, "): install one, or name one with %s=PATH or %s\n", wrapper->with, wrapper->variable);
	return HEDDLE_EXIT_NO_PROGRAM;
}

/* True if the compiler is this command, which would call itself endlessly. */
static bool is_this_command(const char *path)
{
	struct stat self, other;
	return stat("/proc/self/exe", &self) == 0 && stat(path, &other) == 0 && self.st_dev == other.st_dev &&
	       self.st_ino == other.st_ino;
}

/* Makes the first word a path for exec. Returns 0 or an exit status. */
static int find_compiler(struct heddle_wrapper *wrapper)
{
	const char *name = wrapper->compiler.at[0];
	struct heddle_program program;
	int error = heddle__program_find(name, &program);
	if (error == 0 && !is_this_command(program.path))
		return 0;
	fprintf(stderr, "heddle: %s: the compiler '%s' %s; name one with %s=PATH or %s\n", wrapper->name, name,
		error == 0         ? "is this command itself"
		: error == -ENOENT ? "was not found"
				   : "can't be executed",
		wrapper->with, wrapper->variable);
	return error == 0 ? HEDDLE_EXIT_USAGE : error == -ENOENT ? HEDDLE_EXIT_NO_PROGRAM : HEDDLE_EXIT_NOT_EXECUTABLE;
}

static int choose_compiler(struct heddle_wrapper *wrapper)
{
	const char *text = getenv(wrapper->variable);
	if (wrapper->compiler_path) {
		heddle__words_add(&wrapper->compiler, wrapper->compiler_path);
	} else if (text && heddle__words_split(&wrapper->compiler, text) != 0) {
		fprintf(stderr, "heddle: %s: %s=%s: a quote is not closed\n", wrapper->name, wrapper->variable, text);
		return HEDDLE_EXIT_USAGE;
	}
	if (wrapper->compiler.count == 0)
		return find_default(wrapper);
	return find_compiler(wrapper);
}

int heddle__wrapper_prepare(struct heddle_wrapper *wrapper, int argc, char **argv)
{
	int status = 0;
	for (int at = 1; at < argc && status == 0; at++)
		status = take_argument(wrapper, argc, argv, &at);
	if (status != 0)
		return status;
	judge_link(wrapper);
	return read_events(wrapper) ? choose_compiler(wrapper) : HEDDLE_EXIT_USAGE;
}

static pid_t start_asking(const struct heddle_words *words, int output)
{
	posix_spawn_file_actions_t actions;
	pid_t pid;
	int error;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
	error = posix_spawnp(&pid, words->at[0], &actions, NULL, words->at, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error == 0 ? pid : -1;
}

/* Reads to the end, since a closed pipe would kill the compiler. */
static void read_all(int descriptor, char *text, size_t size)
{
	size_t length = 0;
	ssize_t got = 1;
	char rest[512];
	while (got > 0) {
		bool full = length + 1 >= size;

		got = read(descriptor, full ? rest : text + length, full ? sizeof(rest) : size - 1 - length);
		length += got > 0 && !full ? (size_t)got : 0;
	}
	if (size > 0)
		text[length] = '\0';
}

int heddle__wrapper_ask(const struct heddle_wrapper *wrapper, const char *const *options, char *text, size_t size)
{
	struct heddle_words words = {0};
	int ends[2], status = -1;
	pid_t pid;
	if (!text)
		size = 0;
	if (size > 0)
		text[0] = '\0';
	if (pipe2(ends, O_CLOEXEC) != 0)
		return -1;
	heddle__words_add_all(&words, &wrapper->compiler);
	for (; *options; options++)
		heddle__words_add(&words, *options);
	pid = words.failed ? -1 : start_asking(&words, ends[1]);
	close(ends[1]);
	if (pid > 0) {
		read_all(ends[0], text, size);
		waitpid(pid, &status, 0);
	}
	close(ends[0]);
	heddle__words_free(&words);
	return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int heddle__wrapper_become(
	struct heddle_wrapper *wrapper, const struct heddle_words *before, const struct heddle_words *after)
{
	struct heddle_words words = {0};
	int error;
	heddle__words_add_all(&words, &wrapper->compiler);
	heddle__words_add_all(&words, before);
	heddle__words_add_all(&words, &wrapper->rest);
	heddle__words_add_all(&words, after);
	if (words.failed) {
		fprintf(stderr, "heddle: %s: no memory\n", wrapper->name);
		heddle__words_free(&words);
		return HEDDLE_EXIT_FAILED;
	}
	heddle__parent_state_restore();
	execvp(words.at[0], words.at);
	error = errno;
	fprintf(stderr, "heddle: %s: cannot execute '%s': %s\n", wrapper->name, words.at[0], strerror(error));
	heddle__words_free(&words);
	return error == ENOENT ? HEDDLE_EXIT_NO_PROGRAM : HEDDLE_EXIT_NOT_EXECUTABLE;
}

void heddle__wrapper_free(struct heddle_wrapper *wrapper)
{
	heddle__words_free(&wrapper->rest);
	heddle__words_free(&wrapper->compiler);
}
