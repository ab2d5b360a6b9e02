/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The variables that compiled code reads as constants (abi.h). This file does not include abi.h, which declares them
 * const.
 */
#include <stdint.h>

extern int THREADS, MYTHREAD;
extern uint64_t __upcrt_threads_inverse;
extern int __upcrt_tool;
extern int *const hupc__threads_variable, *const hupc__mythread_variable, *const hupc__tool_variable;
extern uint64_t *const hupc__inverse_variable;

int THREADS = 1;
int MYTHREAD;
uint64_t __upcrt_threads_inverse = UINT64_MAX;
int __upcrt_tool;

int *const hupc__threads_variable = &THREADS, *const hupc__mythread_variable = &MYTHREAD;
int *const hupc__tool_variable = &__upcrt_tool;
uint64_t *const hupc__inverse_variable = &__upcrt_threads_inverse;
