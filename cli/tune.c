/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle tune`: rewrites a upc_forall to access remote elements through a cache, and proves the result. */
#include "tune/tune.h"

#include "cli/base/commands.h"
#include "cli/base/exit_status.h"
#include "cli/base/words.h"
#include "tune/check.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tune_options {
	struct heddle_words loops;
	const char *variables, *policy, *network, *output, *flags, *threads, *compare, *launcher;
	unsigned chunk, runs;
	bool diff, no_alias, check;
};

static const struct heddle_option options[] = {
	{"--loop", "FILE:LINE", "the upc_forall at or around this line; also FILE:LINE:COLUMN; may be repeated",
		HEDDLE_OPTION_LIST, offsetof(struct tune_options, loops)},
	{"--variable", "LIST", "shared arrays or pointers-to-shared to access through caches: D,P", HEDDLE_OPTION_TEXT,
		offsetof(struct tune_options, variables)},
	{"--policy", "POLICY",
		"which of several writes to an element wins: arbitrary, priority, first; allows races in the loop",
		HEDDLE_OPTION_TEXT, offsetof(struct tune_options, policy)},
	{"--chunk", "N", "iterations of a tile, on all threads (default: 16384 for each thread)", HEDDLE_OPTION_COUNT,
		offsetof(struct tune_options, chunk)},
	{"--network", "FILE",
		"costs of accesses, written by heddle doctor --network (default: the newest *.network here)",
		HEDDLE_OPTION_TEXT, offsetof(struct tune_options, network)},
	{"--no-alias", NULL, "assume that different variables of the loop do not alias", HEDDLE_OPTION_FLAG,
		offsetof(struct tune_options, no_alias)},
	{"-o", "FILE", "write the changed source to this file", HEDDLE_OPTION_TEXT,
		offsetof(struct tune_options, output)},
	{"--diff", NULL, "print what would change, and write nothing", HEDDLE_OPTION_FLAG,
		offsetof(struct tune_options, diff)},
	{"--check", NULL, "build and run both programs with ARGS, compare what they do, and time them",
		HEDDLE_OPTION_FLAG, offsetof(struct tune_options, check)},
	{"-n", "LIST", "for --check: numbers of UPC threads (default: 1,2,3,4,7)", HEDDLE_OPTION_TEXT,
		offsetof(struct tune_options, threads)},
	{"--launcher", "COMMAND", "for --check: launcher instead of -n, e.g. \"mpirun -n 4\"", HEDDLE_OPTION_TEXT,
		offsetof(struct tune_options, launcher)},
	{"--compare", "COMMAND",
		"for --check: command that compares two outputs, its last arguments; status 0 if they agree",
		HEDDLE_OPTION_TEXT, offsetof(struct tune_options, compare)},
	{"--runs", "N", "for --check: timed runs of each program (default: 5)", HEDDLE_OPTION_COUNT,
		offsetof(struct tune_options, runs)},
	{"--cflags", "FLAGS", "options and other files that the program is compiled with", HEDDLE_OPTION_TEXT,
		offsetof(struct tune_options, flags)},
	{0},
};

static int complain(const char *what, const char *name)
{
	fprintf(stderr, "heddle: tune: %s%s; see: heddle tune --help\n", what, name);
	return HEDDLE_EXIT_USAGE;
}

/* Reads FILE:LINE or FILE:LINE:COLUMN; FILE may have another path. */
static bool read_position(const char *text, const char *path, struct tune_position *position)
{
	const char *name = strrchr(path, '/');
	size_t length = strlen(name ? name + 1 : path);
	const char *at = strstr(text, name ? name + 1 : path);
	int used = 0;
	if (!at || at[length] != ':' || (at != text && at[-1] != '/'))
		return false;
	at += length + 1;
	if (sscanf(at, "%d%n", &position->line, &used) != 1 || position->line < 1)
		return false;
	at += used;
	if (*at == ':' && sscanf(at, ":%d%n", &position->column, &used) == 1)
		at += used;
	return *at == '\0';
}

static void split_list(const char *list, struct heddle_words *words)
{
	char *copy = strdup(list), *rest = copy;
	for (char *name; (name = strsep(&rest, ",")) != NULL;)
		if (*name)
			heddle__words_add(words, name);
	free(copy);
	if (!words->at)
		words->failed = true;
}

static int save(const char *path, const struct tune_result *result)
{
	int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	FILE *stream = file < 0 ? NULL : fdopen(file, "w");
	bool good = stream && fwrite(result->text, 1, result->length, stream) == result->length;
	int error = errno;
	if (stream && fclose(stream) != 0) {
		error = errno;
		good = false;
	}
	if (good)
		return 0;
	if (file >= 0)
		unlink(path);
	fprintf(stderr, "heddle: tune: %s cannot be written: %s\n", path,
		error == EEXIST ? "it exists, and is not overwritten; name another one with -o" : strerror(error));
	return HEDDLE_EXIT_OUTPUT;
}

/* Splits a text into words, as a shell does. Returns false after a line. */
static bool split_words(const char *option, const char *text, struct heddle_words *words)
{
	if (!text || heddle__words_split(words, text) == 0)
		return true;
	complain(option, text);
	return false;
}

/* The values of options, split into words. */
struct parts {
	struct heddle_words variables, flags, launcher, arguments;
	struct heddle_words command; /* the command as typed, quoted for a shell */
};

static void free_parts(struct parts *parts)
{
	heddle__words_free(&parts->variables);
	heddle__words_free(&parts->flags);
	heddle__words_free(&parts->launcher);
	heddle__words_free(&parts->arguments);
	heddle__words_free(&parts->command);
}

/* Checks the changed program from its file; without -o, from a file in a temporary folder. */
static int check(const struct tune_options *chosen, const struct tune_request *request,
	const struct tune_result *result, const struct parts *parts)
{
	const char *base = getenv("TMPDIR");
	char folder[PATH_MAX], temporary[sizeof(folder) + 16] = "";
	struct tune_check check = {.original = request->path,
		.changed = chosen->output,
		.flags = &parts->flags,
		.launcher = &parts->launcher,
		.arguments = &parts->arguments,
		.threads = chosen->threads ? chosen->threads : "1,2,3,4,7",
		.compare = chosen->compare,
		.races = result->races,
		.runs = chosen->runs ? chosen->runs : 5};
	int status = 0;
	if (!chosen->output) {
		snprintf(folder, sizeof(folder), "%.4000s/heddle-tune-XXXXXX", base && *base ? base : "/tmp");
		if (!mkdtemp(folder)) {
			fprintf(stderr, "heddle: tune: %s cannot be made: %s\n", folder, strerror(errno));
			return HEDDLE_EXIT_FAILED;
		}
		snprintf(temporary, sizeof(temporary), "%s/tuned.upc", folder);
		check.changed = temporary;
		status = save(temporary, result);
	}
	if (!status)
		status = heddle__tune_check(&check);
	if (!chosen->output) {
		unlink(temporary);
		rmdir(folder);
	}
	return status;
}

/* Prints each line of a text. */
static void print_lines(const char *text)
{
	while (text && *text) {
		size_t length = strcspn(text, "\n");
		fprintf(stderr, "heddle: tune: %.*s\n", (int)length, text);
		text += length + (text[length] == '\n');
	}
}

static void say_written(const char *output)
{
	struct heddle_words words = {0};
	heddle__words_add_quoted(&words, output);
	if (words.at && !words.failed)
		fprintf(stderr, "heddle: tune: wrote %s; compile it as the original, e.g. heddle upcc -O2 %s\n", output,
			words.at[0]);
	heddle__words_free(&words);
}

/* If --policy would allow loops that were refused: prints what the option asserts, and the command. */
static void suggest_policy(struct tune_work *work, struct tune_request *request, const struct tune_result *without,
	bool wrote, const struct parts *parts)
{
	struct tune_result with = {0};
	request->policy = "arbitrary";
	request->quiet = true;
	int status = heddle__tune(work, request, &with);
	if (status || strcmp(with.chosen, without->chosen ? without->chosen : "") == 0 || parts->command.failed)
		return;
	fprintf(stderr,
		"heddle: tune: more can be changed if iterations may see each other's writes later\n"
		"heddle: tune: then%s: heddle tune --policy arbitrary",
		without->chosen && wrote ? ", without the file that was written" : "");
	for (size_t i = 0; i < parts->command.count; i++)
		fprintf(stderr, " %s", parts->command.at[i]);
	fputc('\n', stderr);
}

/* `directory`: that of a measurement, or NULL. */
static int refactor(const struct tune_options *chosen, struct tune_request *request, const char *directory,
	const struct parts *parts)
{
	struct tune_work work = {0};
	struct tune_result result = {0};
	struct tune_measurement measurement = {0};
	int status = directory ? heddle__tune_read_measurement(
					 &work, directory, request->path, chosen->network, request->flags, &measurement)
			       : 0;
	if (status) {
		heddle__tune_free(&work);
		return status;
	}
	request->measurement = &measurement;
	status = heddle__tune(&work, request, &result);
	if (!status && (chosen->loops.count != 1 || !chosen->variables))
		print_lines(result.chosen);
	if (!status)
		print_lines(result.predicted);
	bool refused = result.refused || status == HEDDLE_EXIT_REFUSED;
	print_lines(status && !result.refused ? work.message : result.refused);
	if (!status && chosen->diff)
		fputs(result.unified, stdout);
	if (!status && chosen->output && !chosen->diff)
		status = save(chosen->output, &result);
	if (!status && chosen->output && !chosen->diff)
		say_written(chosen->output);
	if (!status && chosen->check)
		status = check(chosen, request, &result, parts);
	if (directory && !chosen->policy && refused)
		suggest_policy(&work, request, &result, chosen->output, parts);
	request->measurement = NULL;
	heddle__tune_free(&work);
	return status;
}

static int check_options(const struct tune_options *chosen, const char *const *rest, int count)
{
	if (count < 1 || count > 2)
		return complain("one source is needed: heddle tune [DIR] FILE.upc", "");
	if (count == 1 && !chosen->loops.count)
		return complain("which loop? --loop FILE:LINE, or a measurement: heddle tune DIR FILE.upc", "");
	if (count == 1 && !chosen->variables)
		return complain("which variables? --variable LIST, or a measurement: heddle tune DIR FILE.upc", "");
	if (!chosen->output && !chosen->diff && !chosen->check)
		return complain("where to? -o FILE, --diff or --check", "");
	if (count == 1 && chosen->network)
		return complain("--network needs a measurement: heddle tune DIR FILE.upc", "");
	if (chosen->diff && chosen->output)
		return complain("--diff writes nothing: without -o", "");
	if (!chosen->check && (chosen->threads || chosen->compare || chosen->launcher || chosen->runs))
		return complain("-n, --launcher, --compare and --runs apply to --check only", "");
	if (chosen->runs == 1)
		return complain("--runs: a confidence interval needs 2 runs or more", "");
	return strcmp(rest[count - 1], chosen->output ? chosen->output : "") == 0
		       ? complain("-o names the source itself: ", rest[count - 1])
		       : 0;
}

/* True for numbers of threads, separated by commas. */
static bool is_list_of_numbers(const char *list)
{
	return !list || (strspn(list, "0123456789,") == strlen(list) && strpbrk(list, "123456789"));
}

static int tune(const struct tune_options *chosen, const char *directory, const char *path, struct parts *parts)
{
	struct tune_request request = {.path = path,
		.policy = chosen->policy,
		.chunk = chosen->chunk,
		.no_alias = chosen->no_alias,
		.output = chosen->output ? chosen->output : "tuned"};
	if (chosen->variables)
		split_list(chosen->variables, &parts->variables);
	if (parts->variables.failed)
		return complain("--variable names no variable: ", chosen->variables);
	if (!split_words("--cflags: a quote is not closed: ", chosen->flags, &parts->flags) ||
		!split_words("--launcher: a quote is not closed: ", chosen->launcher, &parts->launcher))
		return HEDDLE_EXIT_USAGE;
	if (!is_list_of_numbers(chosen->threads))
		return complain("-n is not a list of numbers: ", chosen->threads);
	request.variables = (const char *const *)parts->variables.at;
	request.flags = (const char *const *)parts->flags.at;
	struct tune_position *loops = calloc(chosen->loops.count + 1, sizeof(*loops));
	int status = !loops || chosen->loops.failed ? HEDDLE_EXIT_FAILED : 0;
	for (size_t i = 0; i < chosen->loops.count && !status; i++)
		if (!read_position(chosen->loops.at[i], path, &loops[i]))
			status = complain("--loop is not FILE:LINE of the source: ", chosen->loops.at[i]);
	request.loops = loops;
	if (!status)
		status = refactor(chosen, &request, directory, parts);
	request.loops = NULL;
	free(loops);
	return status;
}

static int run(int argc, char **argv)
{
	struct tune_options chosen = {0};
	struct parts parts = {0};
	const char **rest = calloc((size_t)argc + 1, sizeof(*rest));
	int count = 0, end = 1;
	while (end < argc && strcmp(argv[end], "--") != 0)
		end++;
	for (int i = 1; i < argc; i++)
		heddle__words_add_quoted(&parts.command, argv[i]);
	for (int i = end + 1; i < argc; i++)
		heddle__words_add(&parts.arguments, argv[i]);
	int status = rest ? heddle__options_parse(&heddle__command_tune, end, argv, &chosen, rest, &count)
			  : HEDDLE_EXIT_FAILED;
	if (!status)
		status = check_options(&chosen, rest, count);
	if (!status)
		status = tune(&chosen, count == 2 ? rest[0] : NULL, rest[count - 1], &parts);
	free_parts(&parts);
	heddle__words_free(&chosen.loops);
	free(rest);
	return status;
}

const struct heddle_command heddle__command_tune = {
	.name = "tune",
	.summary = "Rewrite a loop of a UPC program to access remote elements in batches",
	.arguments = "[DIR] FILE.upc [-- ARGS]",
	.details =
		"Changes upc_forall loops: elements of the named variables are brought through a cache, in tiles of\n"
		"iterations. Comments and layout are kept. What cannot be changed safely is refused, with line and\n"
		"reason, and stays as it is. DIR, a measurement of accesses, shows which loops and variables cost\n"
		"time; --loop and --variable say otherwise.\n",
	.exit_status =
		"0; 1 to 7 after an error: heddle(1) lists them; 9 if no loop can be changed safely, or --check\n"
		"finds a difference",
	.options = options,
	.run = run,
};
