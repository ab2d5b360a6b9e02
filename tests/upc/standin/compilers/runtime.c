/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The run-time system of the stand-in compilers. Berkeley's takes the number of processes from GASNET_PSHM_NODES;
 * thread 0 forks the others before gasp_init, and each reports the static shared arrays. GNU and Clang UPC's removes -n
 * N or -fupc-threads-N from the program's arguments, if the number was not compiled in, and a process that is not a UPC
 * thread forks all threads.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <upc.h>

#include <gasp.h>
#include <gasp_upc.h>

int MYTHREAD, THREADS = 1;
extern int standin_threads __attribute__((weak));
static gasp_context_t context;

#if STANDIN_BERKELEY
#define PROGRAM user_main
#else
#define PROGRAM upc_main
#endif
int PROGRAM(int argc, char **argv);

size_t upc_threadof(void *p)
{
	return (size_t)p >> 40;
}

size_t upc_phaseof(void *p)
{
	return 0 * (size_t)p;
}

size_t upc_addrfield(void *p)
{
	return (size_t)p & 0xffffffffff;
}

void standin_event(unsigned int event, const char *file, int line, const char *function, size_t size)
{
	char to[64];
	void *from = (void *)((size_t)(MYTHREAD + 1) << 40);

	for (int type = 0; type < 2; type++) {
		if (function)
			gasp_event_notify(context, event, type, file, line, 0, function);
		else if (event == STANDIN_GET_EVENT)
			gasp_event_notify(context, event, type, file, line, 0, 1, to, &from, size);
		else
			gasp_event_notify(context, event, type, file, line, 0, to, &from, size);
	}
}

#if STANDIN_BERKELEY
static void start_threads(int *argc, char **argv)
{
	const char *nodes = getenv("GASNET_PSHM_NODES");

	(void)argc, (void)argv;
	THREADS = nodes ? atoi(nodes) : 1;
	if (&standin_threads && standin_threads != THREADS) {
		fprintf(stderr, "UPC Runtime error: compiled for %d threads, run with %d\n", standin_threads, THREADS);
		exit(1);
	}
	for (int i = 1; i < THREADS && MYTHREAD == 0; i++)
		MYTHREAD = fork() == 0 ? i : 0;
}

static void announce(void)
{
	static char array[80];
	void *pointer = array;

	gasp_event_notify(context, GASP_BUPC_STATIC_SHARED, 2, "_STARTUP", 0, 0, (size_t)10, (size_t)8, &pointer, array,
		(size_t)8, "array", "R10_d");
}
#else
static void start_threads(int *argc, char **argv)
{
	int taken = 0;

	if (*argc > 2 && strcmp(argv[1], "-n") == 0)
		taken = 2;
	else if (*argc > 1 && strncmp(argv[1], "-fupc-threads-", 14) == 0)
		taken = 1;
	THREADS = taken ? atoi(taken == 2 ? argv[2] : argv[1] + 14) : &standin_threads ? standin_threads : 0;
	if (THREADS < 1 || (&standin_threads && standin_threads != THREADS)) {
		fprintf(stderr, "UPC: the number of threads is not given, or not that which was compiled in\n");
		exit(2);
	}
	memmove(argv + 1, argv + 1 + taken, (size_t)(*argc - taken) * sizeof(*argv));
	*argc -= taken;
	for (int i = 0; i < THREADS; i++) {
		if (fork() == 0) {
			MYTHREAD = i;
			return;
		}
	}
	int worst = 0, status;
	while (wait(&status) > 0)
		worst = WIFEXITED(status) && WEXITSTATUS(status) < worst ? worst : WEXITSTATUS(status);
	exit(worst);
}

static void announce(void)
{
}
#endif

int main(int argc, char **argv)
{
	start_threads(&argc, argv);
	context = gasp_init(0, &argc, &argv);
	announce();
	int status = PROGRAM(argc, argv);
	for (int type = 0; type < 2; type++)
		gasp_event_notify(context, GASP_UPC_COLLECTIVE_EXIT, type, NULL, 0, 0, status);
#if STANDIN_BERKELEY
	if (MYTHREAD == 0)
		while (wait(NULL) > 0)
			;
	fflush(NULL);
	_exit(status); /* no destructor of the tool runs */
#else
	return status;
#endif
}
