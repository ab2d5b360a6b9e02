/* SPDX-License-Identifier: BSD-3-Clause */
/* The list of excluded threads. Records are added and recycled, never removed. Signal handlers read it (the writer). */
#include "core/threads/excluded.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "core/base/clock.h"
#include "core/base/memory.h"

#define NOT_BEGUN ((pid_t)-1)

static struct heddle_excluded *_Atomic all;
static _Atomic uint64_t ended_cpu_ns; /* of ended threads */
static _Thread_local unsigned int excluding;
static _Thread_local struct heddle_excluded *own; /* never reset: code that runs after the end is not measured either */

static pthread_key_t end_key;

void heddle__exclude_created(bool begin)
{
	if (begin)
		excluding++;
	else if (excluding)
		excluding--;
}

bool heddle__excludes_created(void)
{
	return excluding || own;
}

bool heddle__is_excluded(void)
{
	return own;
}

static struct heddle_excluded *reuse(void)
{
	for (struct heddle_excluded *one = atomic_load(&all); one; one = one->next) {
		pid_t none = 0;
		if (atomic_compare_exchange_strong(&one->tid, &none, NOT_BEGUN))
			return one;
	}
	return NULL;
}

static struct heddle_excluded *add_excluded(void)
{
	struct heddle_excluded *one = heddle__alloc(sizeof(*one));
	if (!one)
		return NULL;
	atomic_store(&one->tid, NOT_BEGUN);
	one->next = atomic_load(&all);
	while (!atomic_compare_exchange_weak(&all, &one->next, one))
		;
	return one;
}

/* Runs at each end of a thread, also by pthread_exit or cancellation. */
static void at_thread_end(void *argument)
{
	heddle__excluded_release(argument);
}

static void make_key(void)
{
	pthread_key_create(&end_key, at_thread_end);
}

struct heddle_excluded *heddle__excluded_acquire(uintptr_t routine, void *argument)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, make_key);
	struct heddle_excluded *one = reuse();
	if (!one)
		one = add_excluded();
	if (one) {
		one->routine = routine;
		one->argument = argument;
	}
	return one;
}

void heddle__excluded_begin(struct heddle_excluded *self)
{
	own = self;
	atomic_store(&self->tid, gettid());
	pthread_setspecific(end_key, self);
}

void heddle__exclude_self(void)
{
	static struct heddle_excluded uncounted;
	own = &uncounted;
}

void heddle__excluded_release(struct heddle_excluded *self)
{
	if (atomic_load(&self->tid) == gettid())
		atomic_fetch_add(&ended_cpu_ns, heddle__clock_ns(CLOCK_THREAD_CPUTIME_ID));
	atomic_store(&self->tid, 0);
}

uint32_t heddle__excluded_alive(void)
{
	uint32_t count = 0;
	for (const struct heddle_excluded *one = atomic_load(&all); one; one = one->next)
		count += atomic_load(&one->tid) != 0;
	return count;
}

bool heddle__excluded_has(pid_t tid)
{
	for (const struct heddle_excluded *one = atomic_load(&all); one; one = one->next) {
		if (atomic_load(&one->tid) == tid)
			return true;
	}
	return false;
}

/* The clock of a thread that ends during the loop reads 0. */
uint64_t heddle__excluded_cpu_ns(void)
{
	uint64_t sum = atomic_load(&ended_cpu_ns);
	for (const struct heddle_excluded *one = atomic_load(&all); one; one = one->next) {
		pid_t tid = atomic_load(&one->tid);
		if (tid > 0)
			sum += heddle__clock_ns(heddle__cpu_clock_of(tid));
	}
	return sum;
}

void heddle__excluded_after_fork(void)
{
	atomic_store(&ended_cpu_ns, 0);
	for (struct heddle_excluded *one = atomic_load(&all); one; one = one->next)
		atomic_store(&one->tid, one == own ? gettid() : 0);
}
