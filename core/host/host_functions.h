/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of the C library that Heddle wraps. A wrapper (core/wrappers, and host_signal.c) calls the real
 * function with the program's arguments, and returns its result.
 */
#ifndef HEDDLE_CORE_HOST_FUNCTIONS_H
#define HEDDLE_CORE_HOST_FUNCTIONS_H

#include <grp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/fsuid.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <threads.h>
#include <unistd.h>
#include <wordexp.h>

/* Marks an exported function; all others are hidden. tests/project/exported_symbols.txt lists them. */
#define HEDDLE_EXPORT __attribute__((visibility("default")))

/* The C library exports it, but only the header of libcap declares it. */
int capset(void *header, const void *data);

/* Every function that has a wrapper. */
#define HEDDLE_HOST_FUNCTIONS(X) \
	X(pthread_create)        \
	X(thrd_create)           \
	X(clone)                 \
	X(_exit)                 \
	X(_Exit)                 \
	X(quick_exit)            \
	X(execve)                \
	X(execv)                 \
	X(execvp)                \
	X(execvpe)               \
	X(fexecve)               \
	X(execveat)              \
	X(posix_spawn)           \
	X(posix_spawnp)          \
	X(system)                \
	X(popen)                 \
	X(wordexp)               \
	X(sigaction)             \
	X(pthread_sigmask)       \
	X(sigwait)               \
	X(sigwaitinfo)           \
	X(sigtimedwait)          \
	X(signalfd)              \
	X(setuid)                \
	X(seteuid)               \
	X(setreuid)              \
	X(setresuid)             \
	X(setfsuid)              \
	X(setgid)                \
	X(setegid)               \
	X(setregid)              \
	X(setresgid)             \
	X(setfsgid)              \
	X(setgroups)             \
	X(initgroups)            \
	X(capset)                \
	X(unshare)               \
	X(setns)                 \
	X(prctl)                 \
	X(ptrace)                \
	X(tcsetattr)             \
	X(syscall)

/* The real functions. */
struct heddle_host_functions {
#define X(name) __typeof__(name) *name;
	HEDDLE_HOST_FUNCTIONS(X)
#undef X
};

extern struct heddle_host_functions heddle__host;
extern bool heddle__host_known;

/* Looks up the real functions. Context: any thread, before Heddle's signals can arrive. */
void heddle__host_resolve(void);

/* A real function. Looked up at the first use, since a wrapper may be called before Heddle's constructor. */
#define HEDDLE_REAL(name) (*(heddle__host_known ? (void)0 : heddle__host_resolve(), heddle__host.name))

#endif
