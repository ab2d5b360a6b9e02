/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that the program excluded from measurement (heddle_unmeasured_threads): they get no context. Their number and
 * CPU time are recorded, so that reports count neither.
 */
#ifndef HEDDLE_CORE_EXCLUDED_H
#define HEDDLE_CORE_EXCLUDED_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* One such thread; recycled after its end. */
struct heddle_excluded {
	struct heddle_excluded *next;
	_Atomic pid_t tid; /* 0: free; -1: its thread has not begun */
	uintptr_t routine; /* set by its creator for it, like all members below */
	void *argument;
	int own_claim; /* heddle__own_claim of its creator */
	sigset_t held; /* signals that it unblocks once it is excluded */
};

/* Begin or end excluding the threads that the calling thread creates; pairs nest. Context: any thread. */
void heddle__exclude_created(bool begin);

/* True if a thread that the calling thread creates is excluded. Context: any thread. */
bool heddle__excludes_created(void);

/* True if the calling thread is excluded. Context: any thread, signal. */
bool heddle__is_excluded(void);

/*
 * Returns a record for a thread to be created; NULL: no memory. May be called before Heddle has started, and does not
 * start it: a program may create such threads before the C library has its environment. Context: any thread.
 */
struct heddle_excluded *heddle__excluded_acquire(uintptr_t routine, void *argument);

/* Makes `self` the record of the calling thread, which it was acquired for; released when the thread ends. */
void heddle__excluded_begin(struct heddle_excluded *self);

/*
 * Excludes the calling thread, one of Heddle's, without counting it: memory that the C library frees at its end is not
 * an event of the program. Context: that thread.
 */
void heddle__exclude_self(void);

/* Releases the record of a thread that ends, or could not be created. */
void heddle__excluded_release(struct heddle_excluded *self);

/* The number of excluded threads that have not ended; true if `tid` is one of them. Context: any thread. */
uint32_t heddle__excluded_alive(void);
bool heddle__excluded_has(pid_t tid);

/* The CPU time of all excluded threads so far. Context: any thread, signal. */
uint64_t heddle__excluded_cpu_ns(void);

/* Context: the child's only thread, after a fork. */
void heddle__excluded_after_fork(void);

#endif
