/* SPDX-License-Identifier: BSD-3-Clause */
/* For library_ends.sh: ends HOW [WHO]. Thread WHO (the last one) makes an error, the others wait at a barrier. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <upc.h>
#include <upc_atomic.h>
#include <upc_collective.h>
#include <upc_nb.h>

shared int numbers[THREADS];
shared [4] int blocks[4 * THREADS];
shared [] int *null;
shared int *null_cyclic;
static int word;
static const char *how;

#define IS(name) (strcmp(how, name) == 0)

static void access_wrongly(void)
{
	volatile long far = 1L << 31;

	if (IS("read"))
		printf("%d\n", *null);
	if (IS("write"))
		*null = 1;
	if (IS("index"))
		null_cyclic[THREADS + MYTHREAD] = 1;
	if (IS("behind"))
		((shared [] int *)numbers)[far] = 1;
	if (IS("before"))
		((shared [] int *)numbers)[-far / 1024] = 1;
	if (IS("memget"))
		upc_memget(&word, null, sizeof(word));
	if (IS("memput"))
		upc_memput((shared [] char *)numbers + 4 * far, &word, sizeof(word));
	if (IS("memcpy"))
		upc_memcpy(numbers, null, sizeof(word));
	if (IS("memset"))
		upc_memset(null, 0, 1);
	if (IS("nb"))
		upc_sync(upc_memget_nb(&word, null, sizeof(word)));
}

/* Frees adjacent blocks: the second one, already merged into the first one, is freed twice. */
static void free_twice(bool global)
{
	shared void *blocks[4];

	for (int i = 0; i < 4; i++)
		blocks[i] = global ? upc_global_alloc(THREADS, 100) : upc_alloc(100);
	int before = upc_addrfield(blocks[1]) < upc_addrfield(blocks[2]) ? 1 : 2;
	upc_free(blocks[before]);
	upc_free(blocks[3 - before]);
	upc_free(blocks[3 - before]);
}

static void library_wrongly(void)
{
	upc_lock_t *lock = upc_global_lock_alloc(), *no_lock = NULL;

	if (IS("lock"))
		upc_lock(no_lock);
	if (IS("relock")) {
		upc_lock(lock);
		upc_lock(lock);
	}
	if (IS("unlock"))
		upc_unlock(lock);
	if (IS("free"))
		upc_free(numbers);
	if (IS("free twice") || IS("free twice global"))
		free_twice(IS("free twice global"));
	while (IS("heap"))
		upc_alloc(1 << 20);
	while (IS("global"))
		upc_global_alloc(THREADS, 1 << 20);
	if (IS("huge"))
		upc_alloc(-1);
	if (IS("collective"))
		upc_all_broadcast(blocks, numbers, 4, 0);
	if (IS("late collective"))
		upc_all_reduceI(numbers, numbers, UPC_ADD, THREADS, 1, NULL, UPC_IN_NOSYNC);
}

/* Without synchronization at begin and end, threads find the difference only when they combine results. */
static void collectives_without_synchronization(int who)
{
	int flags = UPC_IN_NOSYNC | UPC_OUT_NOSYNC;

	if (IS("roots"))
		upc_all_reduceI(&numbers[MYTHREAD], numbers, UPC_ADD, THREADS, 1, NULL, flags);
	if (IS("functions") && MYTHREAD == who)
		upc_all_broadcast(blocks, numbers, 4, flags);
	else if (IS("functions"))
		upc_all_reduceI(numbers, numbers, UPC_ADD, THREADS, 1, NULL, flags);
	if (IS("moves") && MYTHREAD == who)
		upc_all_scatter(blocks, blocks, 4, flags);
	else if (IS("moves"))
		upc_all_gather(blocks, blocks, 4, flags);
}

static void statements_wrongly(void)
{
	if (IS("wait"))
		upc_wait;
	if (IS("notify twice")) {
		upc_notify;
		upc_notify;
	}
	if (IS("between")) {
		upc_notify;
		upc_all_alloc(1, 1);
	}
	if (IS("wait value")) {
		upc_notify 4;
		upc_wait 5;
	}
	if (IS("return"))
		exit(0);
	if (IS("value"))
		upc_barrier 5;
}

/* Errors that all threads make. */
static void together(void)
{
	upc_atomicdomain_t *domain = NULL;

	if (strncmp(how, "atomic", 6) == 0)
		domain = upc_all_atomicdomain_alloc(UPC_INT, UPC_ADD, 0);
	if (IS("atomic"))
		upc_atomic_relaxed(domain, NULL, UPC_ADD, null, &word, NULL);
	if (IS("atomic operation"))
		upc_atomic_relaxed(domain, NULL, UPC_SET, numbers, &word, NULL);
	if (IS("atomic domain"))
		upc_all_atomicdomain_alloc(UPC_FLOAT, UPC_AND, 0);
	if (IS("reduction"))
		upc_all_reduceD(numbers, numbers, UPC_AND, THREADS, 1, NULL, 0);
	if (IS("permutation")) {
		numbers[MYTHREAD] = THREADS;
		upc_all_permute(blocks, blocks, numbers, 4, 0);
	}
	if (IS("types") && MYTHREAD % 2)
		upc_all_reduceI(blocks, numbers, UPC_ADD, THREADS, 1, NULL, 0);
	else if (IS("types"))
		upc_all_reduceL(blocks, numbers, UPC_ADD, THREADS, 1, NULL, 0);
	if (IS("other wait value")) {
		if (MYTHREAD == 0)
			upc_notify 4;
		else
			upc_notify;
		upc_wait MYTHREAD == 0 ? 4 : 5;
	}
	if (IS("nulls"))
		null_cyclic[(MYTHREAD + 1) % THREADS] = 1;
	if (IS("lines")) {
		for (int i = 0; i < 2000; i++)
			printf("line %d of thread %d, %060d\n", i, MYTHREAD, MYTHREAD);
	}
}

/* Threads write files and compute while another thread ends the program. */
static void global_exit(int who)
{
	char name[32];

	if (MYTHREAD != who) {
		snprintf(name, sizeof(name), "file.%d", MYTHREAD);
		fprintf(fopen(name, "w"), "content\n");
	}
	upc_barrier;
	if (MYTHREAD == who)
		upc_global_exit(9);
	for (;;)
		numbers[MYTHREAD]++;
}

static void children(void)
{
	int status = system("exit 7");

	if (!WIFEXITED(status) || WEXITSTATUS(status) != 7)
		exit(20);
	pid_t child = fork();
	if (child == 0)
		exit(5);
	if (waitpid(child, &status, 0) != child || WEXITSTATUS(status) != 5)
		exit(21);
	FILE *pipe = popen("cat", "w");
	fprintf(pipe, "child of %d\n", MYTHREAD);
	if (pclose(pipe) != 0)
		exit(22);
}

int main(int argc, char **argv)
{
	int who = argc > 2 ? atoi(argv[2]) : THREADS - 1;

	how = argc > 1 ? argv[1] : "";
	upc_barrier;
	if (MYTHREAD == who) {
		access_wrongly();
		library_wrongly();
		statements_wrongly();
	}
	together();
	collectives_without_synchronization(who);
	if (IS("global exit"))
		global_exit(who);
	if (IS("children"))
		children();
	upc_barrier; /* here */
	return 0;
}
