/* SPDX-License-Identifier: BSD-3-Clause */
/* How threads end: all together. */
#ifndef HEDDLE_UPC_RUNTIME_FINISH_H
#define HEDDLE_UPC_RUNTIME_FINISH_H

/* Be there when this thread ends, by itself or because the program has to. Context: init. */
void hupc__finish_prepare(void);

/*
 * What the program has written is to come out, though a stream may be in use just now: for a process that then ends at
 * once, so that nothing can go wrong later. Context: a signal handler.
 */
void hupc__flush_in_signal(void);

#endif
