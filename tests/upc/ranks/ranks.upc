/* SPDX-License-Identifier: BSD-3-Clause */
/* Exchanges data among all threads, then ends as its first argument says; thread 1, or the last one, differs. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <upc.h>
#include <upc_collective.h>

shared int written[THREADS], total;
shared [] char *blocks;

static void check(void)
{
	int sum = 0;
	written[(MYTHREAD + 1) % THREADS] = MYTHREAD + 1;
	upc_barrier 1;
	for (int i = 0; i < THREADS; i++)
		sum += written[i];
	upc_all_reduceI(&total, written, UPC_ADD, THREADS, 1, NULL, UPC_IN_ALLSYNC | UPC_OUT_ALLSYNC);
	upc_lock_t *lock = upc_all_lock_alloc();
	upc_lock(lock);
	written[0] += 1;
	upc_unlock(lock);
	upc_barrier 2;
	printf("thread %d of %d: %s\n", MYTHREAD, THREADS,
		sum == THREADS * (THREADS + 1) / 2 && total == sum && written[0] == 2 * THREADS ? "right" : "WRONG");
	upc_barrier 3;
}

static void end(const char *how, int status)
{
	if (strcmp(how, "return") == 0)
		exit(status);
	if (strcmp(how, "global") == 0) {
		printf("last words");
		upc_global_exit(status);
	}
	if (strcmp(how, "quit") == 0)
		_exit(status);
	if (strcmp(how, "kill") == 0)
		raise(SIGKILL);
	if (strcmp(how, "null") == 0)
		blocks[0] = 1; /* line 46 */
}

static void copy_input(void)
{
	for (int c; (c = getchar()) != EOF;)
		putchar(c);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "";
	check();
	if (strcmp(how, "input") == 0)
		copy_input();
	if (strcmp(how, "child") == 0 && MYTHREAD == 0)
		return system("./ranks -n 2 >nested.out 2>&1") != 0;
	if (strcmp(how, "sleep") == 0)
		sleep(100);
	if (MYTHREAD == (THREADS > 1))
		end(how, argc > 2 ? atoi(argv[2]) : 0);
	if (argc > 2)
		upc_barrier; /* line 68 */
	return 0;
}
