/* SPDX-License-Identifier: BSD-3-Clause */
/* `heddle`: finds the command and runs it; `heddle help` and `heddle --version`. */
#include "cli/commands.h"
#include "cli/exit_status.h"
#include "profile/view.h"

#include <locale.h>
#include <stdio.h>
#include <string.h>

static const struct heddle_command *const commands[] = {
#define X(name) &heddle__command_##name,
	HEDDLE_COMMANDS(X)
#undef X
};
#define COMMAND_COUNT (sizeof(commands) / sizeof(*commands))

static const struct heddle_command *find(const char *name)
{
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	return NULL;
}

static int finish_output(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return HEDDLE_EXIT_OK;
	fputs("heddle: can't write to standard output: check its disk or pipe\n", stderr);
	return HEDDLE_EXIT_OUTPUT;
}

static void print_overview(FILE *out)
{
	fputs("usage: heddle COMMAND [options] ...\n\n"
	      "Heddle measures where parallel programs spend their time, as call paths of your own code.\n\n",
		out);
	for (size_t i = 0; i < COMMAND_COUNT; i++)
		fprintf(out, "  %-8s %s\n", commands[i]->name, commands[i]->summary);
	fputs("  help     say more about a command: `heddle help report`\n\n"
	      "`heddle --version` prints the version.\n",
		out);
}

static void print_metrics(void)
{
	puts("\nmetrics:");
	for (int m = 0; m < HEDDLE_METRIC_COUNT; m++)
		printf("  %-20s %s\n", heddle_metric_name(m), heddle_metric_meaning(m));
}

int heddle__print_help(const struct heddle_command *command)
{
	printf("usage: heddle %s %s%s\n\n%s.\n", command->name, command->options ? "[options] " : "",
		command->arguments, command->summary);
	if (command->details)
		printf("\n%s", command->details);
	if (command->options)
		puts("\noptions:");
	for (const struct heddle_option *option = command->options; option && option->name; option++) {
		char left[64];
		snprintf(left, sizeof(left), "%s%s%s", option->name, option->argument ? " " : "",
			option->argument ? option->argument : "");
		printf("  %-20s %s\n", left, option->help);
	}
	if (command->lists_metrics)
		print_metrics();
	return finish_output();
}

static int unknown(const char *name)
{
	fprintf(stderr, "heddle: command=%s is unknown: `heddle help` lists the commands\n", name);
	return HEDDLE_EXIT_USAGE;
}

static int help(int argc, char **argv)
{
	if (argc < 2) {
		print_overview(stdout);
		return finish_output();
	}
	const struct heddle_command *command = find(argv[1]);
	if (!command)
		return unknown(argv[1]);
	if (command->own_help)
		return command->run(2, (char *[]){argv[1], (char[]){"--help"}, NULL});
	return heddle__print_help(command);
}

static int wants_help(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
			return 1;
	return 0;
}

static int dispatch(int argc, char **argv)
{
	const struct heddle_command *command = find(argv[0]);
	if (!command)
		return unknown(argv[0]);
	if (!command->own_help && wants_help(argc, argv))
		return heddle__print_help(command);
	int status = command->run(argc, argv);
	int written = finish_output();
	return status ? status : written;
}

int main(int argc, char **argv)
{
	setlocale(LC_CTYPE, "");
	if (argc < 2) {
		print_overview(stderr);
		return HEDDLE_EXIT_USAGE;
	}
	if (strcmp(argv[1], "--version") == 0) {
		puts("heddle " HEDDLE_VERSION);
		return finish_output();
	}
	if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return help(argc - 1, argv + 1);
	return dispatch(argc - 1, argv + 1);
}
