/* SPDX-License-Identifier: BSD-3-Clause */
/* ends WAY: burns 150 ms in burn_before_end, then ends in the way named. */
#include "burn.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int *volatile nowhere;
static sigjmp_buf back;
static char alternate_stack[32768];

static NOINLINE void burn_before_end(void)
{
	burn_ms(150);
}

static NOINLINE void burn_elsewhere(void)
{
	burn_ms(150);
}

static void say(const char *text)
{
	if (write(1, text, strlen(text)) < 0)
		_exit(99);
}

static void at_end(void)
{
	say("atexit\n");
}

static void at_quick_end(void)
{
	say("at_quick_exit\n");
}

static void end_exit(void)
{
	atexit(at_end);
	exit(3);
}

static void end__exit(void)
{
	atexit(at_end); /* must not run */
	_exit(4);
}

static void end_quick_exit(void)
{
	at_quick_exit(at_quick_end);
	quick_exit(5);
}

static void end_segv(void)
{
	*nowhere = 1;
}

static void end_raise_term(void)
{
	raise(SIGTERM);
}

/* Waits for a signal from outside, which is sent after this word is printed. */
static void end_wait(void)
{
	say("burned\n");
	for (;;)
		pause();
}

static void spin(void)
{
	for (;;)
		burn_ms(10);
}

static void end_spin(void)
{
	say("burned\n");
	spin();
}

static void segv_exit(int signal_number, siginfo_t *info, void *context)
{
	(void)context;
	say(signal_number == SIGSEGV && info->si_addr == NULL ? "caught at NULL\n" : "caught\n");
	_exit(7);
}

static void on_segv(void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
	sigemptyset(&action.sa_mask);
	sigaction(SIGSEGV, &action, NULL);
}

static void end_segv_handler(void)
{
	on_segv(segv_exit, 0);
	*nowhere = 1;
}

static void segv_back(int signal_number, siginfo_t *info, void *context)
{
	(void)info, (void)context;
	siglongjmp(back, signal_number);
}

/* Recovers from 200 faults, then continues. */
static void end_segv_recovered(void)
{
	on_segv(segv_back, 0);
	for (volatile int i = 0; i < 200; i++) {
		if (sigsetjmp(back, 1) == 0)
			*nowhere = 1;
	}
	burn_elsewhere();
	say("recovered\n");
	exit(0);
}

/* A handler that is reset by its first signal, so that the second one kills the process. */
static void segv_return(int signal_number, siginfo_t *info, void *context)
{
	(void)signal_number, (void)info, (void)context;
	say("once\n");
}

static void end_segv_resethand(void)
{
	on_segv(segv_return, (int)SA_RESETHAND);
	*nowhere = 1;
}

static void overflow_exit(int signal_number, siginfo_t *info, void *context)
{
	(void)signal_number, (void)info, (void)context;
	say("stack overflow caught\n");
	burn_elsewhere(); /* sampled on the alternate stack */
	_exit(9);
}

static NOINLINE int recurse(int n)
{
	volatile char frame[512];
	frame[n & 511] = (char)n;
	return n < 0 ? 0 : recurse(n + 1) + frame[n & 511];
}

static void end_stack_overflow(void)
{
	stack_t stack = {.ss_sp = alternate_stack, .ss_size = sizeof alternate_stack};
	sigaltstack(&stack, NULL);
	on_segv(overflow_exit, SA_ONSTACK);
	recurse(0);
}

static void end_plain_stack_overflow(void)
{
	recurse(0);
}

static void *outlive_main(void *unused)
{
	(void)unused;
	burn_elsewhere();
	say("the other thread ends\n");
	return NULL;
}

static void end_pthread_exit(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, outlive_main, NULL);
	pthread_exit(NULL);
}

/* Another thread calls exit while main burns. */
static void *exit_here(void *unused)
{
	(void)unused;
	burn_elsewhere();
	exit(11);
}

static void end_exit_in_thread(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, exit_here, NULL);
	spin();
}

/* Four threads end the process at the same time, each by own_end. */
static pthread_barrier_t together;
static void (*volatile own_end)(void);

static void *end_with_others(void *unused)
{
	pthread_barrier_wait(&together);
	own_end();
	return unused;
}

static void all_end(void (*end)(void))
{
	pthread_t thread;
	own_end = end;
	pthread_barrier_init(&together, NULL, 4);
	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, end_with_others, NULL);
	end_with_others(NULL);
	for (;;)
		pause();
}

static void exit_at_once(void)
{
	_exit(4);
}

static void end_all_segv(void)
{
	all_end(end_segv);
}

static void end_all_raise_term(void)
{
	all_end(end_raise_term);
}

static void end_all__exit(void)
{
	all_end(exit_at_once);
}

/* Returns true while a handler of SIGSEGV runs in the main thread: this program has none. */
static bool main_handles_fault(void)
{
	FILE *status = fopen("/proc/self/status", "re");
	unsigned long blocked = 0;
	char line[256];
	while (status && fgets(line, sizeof line, status))
		if (strncmp(line, "SigBlk:", 7) == 0)
			blocked = strtoul(line + 7, NULL, 16);
	if (status)
		fclose(status);
	return blocked >> (SIGSEGV - 1) & 1;
}

/* The main thread faults. Another one raises SIGTERM, when the process should already have ended. */
static void *term_later(void *unused)
{
	pthread_barrier_wait(&together);
	for (int ms = 0; ms < 30000 && !main_handles_fault(); ms++)
		usleep(1000);
	raise(SIGTERM);
	return unused;
}

static void end_segv_before_term(void)
{
	pthread_t thread;
	pthread_barrier_init(&together, NULL, 2);
	pthread_create(&thread, NULL, term_later, NULL);
	pthread_barrier_wait(&together);
	*nowhere = 1;
}

static const struct {
	const char *name;
	void (*end)(void);
} ways[] = {
	{"exit", end_exit},
	{"_exit", end__exit},
	{"quick_exit", end_quick_exit},
	{"abort", abort},
	{"segv", end_segv},
	{"raise_term", end_raise_term},
	{"wait", end_wait},
	{"spin", end_spin},
	{"segv_handler", end_segv_handler},
	{"segv_recovered", end_segv_recovered},
	{"segv_resethand", end_segv_resethand},
	{"stack_overflow", end_stack_overflow},
	{"plain_stack_overflow", end_plain_stack_overflow},
	{"pthread_exit", end_pthread_exit},
	{"exit_in_thread", end_exit_in_thread},
	{"all_segv", end_all_segv},
	{"all_raise_term", end_all_raise_term},
	{"all__exit", end_all__exit},
	{"segv_before_term", end_segv_before_term},
};

int main(int argc, char **argv)
{
	say("begin\n");
	burn_before_end();
	for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++) {
		if (strcmp(argv[1], ways[i].name) == 0)
			ways[i].end();
	}
	return 98;
}
