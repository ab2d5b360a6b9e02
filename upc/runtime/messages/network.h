/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The network of a job on several nodes, and the messages that the parts of the runtime exchange over it. On one node
 * there is none, and everything goes through shared memory.
 */
#ifndef HEDDLE_UPC_RUNTIME_NETWORK_H
#define HEDDLE_UPC_RUNTIME_NETWORK_H

#include <stdatomic.h>

#include "upc/network/network.h"

/* NULL: all threads share memory. Set before the user's main and never changed. */
extern const struct hupc__network *hupc__network;

/* The first word of a message. */
enum hupc__message {
	HUPC__MESSAGE_MEET,   /* barrier_network.c */
	HUPC__MESSAGE_QUEUED, /* message_queue.c */
	HUPC__MESSAGE_PROBE,  /* message_queue.c */
	HUPC__MESSAGE_STATUS, /* message_queue.c: the answer */
	HUPC__MESSAGE_CLAIM,  /* claim.c */
	HUPC__MESSAGE_GRANT,  /* claim.c: the answer */
	HUPC__MESSAGE_ATOMIC, /* atomic.c */
	HUPC__MESSAGE_UPDATE, /* remote_access.c */
	HUPC__MESSAGE_LOCK,   /* lock_network.c */
	HUPC__MESSAGE_UNLOCK, /* lock_network.c */
	HUPC__MESSAGE_FREED,  /* lock_network.c */
	HUPC__MESSAGE_ORPHAN, /* lock_network.c */
	HUPC__MESSAGE_TAKE,   /* heap.c */
	HUPC__MESSAGE_GIVE,   /* heap.c */
	HUPC__MESSAGE_FIND,   /* heap_block.c */
	HUPC__MESSAGE_SET,    /* move.c */
	HUPC__MESSAGE_COPY,   /* move.c */
	HUPC__MESSAGE_CLOCK,  /* clock.c */
	HUPC__MESSAGE_END,    /* others.c */
	HUPC__MESSAGE_ENDS,   /* others.c: the answer */
	HUPC__MESSAGES
};

/*
 * Handles messages of one kind, of any size and contents. Returns false if no thread sends such a message; nothing was
 * done then. `message` is aligned for all types. Context: see `handle` in upc/network/network.h.
 */
typedef bool hupc__receiver(int from, const void *message, size_t size, const struct hupc__ticket *ticket);

/*
 * Registers `receive` for all messages of that kind; `name` is what a report of a broken thread calls them. Context:
 * before main.
 */
void hupc__network_register(enum hupc__message message, hupc__receiver *receive, const char *name);

/* For the end of a file with a receiver: registers it before main. */
#define HUPC__RECEIVE(message, receive, name)                                   \
	__attribute__((constructor)) static void register_##receive(void)       \
	{                                                                       \
		hupc__network_register(HUPC__MESSAGE_##message, receive, name); \
	}

/* Passes a message to its receiver: see `handle` in upc/network/network.h. */
const char *hupc__network_handle(int from, const void *message, size_t size, const struct hupc__ticket *ticket);

/* A fence: all earlier accesses of the calling thread are complete before any later one. */
static inline void hupc__order(void)
{
	if (__builtin_expect(!!hupc__network, 0))
		hupc__network->fence();
	atomic_thread_fence(memory_order_seq_cst);
}

/* The addresses and ports on which this thread listens, separated by blanks; "": none. Used by `heddle doctor`. */
const char *hupc_network_listening(void);

#endif
