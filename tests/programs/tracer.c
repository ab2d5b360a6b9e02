/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * tracer exec | plain: a small debugger. Twenty times it starts a child that requests tracing and executes this program
 * again, or stops itself and burns. It treats the child's first stop as the expected one, passes other signals on, and
 * prints how the child ended and how many SIGTRAP arrived.
 */
#include "burn.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN 20

static void be_traced(const char *program, const char *how)
{
	burn_ms(3);
	if (ptrace(PTRACE_TRACEME, 0, 0, 0))
		_exit(8);
	burn_ms(3);
	if (strcmp(how, "exec") == 0) {
		execl("/no/such/program", program, "leaf", (char *)0);
		burn_ms(3);
		execl(program, program, "leaf", (char *)0);
		_exit(9);
	}
	raise(SIGSTOP);
	burn_ms(5);
	_exit(4);
}

static void trace(pid_t child)
{
	int status, pass = 0, traps = 0;
	waitpid(child, &status, 0);
	for (;;) {
		ptrace(PTRACE_CONT, child, 0, pass);
		waitpid(child, &status, 0);
		if (!WIFSTOPPED(status))
			break;
		pass = WSTOPSIG(status);
		traps += pass == SIGTRAP;
	}
	if (WIFEXITED(status))
		printf("exit %d, %d traps\n", WEXITSTATUS(status), traps);
	else
		printf("signal %d, %d traps\n", WTERMSIG(status), traps);
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	if (strcmp(argv[1], "leaf") == 0) {
		burn_ms(5);
		return 5;
	}
	for (int i = 0; i < CHILDREN; i++) {
		fflush(stdout);
		pid_t child = fork();
		if (child == 0)
			be_traced(argv[0], argv[1]);
		trace(child);
	}
	burn_ms(50);
	return 3;
}
