/* SPDX-License-Identifier: BSD-3-Clause */
/* signals WAY: a program with its own signal handlers, masks and timers; each way prints the signals it observed. */
#include "burn.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

static volatile sig_atomic_t seen[65];
static sigjmp_buf back;
static jmp_buf plain_back;

static NOINLINE void burn_here(double ms)
{
	burn_ms(ms);
}

static void count(int signal_number)
{
	seen[signal_number]++;
}

static void handle(int signal_number, void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	sigemptyset(&action.sa_mask);
	sigaction(signal_number, &action, NULL);
}

static void every_10_ms(int which)
{
	setitimer(which, &(struct itimerval){{0, 10000}, {0, 10000}}, NULL);
}

static const char *about(int n, int low, int high)
{
	fprintf(stderr, "%d signals\n", n);
	return low <= n && n <= high ? "about right" : "wrong";
}

/*
 * Burns a quarter of a second of CPU time, repeatedly, at most ten times, until enough signals have arrived: on a busy
 * machine the kernel merges most of them, measured or not. Returns the number of rounds.
 */
static int burn_until(const int *numbers, int count_of_numbers, int enough)
{
	int rounds = 0, all = 0;
	while (rounds++ < 10 && all < count_of_numbers) {
		burn_here(250);
		all = 0;
		for (int i = 0; i < count_of_numbers; i++)
			all += seen[numbers[i]] >= enough;
	}
	return rounds - 1;
}

/*
 * setitimer(ITIMER_PROF) with its own handler: 25 signals in a quarter of a second of CPU time, by the kernel's count
 * of ticks, which on a virtual machine may exceed the CPU clock. Heddle's samples would add hundreds.
 */
static void own_sigprof(void)
{
	int number = SIGPROF;
	handle(SIGPROF, count, SA_RESTART);
	every_10_ms(ITIMER_PROF);
	int rounds = burn_until(&number, 1, 4);
	printf("SIGPROF: %s\n", about(seen[SIGPROF], 4, 60 * rounds));
}

/* POSIX timers on the thread's CPU clock and on the real-time clock, with signals that the program chose. */
static void own_timers(void)
{
	int signals[] = {SIGPROF, SIGALRM, SIGRTMIN, SIGRTMAX};
	clockid_t clocks[] = {
		CLOCK_THREAD_CPUTIME_ID, CLOCK_MONOTONIC, CLOCK_THREAD_CPUTIME_ID, CLOCK_PROCESS_CPUTIME_ID};
	for (int i = 0; i < 4; i++) {
		timer_t timer;
		struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = signals[i]};
		struct itimerspec period = {{0, 20000000}, {0, 20000000}};
		handle(signals[i], count, SA_RESTART);
		timer_create(clocks[i], &event, &timer);
		timer_settime(timer, 0, &period, NULL);
	}
	int rounds = burn_until(signals, 4, 3);
	printf("CPU timer, SIGPROF: %s\n", about(seen[SIGPROF], 3, 30 * rounds));
	printf("wall timer, SIGALRM: %s\n", seen[SIGALRM] >= 3 ? "about right" : "wrong");
	printf("CPU timer, SIGRTMIN: %s\n", about(seen[SIGRTMIN], 3, 30 * rounds));
	printf("process timer, SIGRTMAX: %s\n", about(seen[SIGRTMAX], 3, 30 * rounds));
}

/* The handler of each signal is called once for each signal that was raised, and for no other one. */
static void every_signal(void)
{
	int wrong = 0;
	for (int s = 1; s <= SIGRTMAX; s++) {
		if (s != SIGKILL && s != SIGSTOP && (s < 32 || s >= SIGRTMIN))
			handle(s, count, 0);
	}
	burn_here(50);
	for (int s = 1; s <= SIGRTMAX; s++) {
		if (s == SIGKILL || s == SIGSTOP || (s >= 32 && s < SIGRTMIN))
			continue;
		raise(s);
		burn_here(2);
		if (seen[s] != 1) {
			printf("signal %d came %d times\n", s, (int)seen[s]);
			wrong++;
		}
	}
	printf("%d signals went wrong\n", wrong);
}

/* Queries about signals return what the program has set before. */
static void questions(void)
{
	struct sigaction action;
	int wrong = 0;
	for (int s = 1; s <= SIGRTMAX; s++) {
		if (s == SIGKILL || s == SIGSTOP || (s >= 32 && s < SIGRTMIN))
			continue;
		sigaction(s, NULL, &action);
		if (action.sa_handler != SIG_DFL)
			printf("signal %d has a handler at the start\n", s);
		handle(s, count, SA_RESTART | SA_NODEFER);
		sigaction(s, NULL, &action);
		wrong += action.sa_handler != count ||
			 (action.sa_flags & (SA_RESTART | SA_NODEFER | SA_SIGINFO)) != (SA_RESTART | SA_NODEFER);
	}
	sigset_t mask;
	int blocked = 0;
	sigprocmask(SIG_SETMASK, NULL, &mask);
	for (int s = 1; s <= SIGRTMAX; s++)
		blocked += sigismember(&mask, s) == 1;
	printf("%d wrong answers, %d signals blocked\n", wrong, blocked);
}

static void *burn_blocked(void *unused)
{
	sigset_t all, now;
	int members = 0;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	burn_here(150);
	pthread_sigmask(SIG_SETMASK, NULL, &now);
	for (int s = 1; s <= SIGRTMAX; s++)
		members += sigismember(&now, s) == 1;
	printf("%d signals blocked\n", members);
	return unused;
}

/* All signals are blocked in all threads, before and after the threads are created. */
static void blocked(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, burn_blocked, NULL);
	pthread_join(thread, NULL);
	burn_blocked(NULL);
	pthread_create(&thread, NULL, burn_blocked, NULL);
	pthread_join(thread, NULL);
	raise(SIGUSR1);
	puts("a blocked SIGUSR1 did not end the program");
}

/* Resets all signals, as daemons and shells do. */
static void reset(void)
{
	for (int round = 0; round < 20; round++) {
		for (int s = 1; s <= 64; s++)
			signal(s, SIG_DFL);
		burn_here(10);
	}
	for (int round = 0; round < 20; round++) {
		for (int s = 1; s <= 64; s++)
			handle(s, round % 2 ? SIG_DFL : SIG_IGN, 0);
		burn_here(10);
	}
	puts("all signals reset");
}

static void jump_back(int signal_number)
{
	seen[signal_number]++;
	siglongjmp(back, 1);
}

/* Jumps out of a handler, whatever it interrupted, Heddle's own handler included. */
static void jump(void)
{
	handle(SIGALRM, jump_back, 0);
	while (seen[SIGALRM] < 100) {
		if (sigsetjmp(back, 1) == 0) {
			setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 1000}}, NULL);
			for (;;)
				burn_here(1);
		}
	}
	printf("%d jumps\n", (int)seen[SIGALRM]);
}

static NOINLINE void jump_from(int depth)
{
	if (depth == 0)
		longjmp(plain_back, 1);
	if (depth > 0)
		jump_from(depth - 1);
	seen[0]++;
}

/* longjmp over 30 frames, 100,000 times. */
static void deep_jump(void)
{
	volatile int jumps = 0;
	while (jumps < 100000) {
		if (setjmp(plain_back) == 0)
			jump_from(30);
		jumps++;
	}
	burn_here(50);
	printf("%d jumps\n", jumps);
}

/* A handler that burns on an alternate stack of 16 KiB, so that samples are taken on it. */
static void burn_in_handler(int signal_number)
{
	seen[signal_number]++;
	burn_here(20);
}

static void alternate_stack(void)
{
	static char memory[16384];
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof memory}, now;
	sigaltstack(&stack, NULL);
	handle(SIGUSR1, burn_in_handler, SA_ONSTACK);
	for (int i = 0; i < 10; i++)
		raise(SIGUSR1);
	sigaltstack(NULL, &now);
	printf("%d handled, the stack is %s\n", (int)seen[SIGUSR1], now.ss_sp == memory ? "still ours" : "another");
}

/* Coroutines: stacks that the program creates. */
static ucontext_t main_context, co_context;

static void coroutine(void)
{
	for (int i = 0; i < 20; i++) {
		burn_here(5);
		swapcontext(&co_context, &main_context);
	}
}

static void coroutines(void)
{
	static char memory[65536];
	getcontext(&co_context);
	co_context.uc_stack = (stack_t){.ss_sp = memory, .ss_size = sizeof memory};
	co_context.uc_link = &main_context;
	makecontext(&co_context, coroutine, 0);
	for (int i = 0; i < 20; i++) {
		swapcontext(&main_context, &co_context);
		burn_here(5);
	}
	puts("20 switches");
}

static const struct {
	const char *name;
	void (*run)(void);
} ways[] = {
	{"own_sigprof", own_sigprof},
	{"own_timers", own_timers},
	{"every_signal", every_signal},
	{"questions", questions},
	{"blocked", blocked},
	{"reset", reset},
	{"jump", jump},
	{"deep_jump", deep_jump},
	{"alternate_stack", alternate_stack},
	{"coroutines", coroutines},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof ways / sizeof *ways; i++) {
		if (strcmp(argv[1], ways[i].name) == 0) {
			ways[i].run();
			return 0;
		}
	}
	return 98;
}
