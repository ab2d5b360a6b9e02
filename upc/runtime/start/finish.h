/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of threads: all end together. */
#ifndef HEDDLE_UPC_RUNTIME_FINISH_H
#define HEDDLE_UPC_RUNTIME_FINISH_H

/* Prepares this thread's end, whether it exits or the program must end. Context: init. */
void hupc__finish_prepare(void);

#endif
