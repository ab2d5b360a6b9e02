/* SPDX-License-Identifier: BSD-3-Clause */
/* vfork_signals N: handles signal N; a vfork child resets all signals before it executes another program. */
#include "burn.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t handled;

static void count(int signal_number)
{
	(void)signal_number;
	handled++;
}

/* The child prints its own actions as it sees them: the C library's vfork shares this process's memory with it. */
static void start_child(int number)
{
	sigset_t all, none;
	int status = 0;
	sigfillset(&all);
	sigemptyset(&none);
	pid_t child = vfork();
	if (child == 0) {
		struct sigaction now;
		sigprocmask(SIG_SETMASK, &all, NULL);
		sigaction(number, NULL, &now);
		int wrong = now.sa_handler != count;
		for (int s = 1; s <= SIGRTMAX; s++)
			signal(s, SIG_DFL);
		sigaction(number, NULL, &now);
		wrong += now.sa_handler != SIG_DFL;
		sigprocmask(SIG_SETMASK, &none, NULL);
		if (!wrong)
			execlp("true", "true", (char *)NULL);
		_exit(1);
	}
	waitpid(child, &status, 0);
	printf("child: status %d\n", status);
}

static int is_blocked(int number)
{
	sigset_t now;
	sigprocmask(SIG_SETMASK, NULL, &now);
	return sigismember(&now, number);
}

int main(int argc, char **argv)
{
	int number = argc > 1 ? atoi(argv[1]) : SIGURG;
	sigset_t all;
	signal(number, count);
	raise(number);
	start_child(number);
	raise(number);
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	start_child(number);
	printf("still blocked: %d\n", is_blocked(number));
	sigprocmask(SIG_UNBLOCK, &all, NULL);
	raise(number);
	burn_ms(50);
	printf("%d handled\n", (int)handled);
	return 0;
}
