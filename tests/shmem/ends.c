/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends in the way named by the argument. */
#include <shmem.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long word;

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	if (strcmp(how, "without") == 0)
		return 7;
	shmem_init();
	int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes();
	shmem_long_p(&word, me, next);
	shmem_barrier_all();
	if (strcmp(how, "global") == 0 && me == 1)
		shmem_global_exit(37);
	if (strcmp(how, "kill") == 0 && me == 1)
		kill(getpid(), SIGKILL);
	if (strcmp(how, "exit") == 0 && me == 1)
		_exit(5);
	if (strcmp(how, "global") == 0 || strcmp(how, "kill") == 0 || strcmp(how, "exit") == 0)
		sleep(30);
	if (strcmp(how, "fork") == 0) {
		pid_t child = fork();
		if (child == 0)
			_exit(0);
		waitpid(child, NULL, 0);
	}
	shmem_barrier_all();
	printf("PE %d ends\n", me);
	if (strcmp(how, "status") == 0) {
		shmem_finalize();
		return me == 1 ? 9 : 0;
	}
	if (strcmp(how, "unfinalized") == 0)
		return 0;
	shmem_finalize();
	return 0;
}
