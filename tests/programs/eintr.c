/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * eintr: burns a little, then waits in a system call that a signal would interrupt, repeatedly, in two threads. Prints
 * for each call how many waits ended with EINTR: none, unless someone sends signals.
 */
#include "burn.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

#define ROUNDS 25
#define WAIT_MS 4

enum { NANOSLEEP, POLL, SELECT, EPOLL, READ, SEM, USLEEP, CALLS };
static const char *const names[CALLS] = {
	"nanosleep", "poll", "select", "epoll_wait", "read", "sem_timedwait", "usleep"};
static _Atomic int interrupted[CALLS];
static int pipe_ends[2];
static atomic_bool done;

static NOINLINE void burn_here(void)
{
	burn_ms(2);
}

static bool wait_in(int call)
{
	struct timespec ms = {.tv_nsec = WAIT_MS * 1000000}, until;
	struct timeval tv = {.tv_usec = WAIT_MS * 1000};
	struct epoll_event event;
	sem_t semaphore;
	char byte;
	int result = 0, saved;

	switch (call) {
	case NANOSLEEP:
		result = nanosleep(&ms, NULL);
		break;
	case POLL:
		result = poll(NULL, 0, WAIT_MS);
		break;
	case SELECT:
		result = select(0, NULL, NULL, NULL, &tv);
		break;
	case EPOLL: {
		int fd = epoll_create1(0);
		result = epoll_wait(fd, &event, 1, WAIT_MS);
		saved = errno;
		close(fd);
		errno = saved;
		break;
	}
	case READ:
		result = read(pipe_ends[0], &byte, 1) == 1 ? 0 : -1;
		break;
	case SEM:
		sem_init(&semaphore, 0, 0);
		clock_gettime(CLOCK_REALTIME, &until);
		until.tv_nsec += WAIT_MS * 1000000;
		until.tv_sec += until.tv_nsec / 1000000000;
		until.tv_nsec %= 1000000000;
		result = sem_timedwait(&semaphore, &until);
		break;
	default:
		result = usleep(WAIT_MS * 1000);
	}
	return result < 0 && errno == EINTR;
}

static void *wait_and_count(void *unused)
{
	for (int round = 0; round < ROUNDS; round++) {
		for (int call = 0; call < CALLS; call++) {
			burn_here();
			atomic_fetch_add(&interrupted[call], wait_in(call));
		}
	}
	return unused;
}

static void *feed(void *unused)
{
	while (!atomic_load(&done)) {
		usleep(WAIT_MS * 1000);
		if (write(pipe_ends[1], "x", 1) != 1)
			break;
	}
	return unused;
}

int main(void)
{
	pthread_t waiter, feeder;
	if (pipe(pipe_ends) != 0)
		return 98;
	pthread_create(&feeder, NULL, feed, NULL);
	pthread_create(&waiter, NULL, wait_and_count, NULL);
	wait_and_count(NULL);
	pthread_join(waiter, NULL);
	atomic_store(&done, true);
	pthread_join(feeder, NULL);
	for (int call = 0; call < CALLS; call++)
		printf("%s: %d interrupted\n", names[call], atomic_load(&interrupted[call]));
	return 0;
}
