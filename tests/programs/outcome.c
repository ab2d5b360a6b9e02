/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outcome FILE SECONDS [-s SIGNAL MILLISECONDS] -- COMMAND...: run the command in a process group of its own and write
 * how it ended to FILE: "exit 3", "signal 11", or "hang" when it took longer than SECONDS (then the group is killed).
 * -s sends it a signal after a while. A shell's $? cannot tell exit status 139 from SIGSEGV.
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

int main(int argc, char **argv)
{
	int first = 4, signal_number = 0, status = 0, ended = 0;
	double start = now(), signal_at = 0;

	if (argc > 6 && strcmp(argv[3], "-s") == 0) {
		signal_number = atoi(argv[4]);
		signal_at = start + atof(argv[5]) / 1e3;
		first = 7;
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
		ended = wait_until(child, &status, signal_at);
		if (!ended)
			kill(child, signal_number);
	}
	ended = ended || wait_until(child, &status, start + atof(argv[2]));

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
