/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands that the driver runs, and files between them. */
#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "upc/driver/driver.h"
#include "upc/translate/tokens.h"

extern char **environ;

void upc__argument(struct arguments *arguments, const char *argument)
{
	const char **list = realloc(arguments->list, (size_t)(arguments->count + 2) * sizeof *list);
	if (list == NULL)
		exit(1);
	arguments->list = list;
	list[arguments->count++] = argument;
	list[arguments->count] = NULL;
}

void upc__arguments(struct arguments *arguments, const struct arguments *more)
{
	for (int i = 0; i < more->count; i++)
		upc__argument(arguments, more->list[i]);
}

static char *read_stream(FILE *file)
{
	char *text = NULL, part[65536];
	size_t size, length;
	FILE *all = open_memstream(&text, &size);
	if (all == NULL)
		exit(1);
	while ((length = fread(part, 1, sizeof part, file)) > 0)
		fwrite(part, 1, length, all);
	fclose(all);
	return text;
}

char *upc__read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	if (file == NULL)
		return NULL;
	char *text = read_stream(file);
	fclose(file);
	return text;
}

char *upc__work_file(const struct driver *driver, int number, const char *suffix)
{
	return upc__format("%s/%d%s", driver->work, number, suffix);
}

static void show(const struct arguments *command)
{
	for (int i = 0; i < command->count; i++)
		fprintf(stderr, "%s%s", i > 0 ? " " : "", command->list[i]);
	fputc('\n', stderr);
}

int upc__run(const struct driver *driver, struct arguments *command, char **errors)
{
	if (driver->verbose)
		show(command);
	FILE *file = errors ? tmpfile() : NULL;
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	if (file != NULL)
		posix_spawn_file_actions_adddup2(&actions, fileno(file), STDERR_FILENO);
	pid_t child;
	int status = -1;
	int failure = posix_spawnp(&child, command->list[0], &actions, NULL, (char **)command->list, environ);
	posix_spawn_file_actions_destroy(&actions);
	if (failure != 0)
		fprintf(stderr, "heddle-upcc1: cannot run %s: %s\n", command->list[0], strerror(failure));
	else
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
	if (errors != NULL) {
		if (file != NULL)
			rewind(file);
		*errors = file ? read_stream(file) : NULL;
	}
	if (file != NULL)
		fclose(file);
	free(command->list);
	*command = (struct arguments){0};
	return failure != 0 ? 1 : WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
