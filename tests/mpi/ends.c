/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends in the way named by the argument. */
#include <errno.h>
#include <mpi.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static jmp_buf left;

static void leave(MPI_Comm *comm, int *code, ...)
{
	(void)comm;
	(void)code;
	longjmp(left, 1);
}

static void leave_often(void)
{
	MPI_Errhandler handler;
	int out = 0;
	MPI_Comm_create_errhandler(leave, &handler);
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
	for (volatile int i = 0; i < 10; i++)
		if (!setjmp(left))
			MPI_Send(&out, 1, MPI_INT, 1000, 0, MPI_COMM_WORLD); /* no such rank */
}

static void return_errors(int rank)
{
	MPI_Request request = MPI_REQUEST_NULL;
	int out = 0, class, code;
	MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
	code = MPI_Send(&out, 1, MPI_INT, 1000, 0, MPI_COMM_WORLD);
	MPI_Error_class(code, &class);
	printf("%d: rank %d\n", rank, class == MPI_ERR_RANK);
	code = MPI_Send(&out, -1, MPI_INT, 0, 0, MPI_COMM_WORLD);
	MPI_Error_class(code, &class);
	printf("%d: count %d\n", rank, class == MPI_ERR_COUNT);
	MPI_Irecv(&out, 1, MPI_CHAR, rank, 0, MPI_COMM_WORLD, &request);
	MPI_Send("too long", 8, MPI_CHAR, rank, 0, MPI_COMM_WORLD);
	code = MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
	MPI_Error_class(code, &class);
	printf("%d: waitall %d\n", rank, class == MPI_ERR_TRUNCATE || class == MPI_ERR_IN_STATUS);
}

/* A write without a valid descriptor fails before it reads the bytes. */
static int fails_to_write(void)
{
	const void *volatile nowhere = NULL;
	return write(-1, nowhere, 100) == -1 && errno == EBADF;
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	int rank = 0;
	if (!fails_to_write())
		return 41;
	if (strcmp(how, "without") == 0)
		return 7;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Barrier(MPI_COMM_WORLD);
	if (strcmp(how, "abort") == 0 && rank == 1)
		MPI_Abort(MPI_COMM_WORLD, 37);
	if (strcmp(how, "fatal") == 0 && rank == 1)
		MPI_Send(&rank, 1, MPI_INT, 1000, 0, MPI_COMM_WORLD); /* no such rank */
	if (strcmp(how, "kill") == 0 && rank == 1)
		kill(getpid(), SIGKILL);
	if (strcmp(how, "exit") == 0 && rank == 1)
		exit(5);
	if (strcmp(how, "abort") == 0 || strcmp(how, "fatal") == 0 || strcmp(how, "kill") == 0 ||
		strcmp(how, "exit") == 0)
		sleep(30);
	if (strcmp(how, "unfinalized") == 0)
		return 0;
	if (strcmp(how, "longjmp") == 0)
		leave_often();
	if (strcmp(how, "errors") == 0)
		return_errors(rank);
	if (strcmp(how, "fork") == 0) {
		pid_t child = fork();
		if (child == 0)
			exit(0);
		waitpid(child, NULL, 0);
		if (system("true") != 0)
			return 1;
	}
	if (strcmp(how, "pcontrol") == 0) {
		MPI_Pcontrol(0);
		MPI_Bcast(&rank, 0, MPI_INT, 0, MPI_COMM_WORLD);
		MPI_Pcontrol(1);
	}
	MPI_Barrier(MPI_COMM_WORLD);
	MPI_Finalize();
	return 0;
}
