/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short messages between the UPC threads inside a collective function: what one thread sends, the other takes. Context:
 * the UPC thread's own; there is a network.
 */
#ifndef HEDDLE_UPC_RUNTIME_MAIL_H
#define HEDDLE_UPC_RUNTIME_MAIL_H

#include <stddef.h>

#define HUPC__MAIL_SIZE 32 /* bytes at most */

/* Begins a collective function: letters of different calls are told apart. All threads call it in the same order. */
void hupc__mail_begin(void);

void hupc__mail_send(int thread, const void *letter, size_t size);

/* Waits for the next letter of that thread in this call. */
void hupc__mail_take(int thread, void *letter, size_t size);

#endif
