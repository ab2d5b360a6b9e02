/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The measured program's own calls that Heddle takes part in, by standing in front of them (host_*.c): thread creation,
 * ending, exec, signals. Each wrapper calls the real function with what the program gave, and returns what it returned.
 */
#ifndef HEDDLE_CORE_HOST_H
#define HEDDLE_CORE_HOST_H

#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

/* Marks what is exported by name (core/heddle.map holds the list). */
#define HEDDLE_EXPORT __attribute__((visibility("default")))

/* Every function that Heddle stands in front of, or calls past its own wrapper. */
#define HEDDLE_HOST_FUNCTIONS(X) \
	X(pthread_create)        \
	X(thrd_create)           \
	X(_exit)                 \
	X(_Exit)                 \
	X(quick_exit)            \
	X(execve)                \
	X(execv)                 \
	X(execvp)                \
	X(execvpe)               \
	X(fexecve)               \
	X(execveat)              \
	X(sigaction)             \
	X(pthread_sigmask)       \
	X(sigwait)               \
	X(sigwaitinfo)           \
	X(sigtimedwait)

/* The functions that those names would be without Heddle. */
struct heddle_host_functions {
#define X(name) __typeof__(name) *name;
	HEDDLE_HOST_FUNCTIONS(X)
#undef X
};

extern struct heddle_host_functions heddle__host;
extern bool heddle__host_known;

/* Look them up. Context: any thread, before signals of ours can arrive. */
void heddle__host_resolve(void);

/* The real function; a wrapper may be called before our constructor ran. */
#define HEDDLE_REAL(name) (*(heddle__host_known ? (void)0 : heddle__host_resolve(), heddle__host.name))

/* Catch fatal signals that the program left alone. Context: init. */
void heddle__host_init(void);

/*
 * Take `signal` for samples: the program's attempts to handle, block or reset it have no effect from now on, but for
 * what it sees when it asks. Context: init. Returns 0 or -errno.
 */
int heddle__claim_signal(int signal, void (*handler)(int, siginfo_t *, void *));

/* The claimed signal came, but was no sample: do what the program wants done with it. Context: signal. */
void heddle__foreign_signal(int number, siginfo_t *info, void *context);

/* The calling thread believes that it has blocked the claimed signal; new threads inherit that. Context: owner thread.
 */
extern _Thread_local bool heddle__claimed_is_blocked;

/*
 * Keep signals and cancellation away from the calling thread while Heddle writes, also those that writing itself brings
 * about (a limit on file sizes). Context: any thread, signal.
 */
struct heddle_signal_guard {
	sigset_t before;
	bool size_limit_pending;
	int cancel_state;
};
void heddle__guard_signals(struct heddle_signal_guard *guard);
void heddle__release_signals(const struct heddle_signal_guard *guard);

/* A thread of Heddle's own, with all signals blocked, that is not measured. Returns 0 or -errno. */
int heddle__start_own_thread(pthread_t *thread, void *(*routine)(void *));

/* Allow the claimed signal on the calling thread. Context: any thread. */
void heddle__unblock_claimed_signal(void);

#endif
