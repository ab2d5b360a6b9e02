/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The gate in front of UCX's TCP connections: UCX reads what arrives without a check, and ends the process (or worse)
 * if it is not its own. So a connection is UCX's only after both sides have proved that they know the job's secret.
 */
#ifndef HEDDLE_UPC_NETWORK_UCX_GATE_H
#define HEDDLE_UPC_NETWORK_UCX_GATE_H

#include <stdbool.h>
#include <stddef.h>

/* A function that UCX calls, and what it calls instead. */
struct hupc__ucx_hook {
	const char *name;
	const void *function;
	bool needed; /* UCX must call it */
};

/* Replaces functions in UCX's libraries, which are loaded (ucx_hooks.c). Returns the name of one that it cannot, or
 * NULL. */
const char *hupc__ucx_hook(const struct hupc__ucx_hook *hooks, size_t count);

/*
 * Closes the gate: until it is opened, nobody is let in. False: `problem` says why that cannot be done. Context: open;
 * UCX is loaded.
 */
bool hupc__ucx_gate_close(char *problem, size_t size);

/* UCX listens, and its listening sockets are known: those who prove that they are of this job are let in. */
void hupc__ucx_gate_open(void);

/* Returns true if UCX is taking in a connection that was let in. Context: any thread, of itself. */
bool hupc__ucx_gate_accepting(void);

/* How many connections were dropped. Context: any thread. */
unsigned long hupc__ucx_gate_dropped(void);

#endif
