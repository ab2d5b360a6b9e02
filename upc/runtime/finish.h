/* SPDX-License-Identifier: BSD-3-Clause */
/* How threads end: all together. */
#ifndef HEDDLE_UPC_RUNTIME_FINISH_H
#define HEDDLE_UPC_RUNTIME_FINISH_H

/* Be there when this thread ends, by itself or because the program has to. Context: init. */
void hupc__finish_prepare(void);

/*
 * What the program has written is to come out, though a stream may be in use just now: for a process that then ends at
 * once, so that nothing can go wrong later. `code` is where the program was. Context: a signal handler.
 */
void hupc__flush_in_signal(const void *code);

/* Where the program was when a signal came, as its handler is told. The same context. */
void *hupc__interrupted(const void *context);

/* This thread is about to end the program and to say why: that is not to end it before. Context: any. */
void hupc__speak_undisturbed(void);

#endif
