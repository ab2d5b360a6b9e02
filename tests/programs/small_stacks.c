/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * small_stacks WAY: burns on a stack too small for a signal handler, as Go does (own), or on a large one, with an
 * alternate stack that is just large enough for a handler of the program (alternate; urgent: for SIGURG). Both have a
 * guard page below them.
 */
#include "burn.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

static ucontext_t main_context, own_context;
static char *alternate;
static size_t alternate_size;
static volatile sig_atomic_t seen, elsewhere;

/* Returns memory of whole pages, with a guard page below. */
static char *guarded(size_t size)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), pages = (size + page - 1) / page + 1;
	char *memory = mmap(NULL, pages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED || mprotect(memory, page, PROT_NONE))
		exit(97);
	return memory + page;
}

static NOINLINE void burn_here(double ms)
{
	burn_ms(ms);
}

static void count(int signal_number, siginfo_t *info, void *context)
{
	char here;
	(void)info, (void)context, (void)signal_number;
	elsewhere += !(&here >= alternate && &here < alternate + alternate_size);
	seen++;
}

static void on_alternate(int signal_number, size_t size)
{
	struct sigaction action = {.sa_sigaction = count, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	alternate = guarded(size);
	alternate_size = size;
	stack_t stack = {.ss_sp = alternate, .ss_size = size};
	sigfillset(&action.sa_mask);
	if (sigaltstack(&stack, NULL) || sigaction(signal_number, &action, NULL))
		exit(96);
}

static void raise_often(int signal_number)
{
	for (int i = 0; i < 20; i++) {
		burn_here(10);
		raise(signal_number);
	}
}

static void on_own(void)
{
	raise_often(SIGURG);
}

static void own(void)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE);
	on_alternate(SIGURG, (size_t)32 << 10);
	getcontext(&own_context);
	own_context.uc_stack = (stack_t){.ss_sp = guarded(size), .ss_size = size};
	own_context.uc_link = &main_context;
	makecontext(&own_context, on_own, 0);
	swapcontext(&main_context, &own_context);
}

static void *own_in_thread(void *unused)
{
	own();
	return unused;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";
	pthread_t thread;
	if (strcmp(way, "own") == 0) {
		own();
	} else if (strcmp(way, "own_in_thread") == 0) {
		pthread_create(&thread, NULL, own_in_thread, NULL);
		pthread_join(thread, NULL);
	} else {
		int signal_number = strcmp(way, "urgent") == 0 ? SIGURG : SIGUSR1;
		on_alternate(signal_number, (size_t)sysconf(_SC_MINSIGSTKSZ) + 512);
		raise_often(signal_number);
	}
	printf("%d signals, %d elsewhere\n", (int)seen, (int)elsewhere);
	size_t untouched = 0;
	while (untouched < alternate_size && !alternate[untouched])
		untouched++;
	fprintf(stderr, "%zu of %zu bytes used\n", alternate_size - untouched, alternate_size);
	return 0;
}
