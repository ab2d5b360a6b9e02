/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Short messages between the UPC threads inside a collective function: what one thread sends, the other receives. If a
 * thread waits for another one that synchronizes for something else, the program ends. Context: the UPC thread's own;
 * there is a network.
 */
#ifndef HEDDLE_UPC_RUNTIME_MESSAGE_QUEUE_H
#define HEDDLE_UPC_RUNTIME_MESSAGE_QUEUE_H

#include <stddef.h>

#define HUPC__PAYLOAD_SIZE 32 /* the most bytes of a message */

struct hupc__collective;

/*
 * Begins a collective function; `call` must stay valid until the function's end. Messages of different calls are
 * distinguished by number, because all threads call collective functions in the same order.
 */
void hupc__queue_begin(const struct hupc__collective *call);

void hupc__queue_send(int thread, const void *payload, size_t size);

/* Waits for the next message of that thread in this call. */
void hupc__queue_receive(int thread, void *payload, size_t size);

#endif
