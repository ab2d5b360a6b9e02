/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Four threads load and unload libraries of the same layout, so that libraries take each other's addresses, while
 * timers sample all threads. Every call chain records its true frames, because libunwind would deadlock here. A keeper
 * refreshes the registry whenever it is stale, or never (argument "never"); then all library frames are walked without
 * a table.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "format/ids.h"
#include "sampling/unwind/unwind.h"
#include "storm.h"

#define THREADS 4
#define LIBRARIES 8
#define WALK_MAX 64
#define LEAST_LOADS 300
#define SECONDS 1.0 /* at least; the loads may take longer */

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static _Thread_local struct storm_chain *volatile current;
static _Thread_local volatile int current_library;
static _Thread_local volatile bool last_spin, was_judged;
static _Thread_local uintptr_t stack_high;
static _Atomic bool done;
static _Atomic unsigned samples, right, wrong, wrong_module, unnamed, loads;

static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* The frame's module must be the library that this thread called, or unknown. */
static void judge_place(const struct heddle_frame *frame)
{
	uint32_t id = HEDDLE_PLACE_MODULE(frame->place);
	char name[32];

	snprintf(name, sizeof(name), "storm_library_%d.so", current_library);
	if (id == 0)
		unnamed++;
	else if (!strstr(heddle__module_by_id(id)->path, name))
		wrong_module++;
}

/* frames[0] is in the callback, whose own frame is the last one of the chain. */
static bool is_true(const struct storm_chain *chain, const struct heddle_frame *frames, size_t count)
{
	if (count < (size_t)chain->depth + 1)
		return false;
	for (int i = 0; i < chain->depth; i++) {
		int noted = chain->depth - 1 - i;

		if (frames[i].cfa != chain->frames[noted].cfa ||
			frames[i + 1].pc != chain->frames[noted].return_address)
			return false;
	}
	return true;
}

static void on_timer(int signal, siginfo_t *info, void *context)
{
	struct heddle_unwind_start start = {.context = context};
	struct heddle_frame frames[WALK_MAX];
	enum heddle_unwind_end end;
	size_t count = heddle__unwinder_tables.walk(&start, stack_high, 0, frames, WALK_MAX, &end);

	(void)signal;
	(void)info;
	samples++;
	if (!current || current->depth != 4)
		return; /* elsewhere, mostly in the dynamic linker: the walk must only not fault */
	if (is_true(current, frames, count) && end == HEDDLE_UNWIND_COMPLETE)
		right++;
	else
		wrong++;
	for (int i = 1; i <= 3 && (size_t)i < count; i++)
		judge_place(&frames[i]);
	was_judged = true;
}

/* Of the spins of a load, the last one waits for a sample, since a busy machine has few in the others. */
__attribute__((noinline)) static void spin(struct storm_chain *chain)
{
	STORM_NOTE(chain);
	current = chain;
	for (volatile int i = 0; i < 20000 || (last_spin && !was_judged); i++)
		continue;
	current = NULL;
	chain->depth--;
}

static void find_stack(void)
{
	pthread_attr_t attributes;
	void *low;
	size_t size;

	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &low, &size);
	pthread_attr_destroy(&attributes);
	stack_high = (uintptr_t)low + size;
}

static void load_and_call(unsigned *seed)
{
	struct storm_chain chain = {.depth = 0};
	void (*entry)(struct storm_chain *, storm_callback *);
	char path[4096];
	void *library;

	current_library = rand_r(seed) % LIBRARIES;
	snprintf(path, sizeof(path), "%s/storm_library_%d.so", LIBRARY_FOLDER, current_library);
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		printf("%s\n", dlerror());
		exit(1);
	}
	*(void **)&entry = dlsym(library, "storm_entry");
	was_judged = false;
	for (int i = 0; i < 4; i++) {
		last_spin = i == 3;
		entry(&chain, spin);
	}
	dlclose(library);
	loads++;
}

static void *storm(void *argument)
{
	unsigned seed = (unsigned)(uintptr_t)argument;
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
	struct itimerspec often = {{0, 500000}, {0, 500000}};
	timer_t timer;

	find_stack();
	event.sigev_notify_thread_id = (pid_t)syscall(SYS_gettid);
	if (timer_create(CLOCK_MONOTONIC, &event, &timer))
		return NULL;
	timer_settime(timer, 0, &often, NULL);
	while (!done)
		load_and_call(&seed);
	timer_delete(timer);
	return NULL;
}

static void keep(double until, bool refresh)
{
	struct timespec nap = {0, 500000};

	while (seconds() < until || loads < LEAST_LOADS) {
		if (refresh && heddle__modules_stale())
			heddle__modules_refresh();
		nanosleep(&nap, NULL);
	}
}

int main(int argc, char **argv)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART};
	bool refresh = !(argc > 1 && !strcmp(argv[1], "never"));
	pthread_t threads[THREADS];

	action.sa_sigaction = on_timer;
	sigaction(SIGPROF, &action, NULL);
	if (heddle__unwinder_tables.init())
		return 1;
	for (uintptr_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, storm, (void *)(i + 1)))
			return 1;
	keep(seconds() + SECONDS, refresh);
	done = true;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%u loads, %u samples, judged: %u right, %u wrong; library frames: %u of a wrong module, %u not named\n",
		loads, samples, right, wrong, wrong_module, unnamed);
	return wrong || wrong_module || right < LEAST_LOADS || (refresh && unnamed >= 3 * right);
}
