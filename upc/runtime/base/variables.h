/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The variables that compiled code reads as constants (upc/abi.h), under names by which they can be written when the
 * program starts. Nothing else writes to them.
 */
#ifndef HEDDLE_UPC_RUNTIME_VARIABLES_H
#define HEDDLE_UPC_RUNTIME_VARIABLES_H

#include <stdint.h>

extern int *const hupc__threads_variable, *const hupc__mythread_variable;
extern int *const hupc__checked_variable, *const hupc__remote_variable;
extern uint64_t *const hupc__inverse_variable;
extern unsigned char *const hupc__same_node_variable;
extern uint64_t *const hupc__node_shift_variable, *const hupc__node_size_variable, *const hupc__node_base_variable;
extern const void *const volatile **const hupc__outstanding_variable;

#endif
