/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples threads created without Heddle's pthread_create: if a runtime loaded the library, the program calls another
 * one. The keeper finds them in /proc and arms a timer for each. At its first signal, a thread makes the prepared
 * context its own (heddle__discovered_self runs in the signal handler).
 */
#include "sampling/discover.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "core/process/thread_life.h"
#include "core/threads/control.h"
#include "core/threads/excluded.h"

static bool searching; /* set before the first signal, never reset */

bool heddle__discovers_threads(void)
{
	return searching;
}

void heddle__discover_init(void)
{
	void *create = dlsym(RTLD_DEFAULT, "pthread_create");
	struct heddle_module *module = create ? heddle__module_find((uintptr_t)create) : NULL;
	searching = module && module->role != HEDDLE_MODULE_HEDDLE;
}

static void discover(pid_t tid)
{
	static _Atomic bool said;
	struct heddle_sampler_thread *sampler;
	struct heddle_thread *thread = heddle__thread_acquire(0, HEDDLE_THREAD_OTHER);
	if (!thread)
		return;
	heddle__thread_belongs_to(thread, tid);
	sampler = heddle__sampler_of(thread);
	if (!sampler)
		thread->frontend[heddle__sampler_index] = sampler = heddle__map(sizeof(*sampler));
	if (!sampler) {
		heddle__thread_release(thread);
		return;
	}
	sampler->switch_rate = (struct heddle_switch_rate){0};
	bool armed = heddle__sampler_arm(thread, sampler) == 0;
	if (!armed && syscall(SYS_tgkill, getpid(), tid, 0) == 0) /* it has not ended since */
		heddle__warn_once(&said, "cannot make a timer for thread %d; it is not sampled", (int)tid);
}

static bool is_listed(const pid_t *tids, size_t count, pid_t tid)
{
	for (size_t i = 0; i < count; i++) {
		if (tids[i] == tid)
			return true;
	}
	return false;
}

/* Checks with the kernel, as a thread that is not in the list may have begun since. */
static bool is_dead(const pid_t *tids, size_t count, pid_t tid)
{
	return !is_listed(tids, count, tid) && syscall(SYS_tgkill, getpid(), tid, 0) < 0 && errno == ESRCH;
}

/* Releases contexts and timers of threads that ended unnoticed. */
static void bury_dead(const pid_t *tids, size_t count)
{
	for (struct heddle_thread *thread = heddle__threads(); thread; thread = thread->next) {
		struct heddle_sampler_thread *sampler = heddle__sampler_of(thread);
		if (!sampler || atomic_load(&thread->life) != HEDDLE_LIFE_ACTIVE ||
			thread->role == HEDDLE_THREAD_MAIN || !is_dead(tids, count, thread->tid))
			continue;
		if (sampler->timer.source)
			sampler->timer.source->disarm(&sampler->timer);
		heddle__thread_release(thread);
	}
}

void heddle__discover_listed(const pid_t *tids, size_t count, bool all)
{
	for (size_t i = 0; i < count; i++) {
		if (!heddle__thread_of(tids[i]) && !heddle__excluded_has(tids[i]))
			discover(tids[i]);
	}
	if (all)
		bury_dead(tids, count);
}

#define MOST_THREADS 1024

void heddle__discover_threads(void)
{
	struct {
		ino64_t inode;
		off64_t offset;
		unsigned short length;
		unsigned char type;
		char name[];
	} const *entry;
	_Alignas(8) char buffer[4096];
	static pid_t tids[MOST_THREADS]; /* used by the keeper only */
	size_t count = 0;
	long n;
	int fd = searching ? open("/proc/self/task", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (fd < 0)
		return;
	while ((n = syscall(SYS_getdents64, fd, buffer, sizeof(buffer))) > 0) {
		for (long at = 0; at < n; at += entry->length) {
			entry = (const void *)(buffer + at);
			pid_t tid = (pid_t)strtol(entry->name, NULL, 10);
			if (tid > 0 && count < MOST_THREADS)
				tids[count++] = tid;
		}
	}
	close(fd);
	heddle__discover_listed(tids, count, count < MOST_THREADS);
}

struct heddle_thread *heddle__discovered_self(void)
{
	struct heddle_thread *thread = searching ? heddle__thread_of(gettid()) : NULL;
	return thread ? heddle__thread_begin(thread, heddle__default_stack_size()) : NULL;
}
