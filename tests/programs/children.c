/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * children WAY: burns 100 ms in burn_before, starts a child in the given way, which burns 100 ms in burn_child, burns
 * 100 ms in burn_after, and prints how the child ended. Children execute `children leaf`.
 */
#include "burn.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static char self[4096];
static char *leaf_arguments[] = {self, "leaf", NULL};
static volatile int sink;

static NOINLINE void burn_before(void)
{
	burn_ms(100);
}

static NOINLINE void burn_after(void)
{
	burn_ms(100);
}

static NOINLINE void burn_child(void)
{
	burn_ms(100);
}

static void report(const char *who, int status)
{
	if (WIFSIGNALED(status))
		printf("%s: signal %d\n", who, WTERMSIG(status));
	else
		printf("%s: exit %d\n", who, WEXITSTATUS(status));
	fflush(stdout);
}

static void wait_and_report(pid_t pid)
{
	int status = 0;
	if (waitpid(pid, &status, 0) == pid)
		report("child", status);
	else
		puts("child: lost");
}

static void by_fork(void)
{
	pid_t pid = fork();
	if (pid == 0) {
		burn_child();
		exit(21);
	}
	wait_and_report(pid);
}

static void by_fork_exec(void)
{
	pid_t pid = fork();
	if (pid == 0) {
		execv(self, leaf_arguments);
		_exit(97);
	}
	wait_and_report(pid);
}

static void by_vfork(void)
{
	pid_t pid = vfork();
	if (pid == 0) {
		execv(self, leaf_arguments);
		_exit(97);
	}
	wait_and_report(pid);
}

static void by_vfork_failing(void)
{
	pid_t pid = vfork();
	if (pid == 0) {
		execv("/nonexistent/program", leaf_arguments);
		_exit(22);
	}
	wait_and_report(pid);
}

static void by_posix_spawn(void)
{
	pid_t pid = -1;
	if (posix_spawn(&pid, self, NULL, NULL, leaf_arguments, environ) == 0)
		wait_and_report(pid);
}

static void leaf_command(char *line, size_t size)
{
	snprintf(line, size, "'%.4000s' leaf", self);
}

static void by_system(void)
{
	char line[4200];
	leaf_command(line, sizeof line);
	report("system", system(line));
}

static void by_popen(void)
{
	char line[4200], text[64] = "";
	leaf_command(line, sizeof line);
	FILE *pipe = popen(line, "r");
	if (pipe && fgets(text, sizeof text, pipe))
		printf("read: %s", text);
	report("popen", pipe ? pclose(pipe) : -1);
}

/* Children created without fork handlers. They are not measured, and do not repeat their parent's samples. */
static char child_stack[1 << 18];

static NOINLINE int end_of_child(void *how)
{
	burn_child();
	if (strcmp(how, "quick_exit") == 0)
		quick_exit(25);
	if (strcmp(how, "raise") == 0)
		raise(SIGTERM);
	if (strcmp(how, "_exit") == 0)
		_exit(26);
	exit(27);
}

static void by_clone(void)
{
	wait_and_report(clone(end_of_child, child_stack + sizeof child_stack, SIGCHLD, "exit"));
}

static void by_clone_quick_exit(void)
{
	wait_and_report(clone(end_of_child, child_stack + sizeof child_stack, SIGCHLD, "quick_exit"));
}

static void by_clone_raise(void)
{
	wait_and_report(clone(end_of_child, child_stack + sizeof child_stack, SIGCHLD, "raise"));
}

/* Shares its parent's memory, as a vfork child does. */
static void by_clone_shared(void)
{
	wait_and_report(
		clone(end_of_child, child_stack + sizeof child_stack, CLONE_VM | CLONE_VFORK | SIGCHLD, "_exit"));
}

static void by_clone_shared_raise(void)
{
	wait_and_report(
		clone(end_of_child, child_stack + sizeof child_stack, CLONE_VM | CLONE_VFORK | SIGCHLD, "raise"));
}

static void by_bare_fork(void)
{
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
	if (pid == 0)
		end_of_child("exit");
	wait_and_report(pid);
}

/* Forks 20 times while four threads burn and allocate. */
static atomic_bool stop;

static void *busy(void *unused)
{
	(void)unused;
	while (!atomic_load(&stop)) {
		burn_ms(1);
		char *block = malloc(100);
		sink = block[0] = 1;
		free(block);
	}
	return NULL;
}

static void by_threaded_fork(void)
{
	pthread_t thread[4];
	for (int i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, busy, NULL);
	for (int i = 0; i < 20; i++) {
		pid_t pid = fork();
		if (pid == 0) {
			burn_ms(2);
			exit(i);
		}
		wait_and_report(pid);
	}
	atomic_store(&stop, true);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

/* The child forks again and starts a thread: it is measured like any other process. */
static void *thread_of_child(void *unused)
{
	burn_child();
	return unused;
}

static void by_grandchild(void)
{
	pid_t pid = fork();
	if (pid == 0) {
		pthread_t thread;
		pid_t grandchild = fork();
		if (grandchild == 0)
			_exit(31);
		wait_and_report(grandchild);
		pthread_create(&thread, NULL, thread_of_child, NULL);
		pthread_join(thread, NULL);
		exit(32);
	}
	wait_and_report(pid);
}

/* 200 times: burns a little, so that a sample is pending, and executes a program without a handler for the signal. */
static void by_exec_loop(void)
{
	int bad = 0;
	char *arguments[] = {"/bin/true", NULL}, *nothing[] = {NULL};
	for (int i = 0; i < 200; i++) {
		int status = 0;
		pid_t pid = fork();
		if (pid == 0) {
			burn_ms(1);
			execve(arguments[0], arguments, i % 4 ? nothing : environ);
			_exit(97);
		}
		waitpid(pid, &status, 0);
		if (status != 0) {
			report("true", status);
			bad++;
		}
	}
	printf("200 programs executed, %d ended badly\n", bad);
}

/* A process executes itself repeatedly: `children chain LEFT`. */
static void chain(int left)
{
	char number[16];
	char *arguments[] = {self, "chain", number, NULL};
	burn_ms(1);
	if (left == 0) {
		puts("end of the chain");
		exit(23);
	}
	snprintf(number, sizeof number, "%d", left - 1);
	execv(self, arguments);
	_exit(97);
}

/* The process executes another program without a fork. */
static void by_becoming(void)
{
	char *arguments[] = {self, "leaf", NULL};
	execv(self, arguments);
	_exit(97);
}

static const struct {
	const char *name;
	void (*start)(void);
} ways[] = {
	{"bare_fork", by_bare_fork},
	{"become", by_becoming},
	{"clone", by_clone},
	{"clone_quick_exit", by_clone_quick_exit},
	{"clone_raise", by_clone_raise},
	{"clone_shared", by_clone_shared},
	{"clone_shared_raise", by_clone_shared_raise},
	{"fork", by_fork},
	{"fork_exec", by_fork_exec},
	{"vfork", by_vfork},
	{"vfork_failing", by_vfork_failing},
	{"posix_spawn", by_posix_spawn},
	{"system", by_system},
	{"popen", by_popen},
	{"threaded_fork", by_threaded_fork},
	{"grandchild", by_grandchild},
	{"exec_loop", by_exec_loop},
};

int main(int argc, char **argv)
{
	ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
	if (argc < 2 || length < 0)
		return 98;
	if (strcmp(argv[1], "leaf") == 0) {
		burn_child();
		puts("leaf");
		return 24;
	}
	if (strcmp(argv[1], "chain") == 0)
		chain(argc > 2 ? atoi(argv[2]) : 20);
	burn_before();
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		if (strcmp(argv[1], ways[i].name) == 0)
			ways[i].start();
	}
	burn_after();
	return 0;
}
