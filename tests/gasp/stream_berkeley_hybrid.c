/* SPDX-License-Identifier: BSD-3-Clause */
/* Berkeley UPC with two processes of four pthreads each (upcrun -n 8 -p 2), through a bridge that knows MYTHREAD. */
#define BRIDGE_EVENTS                                                                                                  \
	{"GASP_C_FUNC", 1023}, {"GASP_UPC_COLLECTIVE_EXIT", 1210}, {"GASP_UPC_NOTIFY", 1100}, {"GASP_UPC_WAIT", 1101}, \
		{"GASP_UPC_ALL_ALLOC", 1002}, {"GASP_UPC_ALLOC", 1000}, {"GASP_UPC_FREE", 1003},                       \
		{"GASP_UPC_ALL_LOCK_ALLOC", 1011}, {"GASP_UPC_MEMGET", 1030}, {"GASP_UPC_MEMPUT", 1031},               \
		{"GASP_UPC_GET", 1111}, {"GASP_UPC_PUT", 1110}, {"GASP_UPC_ALL_REDUCE", 1400},
#define BRIDGE_USER 100, 999
#define BRIDGE_TRIVIAL NULL, (void *)-1
#include "bridge.h"
#include "stream_berkeley.h"

#include <pthread.h>
#include <sys/wait.h>

#define PTHREADS 4

static pthread_barrier_t all;

static void wait_for_all(void)
{
	pthread_barrier_wait(&all);
}

static void *play(void *argument)
{
	bridge_mythread = *(int *)argument;
	pthread_barrier_wait(&all);
	berkeley_thread(bridge_mythread);
	pthread_barrier_wait(&all);
	return NULL;
}

int main(void)
{
	pthread_t threads[PTHREADS];
	int numbers[PTHREADS];
	berkeley_expect(2 * PTHREADS);
	EXPECT_FILES(2);
	for (int i = 0; i < 2 * PTHREADS; i++)
		EXPECT_OF_RANK(i, "visits", "step;user_main;solve;GASP_UPC_GET @cg.upc:57", 2);
	pid_t child = fork();
	berkeley_barrier = wait_for_all;
	pthread_barrier_init(&all, NULL, PTHREADS);
	for (int i = 0; i < PTHREADS; i++)
		numbers[i] = child ? i : PTHREADS + i;
	for (int i = 1; i < PTHREADS; i++)
		pthread_create(&threads[i], NULL, play, &numbers[i]);
	play(&numbers[0]);
	if (child)
		waitpid(child, NULL, 0);
	_exit(0);
}
