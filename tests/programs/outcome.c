/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * outcome FILE SECONDS [-s SIGNAL MILLISECONDS WORD] -- COMMAND...: runs the command in its own process group and
 * writes to FILE how it ended: "exit 3", "signal 11", or "hang" if it took longer than SECONDS (then the group is
 * killed). -s sends a signal MILLISECONDS after the command has written WORD to its standard output, a file: on a busy
 * machine the time since the start says little. A shell's $? cannot distinguish exit status 139 from SIGSEGV.
 */
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* The kernel's time: a test may have preloaded a library that shows another one. */
static double now(void)
{
	struct timespec t;
	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/*
 * Returns true if the child ended before the deadline. Waits for a descriptor of the child, so that the child inherits
 * no signal handling from us; polls where the kernel has no such descriptors.
 */
static int wait_until(pid_t child, int *status, double deadline)
{
	struct pollfd end = {.fd = (int)syscall(SYS_pidfd_open, child, 0), .events = POLLIN};
	double left = deadline - now();
	int ended;
	while (!(ended = waitpid(child, status, WNOHANG) != 0) && left >= 0) {
		poll(&end, 1, end.fd < 0 || left < 0.005 ? 5 : left > 1000 ? 1000000 : (int)(left * 1e3));
		left = deadline - now();
	}
	if (end.fd >= 0)
		close(end.fd);
	return ended;
}

/* Returns true if the beginning of the file that is standard output, which is open for writing only, contains WORD. */
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

/* Returns true if the child ended before it had written WORD and AFTER seconds had passed. */
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
