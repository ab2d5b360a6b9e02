/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The gate in front of UCX's TCP connections. UCX reads whatever arrives without a check, and aborts (or worse) if the
 * data is not from UCX. The gate passes a connection to UCX only after both sides have proved that they know the job's
 * secret.
 */
#ifndef HEDDLE_UPC_NETWORK_UCX_GATE_H
#define HEDDLE_UPC_NETWORK_UCX_GATE_H

#include <stdbool.h>
#include <stddef.h>

/* A function that UCX calls, and the function that is called instead. */
struct hupc__ucx_hook {
	const char *name;
	const void *function;
	bool needed; /* UCX must call it: an error if no call of it is found */
};

/*
 * Replaces functions in UCX's libraries, which must be loaded (ucx_hooks.c). Returns the name of a needed function that
 * could not be replaced, or NULL.
 */
const char *hupc__ucx_hook(const struct hupc__ucx_hook *hooks, size_t count);

/*
 * Closes the gate: no connection is accepted until it is opened. Returns false if the gate cannot be closed; `problem`
 * is then the reason. Context: open; UCX is loaded.
 */
bool hupc__ucx_gate_close(char *problem, size_t size);

/* Opens the gate, when UCX's listening sockets are known: connections of this job are accepted from now on. */
void hupc__ucx_gate_open(void);

/* Returns true if UCX's call in progress has accepted a connection. Context: any thread, about itself. */
bool hupc__ucx_gate_accepting(void);

/* The number of connections that were dropped. Context: any thread. */
unsigned long hupc__ucx_gate_dropped(void);

#endif
