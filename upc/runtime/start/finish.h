/* SPDX-License-Identifier: BSD-3-Clause */
/* How threads end: all together. */
#ifndef HEDDLE_UPC_RUNTIME_FINISH_H
#define HEDDLE_UPC_RUNTIME_FINISH_H

/* Registers for this thread's end, whether it exits or the program must end. Context: init. */
void hupc__finish_prepare(void);

#endif
