/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the driver's commands, and handles the files passed between them. */
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
	if (!list)
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
	if (!all)
		exit(1);
	while ((length = fread(part, 1, sizeof part, file)) > 0)
		fwrite(part, 1, length, all);
	fclose(all);
	return text;
}

char *upc__read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	if (!file)
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

/* Starts a command with the signal mask that the compiler was started with. Returns 0 or an errno. */
static int start(struct arguments *command, FILE *errors, pid_t *child)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t before;
	posix_spawn_file_actions_init(&actions);
	if (errors)
		posix_spawn_file_actions_adddup2(&actions, fileno(errors), STDERR_FILENO);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	upc__hold_ends(&before);
	posix_spawnattr_setsigmask(&attributes, &before);
	int failure = posix_spawnp(child, command->list[0], &actions, &attributes, (char **)command->list, environ);
	if (failure == 0)
		upc__watch_child(*child);
	sigprocmask(SIG_SETMASK, &before, NULL);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return failure;
}

static int wait_for(pid_t child)
{
	int status = -1;
	siginfo_t ended;
	sigset_t before;
	while (waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR)
		;
	upc__hold_ends(&before);
	waitpid(child, &status, 0);
	upc__watch_child(0);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}

/* Creates the file for a command's messages, in the folder for intermediate files. NULL after a message. */
static FILE *open_messages(const struct driver *driver)
{
	char *path = upc__format("%s/messages", driver->work);
	FILE *file = fopen(path, "w+");
	if (!file)
		fprintf(stderr, "heddle-upcc1: cannot write %s: %s\n", path, strerror(errno));
	free(path);
	return file;
}

int upc__run(const struct driver *driver, struct arguments *command, char **errors)
{
	if (driver->verbose)
		show(command);
	FILE *file = errors ? open_messages(driver) : NULL;
	pid_t child;
	int status = -1;
	bool lost = errors && !file;
	int failure = lost ? EIO : start(command, file, &child);
	if (lost)
		*errors = upc__format("%s", "");
	else if (failure != 0)
		fprintf(stderr, "heddle-upcc1: cannot run %s: %s\n", command->list[0], strerror(failure));
	else
		status = wait_for(child);
	if (file) {
		rewind(file);
		*errors = read_stream(file);
		fclose(file);
	}
	free(command->list);
	*command = (struct arguments){0};
	return failure != 0 ? 1 : WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
