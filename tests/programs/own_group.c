/* SPDX-License-Identifier: BSD-3-Clause */
/* Signals its process group, by itself and by a child, and prints how often each signal arrived. */
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile sig_atomic_t arrived[2];

static void count(int number)
{
	arrived[number == SIGUSR2]++;
}

static void signal_from_child(int number)
{
	pid_t child = fork();
	if (child == 0) {
		signal(number, SIG_IGN);
		kill(0, number);
		usleep(100000); /* the receiver may query who sent the signal */
		_exit(0);
	}
	while (waitpid(child, NULL, 0) < 0)
		;
}

int main(void)
{
	signal(SIGUSR1, count);
	signal(SIGUSR2, count);
	kill(0, SIGUSR1);
	usleep(200000); /* a signal delivered twice would arrive meanwhile */
	signal_from_child(SIGUSR2);
	usleep(200000);
	printf("%d %d\n", (int)arrived[0], (int)arrived[1]);
	return 3;
}
