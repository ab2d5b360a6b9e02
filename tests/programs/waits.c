/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * waits N: blocks signal N and waits for it in all possible ways, each in a process of its own; then burns CPU time. A
 * process that waits forever is killed. waits N TIMES: one thread waits for it TIMES times.
 */
#include "../support/patience.h"
#include "burn.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int number;
static volatile sig_atomic_t waits, handled, early;
static atomic_int go, sent;

static NOINLINE void burn_here(double ms)
{
	burn_ms(ms);
}

static NOINLINE void burn_beside(double ms)
{
	burn_ms(ms);
}

static void count(int signal_number)
{
	(void)signal_number;
	handled++;
	early += !waits;
}

static sigset_t only(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, number);
	return set;
}

static sigset_t all(void)
{
	sigset_t set;
	sigfillset(&set);
	return set;
}

/* Creates a process that sends the signal several times, each time after the previous one has been received. */
static pid_t sender(int times, int gate[2])
{
	pid_t parent = getpid(), child;
	if (pipe(gate))
		exit(1);
	child = fork();
	if (child == 0) {
		char token;
		for (int i = 0; i < times && read(gate[0], &token, 1) == 1; i++)
			kill(parent, number);
		_exit(0);
	}
	return child;
}

static void ask(int gate[2])
{
	if (write(gate[1], "x", 1) != 1)
		exit(1);
}

/* Waits as an event loop does: a descriptor reports the signal, which another process sends. */
static void by_descriptor(void)
{
	sigset_t set = only();
	int gate[2], woken = 0;
	struct epoll_event event = {.events = EPOLLIN};
	struct signalfd_siginfo info;
	sigprocmask(SIG_BLOCK, &set, NULL);
	int fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC), poll = epoll_create1(0);
	epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
	pid_t child = sender(3, gate);
	ask(gate);
	while (woken < 3) {
		int n = epoll_wait(poll, &event, 1, -1);
		burn_here(10);
		if (n <= 0 || read(fd, &info, sizeof info) != sizeof info)
			continue;
		printf("read %d from %s\n", (int)info.ssi_signo,
			(pid_t)info.ssi_pid == child ? "the child" : "another");
		if (++woken < 3)
			ask(gate);
	}
}

/* Reads a descriptor for all signals, without waiting until it is readable. */
static void by_full_descriptor(void)
{
	sigset_t set = all();
	struct signalfd_siginfo info;
	sigprocmask(SIG_BLOCK, &set, NULL);
	int fd = signalfd(-1, &set, SFD_CLOEXEC);
	burn_here(20);
	kill(getpid(), number);
	printf("read %d bytes", (int)read(fd, &info, sizeof info));
	printf(" of %d\n", (int)info.ssi_signo);
}

static void *take(void *set)
{
	int got = 0;
	atomic_store(&go, 1);
	sigwait(set, &got);
	printf("a thread got %d\n", got);
	return NULL;
}

/* A thread waits for all signals; they are blocked in all threads. */
static void by_thread(void)
{
	static sigset_t set;
	pthread_t thread;
	set = all();
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < 3; i++) {
		pthread_create(&thread, NULL, take, &set);
		burn_here(20);
		kill(getpid(), number);
		pthread_join(thread, NULL);
	}
}

/* The signal arrives before the thread that waits for it begins: on one processor, its creator runs first. */
static void by_late_thread(void)
{
	static sigset_t set;
	pthread_t thread;
	cpu_set_t one;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
	set = all();
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	for (int i = 0; i < 10; i++) {
		pthread_create(&thread, NULL, take, &set);
		kill(getpid(), number);
		pthread_join(thread, NULL);
	}
}

static void with_timeout(void)
{
	sigset_t set = only(), full = all();
	siginfo_t info;
	struct timespec short_time = {0, 50000000}, long_time = {patience() / 4, 0};
	sigprocmask(SIG_BLOCK, &full, NULL);
	printf("nothing: %d", sigtimedwait(&set, &info, &short_time));
	printf(" %d", errno == EAGAIN);
	raise(number);
	printf(", then %d", sigtimedwait(&full, &info, &long_time));
	printf(" by tgkill %d", info.si_code == SI_TKILL);
	sigqueue(getpid(), number, (union sigval){.sival_int = 7});
	printf(", %d", sigwaitinfo(&set, &info));
	printf(" with %d\n", info.si_value.sival_int);
}

static void say_pending(void)
{
	sigset_t pending;
	sigpending(&pending);
	printf("pending %d, handled %d, too early %d\n", sigismember(&pending, number), (int)handled, (int)early);
}

/* The signal is blocked except during the wait, so that its handler runs only then. */
static void in_suspend(void)
{
	sigset_t set = only(), before;
	signal(number, count);
	sigprocmask(SIG_BLOCK, &set, &before);
	for (int i = 0; i < 3; i++) {
		raise(number);
		burn_here(10);
		say_pending();
		waits = 1;
		while (handled <= i)
			sigsuspend(&before);
		waits = 0;
		printf("suspended: handled %d\n", (int)handled);
	}
	int gate[2];
	sender(1, gate);
	ask(gate);
	waits = 1;
	while (handled < 4)
		ppoll(NULL, 0, NULL, &before);
	printf("poll: handled %d\n", (int)handled);
}

static void *burn_blocked(void *unused)
{
	sigset_t set = all();
	pthread_sigmask(SIG_SETMASK, &set, NULL);
	atomic_fetch_add(&go, 1);
	burn_beside(150);
	while (!atomic_load(&sent))
		usleep(1000);
	say_pending();
	return unused;
}

/* The signal arrives while threads that have blocked all signals work. It is handled when one thread unblocks it. */
static void beside_work(void)
{
	sigset_t set = all();
	pthread_t thread;
	signal(number, count);
	sigprocmask(SIG_SETMASK, &set, NULL);
	pthread_create(&thread, NULL, burn_blocked, NULL);
	while (!atomic_load(&go))
		usleep(1000);
	kill(getpid(), number);
	atomic_store(&sent, 1);
	burn_here(100);
	pthread_join(thread, NULL);
	waits = 1;
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	say_pending();
	raise(number);
	say_pending();
	signal(number, SIG_IGN);
	raise(number);
	say_pending();
}

static void (*const ways[])(void) = {
	by_descriptor, by_full_descriptor, by_thread, with_timeout, in_suspend, beside_work, by_late_thread};

static int status_of(pid_t child)
{
	int status = -1;
	time_t until = time(NULL) + patience() / 4;
	while (time(NULL) < until) { /* samples of elapsed time may end a sleep early */
		if (waitpid(child, &status, WNOHANG) == child)
			return status;
		usleep(10000);
	}
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	return status;
}

static void wait_by(size_t way)
{
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		ways[way]();
		exit(0);
	}
	printf("way %zu: status %d\n", way, status_of(child));
}

int main(int argc, char **argv)
{
	number = argc > 1 ? atoi(argv[1]) : SIGURG;
	for (int i = argc > 2 ? atoi(argv[2]) : 0; i > 0; i--)
		wait_by(2);
	for (size_t i = 0; i < sizeof ways / sizeof *ways && argc < 3; i++)
		wait_by(i);
	return 0;
}
