/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The network of a job on several nodes, and the messages that the parts of the runtime exchange over it. On one node
 * there is none, and everything goes through shared memory.
 */
#ifndef HEDDLE_UPC_RUNTIME_NETWORK_H
#define HEDDLE_UPC_RUNTIME_NETWORK_H

#include "upc/network/network.h"
#include "upc/runtime/base/job.h"
#include "upc/runtime/start/places.h"

/* NULL: all threads share memory. Set before the user's main, never changed. */
extern const struct hupc__network *hupc__network;

/* What a message begins with. */
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
	HUPC__MESSAGE_END,    /* network.c */
	HUPC__MESSAGE_ENDS,   /* network.c: the answer */
	HUPC__MESSAGES
};

/*
 * A part's function for its messages, of any size and contents. False: no thread sends such a message, and nothing was
 * done. `message` is aligned for all types. Context: see `handle` in upc/network/network.h.
 */
typedef bool hupc__receiver(int from, const void *message, size_t size, const struct hupc__ticket *ticket);
hupc__receiver hupc__receive_meet, hupc__receive_queued, hupc__receive_probe, hupc__receive_status, hupc__receive_claim,
	hupc__receive_grant, hupc__receive_atomic, hupc__receive_update, hupc__receive_lock, hupc__receive_unlock,
	hupc__receive_freed, hupc__receive_orphan, hupc__receive_take, hupc__receive_give, hupc__receive_find,
	hupc__receive_set, hupc__receive_copy, hupc__receive_clock;

/* Opens the network of a job on several nodes. Ends the process with a message if that fails. Context: init. */
void hupc__network_start(const struct hupc__job *job, const struct hupc__common *common);

/* Counts what is asked of that network, if the environment wants it. Context: init. */
const struct hupc__network *hupc__network_count(const struct hupc__network *network);

/* Where this thread listens: addresses and ports, with blanks; "" if nowhere. `heddle doctor` asks. */
const char *hupc_network_listening(void);

/* The number of threads whose address was looked up. */
extern int hupc__network_connections;

/* This thread is about to end: the connection to another one that ends may be lost from now on. */
void hupc__network_expect_end(void);

/*
 * Asks the threads of other nodes to end with that status, and gives them a second to say that they do. Without a
 * network, does nothing. Context: any, also signal.
 */
void hupc__network_end_others(int status);

/* All threads have agreed to end. Without a network, does nothing. */
void hupc__network_stop(void);

#endif
