/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A simulated machine with one processor, for programs and tests that state how much time passes. No other time passes,
 * so the measured values are exact, however busy the real machine is. It is in the libheddle.so of tests/simulated
 * (CONTRIBUTING.md), and linked to unit tests by heddle_simulated. For a program that is not measured by that library,
 * simulated() is false, and the program must use the time of the real machine.
 */
#ifndef HEDDLE_TESTS_SUPPORT_SIMULATED_H
#define HEDDLE_TESTS_SUPPORT_SIMULATED_H

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif

enum simulated_step { SIMULATED_OVER, SIMULATED_SIGNAL, SIMULATED_OTHERS_RUN };

struct simulated_signal {
	int number;
	pid_t process, thread;
	siginfo_t info;
};

/*
 * Runs the calling thread for *ns of CPU time, and subtracts what has passed from *ns. Returns early if a signal is
 * due, which the caller must send to itself from the function that it is to interrupt, or if another thread has the
 * processor. With in_kernel, a signal is due at the end only.
 */
enum simulated_step simulated_run(uint64_t *ns, bool in_kernel, struct simulated_signal *due) __attribute__((weak));

/*
 * Lets ns pass while the calling thread does not run: it sleeps, or another thread has the processor. Counts one
 * switch.
 */
void simulated_sleep(uint64_t ns) __attribute__((weak));

/* Counts so many context switches of the calling thread; no time passes. */
void simulated_switch(unsigned int times) __attribute__((weak));

/* Delays the next signal of the calling thread's timer by ns of CPU time. */
void simulated_be_late(uint64_t ns) __attribute__((weak));

/* Like clock_gettime, in ns. */
uint64_t simulated_time(clockid_t clock) __attribute__((weak));

/* How many threads wait for locks, or otherwise, in all processes, as blame counts them; 0 without --blame. */
unsigned int simulated_waiting(bool for_locks) __attribute__((weak));

#ifdef __cplusplus
}
#endif

static inline bool simulated(void)
{
	return simulated_run != 0;
}

/* Sends the signal, which interrupts the function that this one is inlined into. */
static inline __attribute__((always_inline)) void simulated_send(struct simulated_signal *due)
{
#if defined(__x86_64__)
	register long info __asm__("r10") = (long)&due->info;
	long result = SYS_rt_tgsigqueueinfo;
	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"((long)due->process), "S"((long)due->thread), "d"((long)due->number), "r"(info)
			 : "rcx", "r11", "memory");
#else
	syscall(SYS_rt_tgsigqueueinfo, due->process, due->thread, due->number, &due->info);
#endif
}

static inline __attribute__((always_inline)) void simulated_pass(uint64_t ns, bool in_kernel)
{
	struct simulated_signal due;
	enum simulated_step step;
	while ((step = simulated_run(&ns, in_kernel, &due)) != SIMULATED_OVER) {
		if (step == SIMULATED_SIGNAL)
			simulated_send(&due);
		else
			sched_yield();
	}
}

/* Takes ns of CPU time. Inlined, so that the samples are in the calling function. */
static inline __attribute__((always_inline)) void simulated_burn(uint64_t ns)
{
	simulated_pass(ns, false);
}

/* Takes ns of CPU time in the kernel, as if the calling function had made a system call. */
static inline __attribute__((always_inline)) void simulated_system_call(uint64_t ns)
{
	simulated_pass(ns, true);
}

#endif
