/* SPDX-License-Identifier: BSD-3-Clause */
/* The program is the leader of its own process group, so that launchers and their ranks end together. */
#include "tune/command.h"

#include "cli/base/parent_state.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec time;
	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static bool redirect(const char *path, int flags, int to)
{
	int file = open(path, flags | O_CLOEXEC, 0600);
	return file >= 0 && dup2(file, to) == to;
}

_Noreturn static void become(const struct heddle_words *words, const char *output, const char *errors)
{
	setpgid(0, 0);
	heddle__parent_state_restore();
	if (redirect("/dev/null", O_RDONLY, STDIN_FILENO) &&
		redirect(output, O_WRONLY | O_CREAT | O_TRUNC, STDOUT_FILENO) &&
		redirect(errors, O_WRONLY | O_CREAT | O_TRUNC, STDERR_FILENO))
		execvp(words->at[0], words->at);
	_exit(127);
}

/* Returns false if the time limit is exceeded. Without pidfd_open (Linux before 5.3) there is no limit. */
static bool wait_until(pid_t child, double limit)
{
	int file = (int)syscall(SYS_pidfd_open, child, 0);
	if (file < 0)
		return true;
	struct pollfd entry = {.fd = file, .events = POLLIN};
	double end = now() + limit;
	int ready;
	do {
		double left = end - now();
		ready = poll(&entry, 1, left > 0 ? (int)(left * 1000) + 1 : 0);
	} while (ready < 0 && errno == EINTR);
	close(file);
	return ready != 0;
}

int heddle__tune_command(
	const struct heddle_words *words, const char *output, const char *errors, double limit, struct tune_run *run)
{
	double start = now();
	int status;
	pid_t child = fork();
	if (child < 0)
		return -errno;
	if (child == 0)
		become(words, output, errors);
	setpgid(child, child);
	bool ended = wait_until(child, limit);
	if (!ended)
		kill(-child, SIGKILL);
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -errno;
	run->seconds = now() - start;
	run->status = !ended ? TUNE_TIMED_OUT : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	return 0;
}
