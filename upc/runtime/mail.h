/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short messages between the UPC threads inside a collective function: what one thread sends, the other takes. A thread
 * that waits for another one which has come to something else ends the program with a message. Context: the UPC
 * thread's own; there is a network.
 */
#ifndef HEDDLE_UPC_RUNTIME_MAIL_H
#define HEDDLE_UPC_RUNTIME_MAIL_H

#include <stddef.h>

#define HUPC__MAIL_SIZE 32 /* bytes at most */

struct hupc__collective;

/*
 * Begins a collective function, whose site must stay valid until its end. Letters of different calls are told apart:
 * all threads call it in the same order.
 */
void hupc__mail_begin(const struct hupc__collective *call);

void hupc__mail_send(int thread, const void *letter, size_t size);

/* Waits for the next letter of that thread in this call. */
void hupc__mail_take(int thread, void *letter, size_t size);

#endif
