/* SPDX-License-Identifier: BSD-3-Clause */
/* What a thread does whose program ends, or is about to end: waits, flushes its output, ignores requests. */
#ifndef HEDDLE_UPC_RUNTIME_ENDING_H
#define HEDDLE_UPC_RUNTIME_ENDING_H

/* Learns about this process what the functions below need. Context: init. */
void hupc__ending_prepare(void);

/* Another thread ends the program with a message: waits to be ended, for 5 s at most. Context: any thread. */
_Noreturn void hupc__wait_for_end(void);

/*
 * Flushes the program's output, although a stream may be in use: for a process that ends immediately, so that an
 * inconsistent stream does no harm. `code`: the interrupted instruction. Context: signal.
 */
void hupc__flush_in_signal(const void *code);

/* The interrupted instruction, from the handler's context argument. Context: signal. */
void *hupc__interrupted(const void *context);

/* This thread is about to end the program with a message: ignore requests to end until then. Context: any. */
void hupc__speak_undisturbed(void);

#endif
