/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A small OpenMP runtime for tests: the functions that a compiler would call, and a tool interface that follows the
 * report of November 2015 to the letter. The variable SIMULATED selects report (all events), minimal (only the
 * mandatory ones), llvm (the deviations of LLVM 4.0's runtime) or llvm39 (as llvm, without task switches).
 * SIMULATED_REGISTERED=1 prints the numbers of the events that the tool registers.
 */
#ifndef SIMULATED_H
#define SIMULATED_H

#include <stdbool.h>
#include <stdint.h>

/* Begins the definition of a construct's body, with a name as compilers give it to an outlined function. */
#define SIM_OUTLINED(name, argument)                                  \
	static void name(void *argument) __asm__(#name "._omp_fn.0"); \
	static void name(void *argument)

void sim_parallel(unsigned int size, void (*body)(void *), void *argument);
unsigned int sim_thread_num(void);
void sim_barrier(void);

void sim_task(void (*body)(void *), void *argument);
/* Returns NULL if the task was executed. Otherwise the caller calls its body, and then sim_task_if0_end. */
void *sim_task_if0_begin(void (*body)(void *), void *argument);
void sim_task_if0_end(void *task);

/* The code of compilers for `if(0)`: with LLVM's runtimes, the program calls the task's function itself. */
#define SIM_TASK_IF0(body, argument)                                 \
	do {                                                         \
		void *sim_task = sim_task_if0_begin(body, argument); \
		if (sim_task) {                                      \
			body(argument);                              \
			sim_task_if0_end(sim_task);                  \
		}                                                    \
	} while (0)

void sim_task_depend(void (*body)(void *), void *argument, void *variable, unsigned int flags);
void sim_task_depend_if0(void (*body)(void *), void *argument, void *variable, unsigned int flags);
void sim_taskloop(void (*body)(void *), void *argument, unsigned int count);
void sim_taskwait(void);
void sim_taskwait_depend(void *variable, unsigned int flags);
void sim_taskgroup_begin(void);
void sim_taskgroup_end(void);

/* Worksharing. sim_single_begin and sim_master_begin return true if the calling thread executes the block. */
enum sim_work { SIM_LOOP, SIM_SECTIONS, SIM_WORKSHARE };
void sim_work_begin(enum sim_work kind);
void sim_work_end(enum sim_work kind);
bool sim_single_begin(void);
void sim_single_end(bool executed);
bool sim_master_begin(void);
void sim_master_end(void);

struct sim_lock {
	int held; /* times, by the owner */
	unsigned long owner;
};
enum sim_mutex { SIM_LOCK, SIM_NEST_LOCK, SIM_CRITICAL, SIM_ATOMIC, SIM_ORDERED };
void sim_init_lock(struct sim_lock *lock, bool nest);
void sim_destroy_lock(struct sim_lock *lock, bool nest);
void sim_acquire(struct sim_lock *lock, enum sim_mutex kind);
void sim_release(struct sim_lock *lock, enum sim_mutex kind);
void sim_flush(void);

/* Target constructs. There is one device, number 0, on whose clock a kernel takes kernel_ns. */
void sim_target(uint64_t kernel_ns, unsigned int bytes_to, unsigned int bytes_from);
void sim_target_enter_data(unsigned int bytes);
void sim_target_exit_data(unsigned int bytes);
void sim_target_update(unsigned int bytes); /* nowait: its end is reported as asynchronous */
void sim_target_data(void (*body)(void *), void *argument);

void ompt_control(uint64_t command, uint64_t modifier);
void ompt_control_(const int64_t *command, const int64_t *modifier);

#endif
