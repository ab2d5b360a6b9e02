/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The variables that compiled code reads as constants (abi.h). This file does not include abi.h, which declares them
 * const.
 */
#include "upc/runtime/base/variables.h"

#define MOST_THREADS 1024             /* UPCRT_MAX_THREADS */
#define BASE UINT64_C(0x200000000000) /* UPCRT_BASE */

extern int THREADS, MYTHREAD;
extern uint64_t __upcrt_threads_inverse;
extern int __upcrt_checked, __upcrt_remote;
extern unsigned char __upcrt_same_node[MOST_THREADS];
extern uint64_t __upcrt_node_shift, __upcrt_node_size, __upcrt_node_base;
extern const void *const volatile *__upcrt_outstanding;

int THREADS = 1;
int MYTHREAD;
uint64_t __upcrt_threads_inverse = UINT64_MAX;
int __upcrt_checked, __upcrt_remote;
unsigned char __upcrt_same_node[MOST_THREADS] = {[0 ... MOST_THREADS - 1] = 1};
uint64_t __upcrt_node_shift, __upcrt_node_size = UINT64_MAX, __upcrt_node_base = BASE;
static const void *const nothing;
const void *const volatile *__upcrt_outstanding = &nothing;

int *const hupc__threads_variable = &THREADS, *const hupc__mythread_variable = &MYTHREAD;
int *const hupc__checked_variable = &__upcrt_checked, *const hupc__remote_variable = &__upcrt_remote;
uint64_t *const hupc__inverse_variable = &__upcrt_threads_inverse;
unsigned char *const hupc__same_node_variable = __upcrt_same_node;
uint64_t *const hupc__node_shift_variable = &__upcrt_node_shift, *const hupc__node_size_variable = &__upcrt_node_size;
uint64_t *const hupc__node_base_variable = &__upcrt_node_base;
const void *const volatile **const hupc__outstanding_variable = &__upcrt_outstanding;
