/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The variables that compiled code reads as constants (abi.h). This file does not include abi.h, which declares them
 * const.
 */
#include <stdint.h>

#define MOST_THREADS 1024             /* UPCRT_MAX_THREADS */
#define BASE UINT64_C(0x200000000000) /* UPCRT_BASE */

extern int THREADS, MYTHREAD;
extern uint64_t __upcrt_threads_inverse;
extern int __upcrt_general, __upcrt_far;
extern unsigned char __upcrt_near[MOST_THREADS];
extern uint64_t __upcrt_near_shift, __upcrt_near_size, __upcrt_near_base;
extern const void *const volatile *__upcrt_outstanding;
extern int *const hupc__threads_variable, *const hupc__mythread_variable;
extern int *const hupc__general_variable, *const hupc__far_variable;
extern uint64_t *const hupc__inverse_variable;
extern unsigned char *const hupc__near_variable;
extern uint64_t *const hupc__near_shift_variable, *const hupc__near_size_variable, *const hupc__near_base_variable;
extern const void *const volatile **const hupc__outstanding_variable;

int THREADS = 1;
int MYTHREAD;
uint64_t __upcrt_threads_inverse = UINT64_MAX;
int __upcrt_general, __upcrt_far;
unsigned char __upcrt_near[MOST_THREADS] = {[0 ... MOST_THREADS - 1] = 1};
uint64_t __upcrt_near_shift, __upcrt_near_size = UINT64_MAX, __upcrt_near_base = BASE;
static const void *const nothing;
const void *const volatile *__upcrt_outstanding = &nothing;

int *const hupc__threads_variable = &THREADS, *const hupc__mythread_variable = &MYTHREAD;
int *const hupc__general_variable = &__upcrt_general, *const hupc__far_variable = &__upcrt_far;
uint64_t *const hupc__inverse_variable = &__upcrt_threads_inverse;
unsigned char *const hupc__near_variable = __upcrt_near;
uint64_t *const hupc__near_shift_variable = &__upcrt_near_shift, *const hupc__near_size_variable = &__upcrt_near_size;
uint64_t *const hupc__near_base_variable = &__upcrt_near_base;
const void *const volatile **const hupc__outstanding_variable = &__upcrt_outstanding;
