/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A simulated machine with one processor, for programs and tests that say how much time passes: it passes in no other
 * way, so what is measured are exact numbers, however busy the real machine is. It is in the libheddle.so of
 * tests/simulated (CONTRIBUTING.md), and linked to unit tests by heddle_simulated. A program that is not measured by
 * that library has none (simulated() is false), and must take its time from the real machine.
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
 * The calling thread runs until *ns have passed, which are counted down, or a signal is due, which it must send itself
 * from where it runs; or another thread has the processor. In the kernel no signal comes before the end.
 */
enum simulated_step simulated_run(uint64_t *ns, bool in_kernel, struct simulated_signal *due) __attribute__((weak));

/* Time passes while the calling thread does not run: asleep, or another has the processor. Counts one switch. */
void simulated_sleep(uint64_t ns) __attribute__((weak));

/* The thread loses the processor so many times, for no time. */
void simulated_switch(unsigned int times) __attribute__((weak));

/* The next signal of the calling thread's timer comes so much CPU time after it is due. */
void simulated_be_late(uint64_t ns) __attribute__((weak));

/* As clock_gettime, in ns. */
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

/* The signal interrupts the function that this is put into. */
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

/* The calling function takes so much CPU time. Inlined, so that its samples are in the function that burns. */
static inline __attribute__((always_inline)) void simulated_burn(uint64_t ns)
{
	simulated_pass(ns, false);
}

/* The same in the kernel, which it entered here. */
static inline __attribute__((always_inline)) void simulated_system_call(uint64_t ns)
{
	simulated_pass(ns, true);
}

#endif
