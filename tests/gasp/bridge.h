/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A bridge (upc_bridge.h) as `heddle upcc` would link it, for clients that simulate a UPC program of 4 threads. A
 * pointer-to-shared is a struct here; upcalls refuse an invalid one, and send events themselves, as compiled UPC code
 * would. Before including this file, define BRIDGE_EVENTS for a compiler's own numbers, BRIDGE_NODE_OF for a program
 * with known nodes, BRIDGE_FIRST_CLOCK for one on several machines, BRIDGE_VERSION for an older bridge.
 */
#ifndef HEDDLE_TESTS_GASP_BRIDGE_H
#define HEDDLE_TESTS_GASP_BRIDGE_H

#include "client.h"

#include <heddle/upc_bridge.h>

#define BRIDGE_THREADS 4

struct shared_pointer {
	uint64_t magic, thread, phase, address;
};
#define SHARED_MAGIC 0x5348415245445054u
#define SHARED_AT(on_thread, at) \
	(&(struct shared_pointer){.magic = SHARED_MAGIC, .thread = (on_thread), .phase = 0, .address = (at)})
#define SHARED_POINTER(on_thread) SHARED_AT(on_thread, 4096)

static _Thread_local int bridge_mythread;
static _Thread_local gasp_context_t bridge_context; /* if set, upcalls send events through it */
static _Thread_local int bridge_upcalls, bridge_bad_pointers;

static void upcall(void)
{
	bridge_upcalls++;
	if (bridge_context) {
		START(bridge_context, GASP_C_FUNC, "bridge.upc", 1, 0, "upcall");
		get(bridge_context, "bridge.upc", 2, 8);
		END(bridge_context, GASP_C_FUNC, "bridge.upc", 3, 0, "upcall");
	}
}

static const struct shared_pointer *checked(const void *pointer)
{
	static const struct shared_pointer none;
	const struct shared_pointer *shared = pointer;
	upcall();
	if (shared && shared->magic == SHARED_MAGIC)
		return shared;
	bridge_bad_pointers++;
	return &none;
}

static int upcall_mythread(void)
{
	upcall();
	return bridge_mythread;
}

static int upcall_threads(void)
{
	upcall();
	return BRIDGE_THREADS;
}

static size_t upcall_threadof(const void *pointer)
{
	return checked(pointer)->thread;
}

static size_t upcall_phaseof(const void *pointer)
{
	return checked(pointer)->phase;
}

static size_t upcall_addrfield(const void *pointer)
{
	return checked(pointer)->address;
}

static void *upcall_localaddr(const void *pointer)
{
	return checked(pointer)->thread == (uint64_t)bridge_mythread ? &bridge_mythread : NULL;
}

#ifndef BRIDGE_EVENTS
#define BRIDGE_EVENTS                        \
	{                                    \
		"GASP_UPC_GET", GASP_UPC_GET \
	}
#define BRIDGE_USER GASP_UPC_USEREVT_START, GASP_UPC_USEREVT_END
#define BRIDGE_TRIVIAL GASP_NB_TRIVIAL, GASP_NB_TRIVIAL
#endif

#ifndef BRIDGE_NODE_OF
#define BRIDGE_NODE_OF NULL
#endif
#ifndef BRIDGE_FIRST_CLOCK
#define BRIDGE_FIRST_CLOCK NULL
#endif
#ifndef BRIDGE_VERSION
#define BRIDGE_VERSION HEDDLE_UPC_BRIDGE_VERSION
#endif

const struct heddle_upc_bridge *heddle_upc_bridge(void);
const struct heddle_upc_bridge *heddle_upc_bridge(void)
{
	static const struct heddle_upc_bridge_event events[] = {BRIDGE_EVENTS};
	static const unsigned int user[] = {BRIDGE_USER};
	static struct heddle_upc_bridge bridge = {
		.version = BRIDGE_VERSION,
		.compiler = "a test's",
		.nb_trivial = {BRIDGE_TRIVIAL},
		.event_count = sizeof(events) / sizeof(events[0]),
		.events = events,
		.mythread = upcall_mythread,
		.threads = upcall_threads,
		.threadof = upcall_threadof,
		.phaseof = upcall_phaseof,
		.addrfield = upcall_addrfield,
		.localaddr = upcall_localaddr,
		.node_of = BRIDGE_NODE_OF,
		.first_clock = BRIDGE_FIRST_CLOCK,
	};
	static struct heddle_upc_bridge *made; /* shared by all threads, even if they call at the same time */
	bridge.user_first = user[0];
	bridge.user_last = user[1];
	made = &bridge;
	return made;
}

#endif
