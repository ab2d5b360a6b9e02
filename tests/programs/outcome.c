/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outcome FILE SECONDS [-s SIGNAL MILLISECONDS WORD] -- COMMAND...: run the command in a process group of its own and
 * write how it ended to FILE: "exit 3", "signal 11", or "hang" when it took longer than SECONDS (then the group is
 * killed). -s sends it a signal, so long after it has written WORD to its standard output, a file: on a busy machine a
 * time since its start says nothing about what it has done. A shell's $? cannot tell exit status 139 from SIGSEGV.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* True when the child ended within the time; polls, so that no signal handling of ours is inherited. */
static int wait_until(pid_t child, int *status, double deadline)
{
	while (waitpid(child, status, WNOHANG) == 0) {
		if (now() > deadline)
			return 0;
		nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
	}
	return 1;
}

/* True when the file that is the standard output, open for writing only, begins with a text that holds the word. */
static int has_written(const char *word)
{
	char text[4096];
	FILE *file = fopen("/proc/self/fd/1", "r");
	size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
	text[size] = '\0';
	if (file)
		fclose(file);
	return strstr(text, word) != NULL;
}

/* True when the child ended before it wrote the word and so long thereafter. */
static int ends_before(pid_t child, int *status, double deadline, const char *word, double after)
{
	while (now() < deadline && !has_written(word))
		if (wait_until(child, status, now() + 0.005))
			return 1;
	return wait_until(child, status, now() + after);
}

int main(int argc, char **argv)
{
	int first = 4, signal_number = 0, status = 0, ended = 0;
	double deadline = now() + (argc > 2 ? atof(argv[2]) : 0);

	if (argc > 7 && strcmp(argv[3], "-s") == 0) {
		signal_number = atoi(argv[4]);
		first = 8;
	}
	if (argc <= first || strcmp(argv[first - 1], "--") != 0)
		return 2;
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	pid_t child = fork();
	if (child == 0) {
		setpgid(0, 0);
		execvp(argv[first], argv + first);
		perror(argv[first]);
		_exit(127);
	}
	setpgid(child, child);
	if (signal_number) {
		ended = ends_before(child, &status, deadline, argv[6], atof(argv[5]) / 1e3);
		if (!ended)
			kill(child, signal_number);
	}
	ended = ended || wait_until(child, &status, deadline);

	FILE *file = fopen(argv[1], "w");
	if (!file)
		return 2;
	if (!ended) {
		kill(-child, SIGKILL);
		waitpid(child, &status, 0);
		fprintf(file, "hang\n");
	} else if (WIFSIGNALED(status)) {
		fprintf(file, "signal %d\n", WTERMSIG(status));
	} else {
		fprintf(file, "exit %d\n", WEXITSTATUS(status));
	}
	return fclose(file) != 0;
}
