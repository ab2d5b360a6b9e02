/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A preloaded sampler that does nothing: the perf task-clock event on every thread, SAMPLER_HZ signals per second of
 * CPU time (default 1000), an empty handler. Signals are sent as for Heddle: SIGTRAP if perf may observe the kernel,
 * otherwise SIGURG outside the kernel. Its cost is that of interrupts and signals: a lower bound for such a sampler.
 * SAMPLER_COUNT=1 prints the number of signals on stderr at exit.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

struct start {
	void *(*function)(void *);
	void *argument;
};

static int (*real_create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
static _Atomic long signals;
static int counting;

static void handler(int signal_number)
{
	(void)signal_number;
	if (counting)
		atomic_fetch_add_explicit(&signals, 1, memory_order_relaxed);
}

static int arm(void)
{
	const char *hz = getenv("SAMPLER_HZ");
	struct perf_event_attr attributes = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof attributes,
		.config = PERF_COUNT_SW_TASK_CLOCK,
		.sample_period = 1000000000ull / (hz ? strtoull(hz, NULL, 10) : 1000),
		.sigtrap = 1,
		.remove_on_exec = 1,
		.exclude_hv = 1,
		.disabled = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0) {
		attributes.sigtrap = attributes.remove_on_exec = 0;
		attributes.exclude_kernel = 1;
		fd = (int)syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	}
	if (fd < 0) {
		perror("empty_sampler: perf_event_open");
		return -1;
	}
	struct f_owner_ex owner = {F_OWNER_TID, (pid_t)syscall(SYS_gettid)};
	if (!attributes.sigtrap) {
		fcntl(fd, F_SETFL, O_ASYNC | O_NONBLOCK);
		fcntl(fd, F_SETSIG, SIGURG);
		fcntl(fd, F_SETOWN_EX, &owner);
	}
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	return fd;
}

static void *armed_thread(void *data)
{
	struct start start = *(struct start *)data;
	free(data);
	int fd = arm();
	void *result = start.function(start.argument);
	close(fd);
	return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *), void *argument)
{
	struct start *start = malloc(sizeof *start);
	*start = (struct start){function, argument};
	return real_create(thread, attributes, armed_thread, start);
}

static __attribute__((constructor)) void begin(void)
{
	*(void **)&real_create = dlsym(RTLD_NEXT, "pthread_create");
	counting = getenv("SAMPLER_COUNT") != NULL;
	struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
	sigaction(SIGTRAP, &action, NULL);
	sigaction(SIGURG, &action, NULL);
	arm();
}

static __attribute__((destructor)) void end(void)
{
	if (counting)
		fprintf(stderr, "signals %ld\n", atomic_load(&signals));
}
