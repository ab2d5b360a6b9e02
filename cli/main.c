/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle`: finds the command and runs it; `heddle help` and `heddle --version`. */
#include "cli/base/commands.h"
#include "cli/base/exit_status.h"
#include "cli/base/output_filter.h"
#include "cli/base/pager.h"
#include "cli/base/parent_state.h"
#include "cli/base/suggest.h"
#include "cli/base/wrap.h"
#include "cli/completions.h"
#include "export/formats.h"
#include "profile/view/view.h"

#include <locale.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct heddle_command *const commands[] = {
#define X(name) &heddle__command_##name,
	HEDDLE_COMMANDS(X)
#undef X
};
#define COMMAND_COUNT (sizeof(commands) / sizeof(*commands))

static const struct heddle_command *find_command(const char *name)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

/* A pager that was left before it read everything is not an error. */
static int finish_output(void)
{
	if (heddle__pager_end())
		return HEDDLE_EXIT_OK;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return HEDDLE_EXIT_OK;
	fputs("heddle: can't write to standard output: check its disk or pipe\n", stderr);
	return HEDDLE_EXIT_OUTPUT;
}

/* ---- help ---- */

#define HELP_COLUMN 23 /* column of the text about an option or a metric */

/* Prints paragraphs: a single newline in the text counts as a blank. */
static void print_text(FILE *out, const char *text)
{
	struct heddle_wrap how = {.out = out, .width = heddle__help_width()};
	char *joined = strdup(text);
	for (char *at = joined; at && *at; at++) {
		if (*at == '\n' && at[1] != '\n' && at[1] != '\0' && at != joined && at[-1] != '\n')
			*at = ' ';
	}
	heddle__print_wrapped(&how, joined ? joined : text);
	free(joined);
}

/* Prints a name, and in a second column a text about it. */
static void print_entry(FILE *out, const char *name, size_t column, const char *text)
{
	struct heddle_wrap how = {.out = out, .width = heddle__help_width(), .at = column, .indent = column};
	size_t used = heddle__columns(name) + 3;
	fprintf(out, "  %s", name);
	fprintf(out, used > column ? "\n%*s" : "%*s", (int)(used > column ? column : column + 1 - used), "");
	heddle__print_wrapped(&how, text);
	fputc('\n', out);
}

static void print_overview(FILE *out)
{
	print_text(out, "Usage: heddle COMMAND [OPTION]... [ARGUMENT]...\n\n"
			"Heddle measures where parallel programs spend their time, by user-level call path.\n\n"
			"Commands:\n");
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		print_entry(out, commands[i]->name, 11, commands[i]->summary);
	print_entry(out, "help", 11, "Say more about a command: heddle help report");
	fputs("\nOptions:\n", out);
	print_entry(out, "-h, --help", 14, "Print this text");
	print_entry(out, "--version", 14, "Print the version");
}

void heddle__print_metrics(void)
{
	puts("Metrics:");
#define X(number, name, text, unit, kind, origin, meaning) print_entry(stdout, text, HELP_COLUMN, meaning);
	HEDDLE_METRICS(X)
#undef X
}

static void print_formats(void)
{
	puts("\nFormats:");
	for (size_t i = 0; export_formats[i]; i++)
		print_entry(stdout, export_formats[i]->name, HELP_COLUMN, export_formats[i]->summary);
}

/* Prints an option. Its default follows, unless the help text has it. */
static void print_option(const struct heddle_option *option, const struct heddle_option_variable *variable)
{
	char left[64], text[160];
	bool says = variable && *variable->initial && option->argument && !strstr(option->help, "default:");
	snprintf(left, sizeof(left), "%s%s%s", option->name, option->argument ? " " : "",
		option->argument ? option->argument : "");
	snprintf(text, sizeof(text), "%s%s%s%s", option->help, says ? " (default: " : "", says ? variable->initial : "",
		says ? ")" : "");
	print_entry(stdout, left, HELP_COLUMN, text);
}

static void print_options(const struct heddle_command *command)
{
	const struct heddle_option_variable *variable = command->variables;
	puts("\nOptions:");
	for (const struct heddle_option *option = command->options; option && option->help; option++) {
		if (option->name)
			print_option(option, variable);
		if (variable && !(++variable)->name)
			variable = NULL;
	}
	print_entry(stdout, "-h, --help", HELP_COLUMN, "print this text");
}

void heddle__print_help(const struct heddle_command *command)
{
	char *text;
	if (asprintf(&text, "Usage: heddle %s [OPTION]...%s%s\n\n%s.\n%s%s", command->name,
		    *command->arguments ? " " : "", command->arguments, command->summary, command->details ? "\n" : "",
		    command->details ? command->details : "") < 0)
		return;
	print_text(stdout, text);
	free(text);
	print_options(command);
	if (command->lists_formats)
		print_formats();
	if (asprintf(&text, "\nExit status: %s.\n",
		    command->exit_status ? command->exit_status : "0, or 1 to 7 after an error: heddle(1) lists them") <
		0)
		return;
	print_text(stdout, text);
	free(text);
	printf("Man page: heddle-%s(1).\n", command->name);
}

/* ---- commands ---- */

static int unknown(const char *name)
{
	char hint[HEDDLE_SUGGEST_LENGTH + 32];
	struct heddle_suggestion near = heddle__suggest(name, strlen(name));
	static const char *const others[] = {"help", "--help", "--version"};
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		heddle__suggest_try(&near, commands[i]->name);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		heddle__suggest_try(&near, others[i]);
	fprintf(stderr, "heddle: unknown %s '%s'%s see: heddle help\n", *name == '-' ? "option" : "command", name,
		heddle__suggest_text(&near, hint, sizeof(hint)));
	return HEDDLE_EXIT_USAGE;
}

static int dispatch(int argc, char **argv)
{
	const struct heddle_command *command = find_command(argv[0]);
	if (!command)
		return unknown(argv[0]);
	int status = command->run(argc, argv);
	int written = finish_output();
	return status > 0 ? status : written;
}

static bool asks_for_help(const char *word)
{
	return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

static int help(int argc, char **argv)
{
	if (argc < 2 || asks_for_help(argv[1])) {
		print_overview(stdout);
		return finish_output();
	}
	if (argc > 2) {
		fprintf(stderr, "heddle: help: unexpected argument '%s'; see: heddle help\n", argv[2]);
		return HEDDLE_EXIT_USAGE;
	}
	return dispatch(2, (char *[]){argv[1], (char[]){"--help"}, NULL});
}

int main(int argc, char **argv)
{
	heddle__parent_state_replace();
	setlocale(LC_CTYPE, "");
	heddle__output_filter_begin();
	if (argc < 2) {
		print_overview(stderr);
		return HEDDLE_EXIT_USAGE;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("heddle " HEDDLE_VERSION);
		return finish_output();
	}
	if (asks_for_help(argv[1]))
		return help(argc - 1, argv + 1);
	if (strcmp(argv[1], "--completions") == 0 && argc == 3 &&
		heddle__completions_print(argv[2], commands, COMMAND_COUNT) == 0)
		return finish_output();
	return dispatch(argc - 1, argv + 1);
}
