/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The runtime of thread 0 of three, each on a separate node, and the network plug-in below it, in one process without a
 * network: UCX's functions are replaced by those of wire.c, which record what is sent. A test plays the other threads.
 */
#ifndef HEDDLE_TESTS_UPC_NETWORK_WIRE_H
#define HEDDLE_TESTS_UPC_NETWORK_WIRE_H

#include "upc/network/ucx.h"

#define WIRE_THREADS 3
#define WIRE_SEGMENT (UINT64_C(1) << 20) /* bytes of each thread's segment */
#define WIRE_STATIC (UINT64_C(1) << 16)  /* from here on there are heaps, whose blocks others must not write to */

/* A message that thread 0 has sent. */
struct wire_sent {
	struct hupc__ucx_header header;
	int to;
	size_t size;
	char data[256]; /* the first bytes */
};

/* Starts thread 0. `sent` is called for each message that it sends, with the plug-in's lock held. */
void wire_start(void (*sent)(const struct wire_sent *message));

/* Passes a message to the plug-in, as UCX does. Context: its lock held. */
void wire_arrive(const void *header, size_t header_size, const void *data, size_t size);

/* Drops messages that arrived before earlier ones of their thread. Context: its lock held. */
void wire_forget_early(void);

/* How often the plug-in or the runtime has found a thread faulty. Each time, the thread is trusted again. */
extern unsigned long wire_broken;

#endif
