/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle tune`: rewrites a upc_forall to access remote elements through a cache, and proves the result. */
#include "cli/tune/tune.h"

#include "cli/commands.h"
#include "cli/exit_status.h"
#include "cli/words.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tune_options {
	const char *loop, *variables, *policy, *output, *flags;
	unsigned chunk;
	bool diff, no_alias;
};

static const struct heddle_option options[] = {
	{"--loop", "FILE:LINE", "the upc_forall that begins in this line, or is around it; also FILE:LINE:COLUMN",
		HEDDLE_OPTION_TEXT, offsetof(struct tune_options, loop)},
	{"--variable", "LIST", "shared arrays or pointers-to-shared to access through caches: D,P", HEDDLE_OPTION_TEXT,
		offsetof(struct tune_options, variables)},
	{"--policy", "POLICY",
		"who wins if threads write the same element: arbitrary, priority, first; allows races in the loop",
		HEDDLE_OPTION_TEXT, offsetof(struct tune_options, policy)},
	{"--chunk", "N", "iterations of a tile, on all threads (default: 16384 for each thread)", HEDDLE_OPTION_COUNT,
		offsetof(struct tune_options, chunk)},
	{"--no-alias", NULL, "different variables of the loop are different memory", HEDDLE_OPTION_FLAG,
		offsetof(struct tune_options, no_alias)},
	{"-o", "FILE", "write the changed source there", HEDDLE_OPTION_TEXT, offsetof(struct tune_options, output)},
	{"--diff", NULL, "print what would change, and write nothing", HEDDLE_OPTION_FLAG,
		offsetof(struct tune_options, diff)},
	{"--cflags", "FLAGS", "options that the program is compiled with", HEDDLE_OPTION_TEXT,
		offsetof(struct tune_options, flags)},
	{0},
};

static int complain(const char *what, const char *name)
{
	fprintf(stderr, "heddle: tune: %s%s; see: heddle tune --help\n", what, name);
	return HEDDLE_EXIT_USAGE;
}

/* FILE:LINE or FILE:LINE:COLUMN; FILE may have been given with another path. */
static bool read_position(const char *text, const char *path, struct tune_request *request)
{
	const char *name = strrchr(path, '/');
	size_t length = strlen(name ? name + 1 : path);
	const char *at = strstr(text, name ? name + 1 : path);
	int used = 0;
	if (!at || at[length] != ':' || (at != text && at[-1] != '/'))
		return false;
	at += length + 1;
	if (sscanf(at, "%d%n", &request->line, &used) != 1 || request->line < 1)
		return false;
	at += used;
	if (*at == ':' && sscanf(at, ":%d%n", &request->column, &used) == 1)
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

/* Macros of the compiler's options. */
static void find_definitions(const struct heddle_words *flags, struct heddle_words *definitions)
{
	for (size_t i = 0; i < flags->count; i++) {
		const char *word = flags->at[i];
		if (strcmp(word, "-D") == 0 && i + 1 < flags->count)
			heddle__words_add(definitions, flags->at[++i]);
		else if (strncmp(word, "-D", 2) == 0)
			heddle__words_add(definitions, word + 2);
	}
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

static int refactor(const struct tune_options *chosen, const struct tune_request *request)
{
	struct tune_work work = {0};
	struct tune_result result = {0};
	int status = heddle__tune(&work, request, &result);
	if (status)
		fprintf(stderr, "heddle: tune: %s\n", work.message);
	else if (chosen->diff)
		fputs(result.unified, stdout);
	else
		status = save(chosen->output, &result);
	heddle__tune_free(&work);
	return status;
}

static int check_options(const struct tune_options *chosen, const char *const *rest, int count)
{
	if (count < 1 || count > 2)
		return complain("one source is needed: heddle tune [DIR] FILE.upc", "");
	if (!chosen->loop)
		return complain("which loop? --loop FILE:LINE", "");
	if (!chosen->variables)
		return complain("which variables? --variable LIST", "");
	if (!chosen->output && !chosen->diff)
		return complain("where to? -o FILE, or --diff", "");
	return strcmp(rest[count - 1], chosen->output ? chosen->output : "") == 0
		       ? complain("-o names the source itself: ", rest[count - 1])
		       : 0;
}

static int run(int argc, char **argv)
{
	struct tune_options chosen = {0};
	struct heddle_words variables = {0}, flags = {0}, definitions = {0};
	const char **rest = calloc((size_t)argc + 1, sizeof(*rest));
	int count = 0, status = rest ? heddle__options_parse(&heddle__command_tune, argc, argv, &chosen, rest, &count)
				     : HEDDLE_EXIT_FAILED;
	if (!status)
		status = check_options(&chosen, rest, count);
	if (!status) {
		struct tune_request request = {.path = rest[count - 1],
			.policy = chosen.policy,
			.chunk = chosen.chunk,
			.no_alias = chosen.no_alias,
			.output = chosen.output ? chosen.output : "tuned"};
		split_list(chosen.variables, &variables);
		if (chosen.flags && heddle__words_split(&flags, chosen.flags))
			status = complain("--cflags: a quote is not closed: ", chosen.flags);
		find_definitions(&flags, &definitions);
		request.variables = (const char *const *)variables.at;
		request.definitions = (const char *const *)definitions.at;
		if (!status && !read_position(chosen.loop, request.path, &request))
			status = complain("--loop is not FILE:LINE of the source: ", chosen.loop);
		if (!status && variables.failed)
			status = complain("--variable names no variable: ", chosen.variables);
		if (!status)
			status = refactor(&chosen, &request);
	}
	heddle__words_free(&variables);
	heddle__words_free(&flags);
	heddle__words_free(&definitions);
	free(rest);
	return status;
}

const struct heddle_command heddle__command_tune = {
	.name = "tune",
	.summary = "Rewrite a loop of a UPC program to access remote elements in batches",
	.arguments = "FILE.upc",
	.details = "Changes one upc_forall: elements of the named variables are brought through a cache, in tiles of\n"
		   "iterations. Comments and layout are kept. What cannot be changed safely is refused, with line and\n"
		   "reason, and nothing is written.\n",
	.exit_status = "0; 1 to 7 after an error: heddle(1) lists them; 9 if the loop cannot be changed safely",
	.options = options,
	.run = run,
};
