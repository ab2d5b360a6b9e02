/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With an argument, counts signals; otherwise they have their default action. A rank prints "ready" when all ranks wait
 * for signals, and ends when it has received one, or after a minute.
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

static const int numbers[] = {SIGINT, SIGTERM, SIGUSR1};
static volatile sig_atomic_t got[3];

static void count(int number)
{
	for (int i = 0; i < 3; i++)
		got[i] += numbers[i] == number;
}

static void nap(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_handler = count};
	int rank;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	for (int i = 0; argc > 1 && i < 3; i++)
		sigaction(numbers[i], &action, NULL);
	MPI_Barrier(MPI_COMM_WORLD);
	if (rank == 0) {
		puts("ready");
		fflush(stdout);
	}
	for (int i = 0; i < 3000 && got[0] + got[1] + got[2] == 0; i++)
		nap();
	for (int i = 0; i < 10; i++) /* the signal could arrive again */
		nap();
	printf("%d: %d interrupts, %d requests to end, %d of the user\n", rank, got[0], got[1], got[2]);
	fflush(stdout);
	MPI_Finalize();
	return 0;
}
