/* SPDX-License-Identifier: BSD-3-Clause */
/* The actions of a thread when its program ends, or is about to end: waits, flushes its output, ignores requests. */
#ifndef HEDDLE_UPC_RUNTIME_ENDING_H
#define HEDDLE_UPC_RUNTIME_ENDING_H

/* Records the facts about this process that the functions below need. Context: init. */
void hupc__ending_prepare(void);

/* Waits at most 5 s until another thread, which ends the program with a message, ends this one. Context: any thread. */
_Noreturn void hupc__wait_for_end(void);

/*
 * Flushes the program's output, even if a stream may be in use. Only for a process that ends immediately, which an
 * inconsistent stream cannot harm. `code`: the interrupted instruction. Context: signal.
 */
void hupc__flush_in_signal(const void *code);

/* The interrupted instruction, from the handler's context argument. Context: signal. */
void *hupc__interrupted(const void *context);

/* Called before this thread ends the program with a message: ignores requests to end until then. Context: any. */
void hupc__speak_undisturbed(void);

#endif
