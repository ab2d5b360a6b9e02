/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * upc_nb.h: nonblocking transfers (UPC library 7.6). Those within one node are complete when they return. A handle is
 * the position + 1 of a transfer in a table of this process; 0 is a complete transfer.
 *
 * GASP has nonblocking events for gets and puts only; copies and sets within shared memory report those of upc_memcpy
 * and upc_memset. The data of a transfer is reported when the program synchronizes it, because it has certainly arrived
 * then.
 */
#include <stdlib.h>

#include "upc/runtime/base/library.h"
#include "upc/runtime/base/wait.h"
#include "upc/runtime/end/fatal.h"
#include "upc/runtime/events/gasp.h"
#include "upc/runtime/memory/range.h"
#include "upc/runtime/messages/network.h"
#include "upc/runtime/move/move.h"

#define COMPLETE UINT64_C(0)

enum kind { UNUSED, OTHER, GET, PUT };

struct open {
	enum kind kind;
	bool implicit; /* upc_synci waits for it */
	hupc__transfer transfer;
};

static struct open *table;
static uint64_t room;
static struct hupc__mutex mutex; /* OpenMP threads may start transfers, too */

static struct open *unused(void)
{
	for (uint64_t i = 0; i < room; i++) {
		if (table[i].kind == UNUSED)
			return &table[i];
	}
	uint64_t larger = room ? 2 * room : 64;
	struct open *grown = realloc(table, larger * sizeof(*grown));
	if (!grown)
		return NULL;
	for (uint64_t i = room; i < larger; i++)
		grown[i].kind = UNUSED;
	struct open *first = &grown[room];
	table = grown;
	room = larger;
	return first;
}

/* Returns a handle. If there is no memory for it, waits for the transfer. */
static uint64_t enter(enum kind kind, bool implicit, hupc__transfer transfer)
{
	uint64_t handle = COMPLETE;
	if (!transfer)
		return COMPLETE;
	hupc__mutex_lock(&mutex);
	struct open *it = unused();
	if (it) {
		*it = (struct open){kind, implicit, transfer};
		handle = (uint64_t)(it - table) + 1;
	}
	hupc__mutex_unlock(&mutex);
	if (!it)
		hupc__network->wait(transfer);
	return handle;
}

/* A copy of the entry of a handle; kind UNUSED: none. `remove`: the transfer is over. */
static struct open look_up(uint64_t handle, bool remove)
{
	struct open found = {UNUSED, false, 0};
	hupc__mutex_lock(&mutex);
	if (handle - 1 < room)
		found = table[handle - 1];
	if (remove)
		table[handle - 1].kind = UNUSED;
	hupc__mutex_unlock(&mutex);
	return found;
}

static void *tag(uint64_t handle)
{
	return (void *)(uintptr_t)handle; /* GASP_NB_TRIVIAL is 0 */
}

static void report_data(const struct hupc__site *site, const struct open *it, uint64_t handle)
{
	unsigned int event = it->kind == GET ? GASP_UPC_NB_GET_DATA : GASP_UPC_NB_PUT_DATA;
	if (it->kind != GET && it->kind != PUT)
		return;
	hupc__event(site, event, GASP_START, tag(handle));
	hupc__event(site, event, GASP_END, tag(handle));
}

#define NONBLOCKING(suffix, result, implicit, RETURN)                                                \
	result upc_memcpy_##suffix(upcrt_shared to, upcrt_shared from, size_t size)                  \
	{                                                                                            \
		struct hupc__site site = hupc__site_take();                                          \
		hupc__event(&site, GASP_UPC_MEMCPY, GASP_START, &to, &from, size);                   \
		hupc__check_range(&site, "upc_memcpy_" #suffix, to, size);                           \
		hupc__check_range(&site, "upc_memcpy_" #suffix, from, size);                         \
		uint64_t handle = enter(OTHER, implicit, hupc__copy_begin(to, from, size));          \
		hupc__event(&site, GASP_UPC_MEMCPY, GASP_END, &to, &from, size);                     \
		RETURN(handle);                                                                      \
	}                                                                                            \
	result upc_memget_##suffix(void *to, upcrt_shared from, size_t size)                         \
	{                                                                                            \
		struct hupc__site site = hupc__site_take();                                          \
		hupc__event(&site, GASP_UPC_NB_GET_INIT, GASP_START, 1, to, &from, size);            \
		hupc__check_range(&site, "upc_memget_" #suffix, from, size);                         \
		uint64_t handle = enter(GET, implicit, hupc__get_begin(to, from, size));             \
		hupc__event(&site, GASP_UPC_NB_GET_INIT, GASP_END, 1, to, &from, size, tag(handle)); \
		RETURN(handle);                                                                      \
	}                                                                                            \
	result upc_memput_##suffix(upcrt_shared to, const void *from, size_t size)                   \
	{                                                                                            \
		struct hupc__site site = hupc__site_take();                                          \
		hupc__event(&site, GASP_UPC_NB_PUT_INIT, GASP_START, 1, &to, from, size);            \
		hupc__check_range(&site, "upc_memput_" #suffix, to, size);                           \
		uint64_t handle = enter(PUT, implicit, hupc__put_begin(to, from, size));             \
		hupc__event(&site, GASP_UPC_NB_PUT_INIT, GASP_END, 1, &to, from, size, tag(handle)); \
		RETURN(handle);                                                                      \
	}                                                                                            \
	result upc_memset_##suffix(upcrt_shared to, int byte, size_t size)                           \
	{                                                                                            \
		struct hupc__site site = hupc__site_take();                                          \
		hupc__event(&site, GASP_UPC_MEMSET, GASP_START, &to, byte, size);                    \
		hupc__check_range(&site, "upc_memset_" #suffix, to, size);                           \
		hupc__set(to, byte, size);                                                           \
		hupc__event(&site, GASP_UPC_MEMSET, GASP_END, &to, byte, size);                      \
		RETURN(COMPLETE);                                                                    \
	}

#define HANDLE(handle) return handle
#define NOTHING(handle) (void)(handle)
NONBLOCKING(nb, uint64_t, false, HANDLE)
NONBLOCKING(nbi, void, true, NOTHING)

/* Returns true if the transfer is complete; `block`: waits until it is. */
static bool synchronize(const struct hupc__site *site, const char *what, uint64_t handle, bool block)
{
	struct open it = handle == COMPLETE ? (struct open){OTHER, false, 0} : look_up(handle, false);
	if (it.kind == UNUSED)
		hupc__fatal(site, "%s of a handle that no nonblocking transfer returned", what);
	hupc__event(site, GASP_UPC_NB_SYNC, GASP_START, tag(handle));
	bool complete = !it.transfer || (!block && hupc__network->test(it.transfer));
	if (!complete && block)
		hupc__network->wait(it.transfer);
	complete = complete || block;
	if (complete && handle != COMPLETE) {
		report_data(site, &it, handle);
		look_up(handle, true);
	}
	hupc__event(site, GASP_UPC_NB_SYNC, GASP_END, tag(handle));
	return complete;
}

int upc_sync_attempt(uint64_t handle)
{
	struct hupc__site site = hupc__site_take();
	return synchronize(&site, "upc_sync_attempt", handle, false);
}

void upc_sync(uint64_t handle)
{
	struct hupc__site site = hupc__site_take();
	synchronize(&site, "upc_sync", handle, true);
}

/* The next implicit transfer from `handle` on; COMPLETE: none. */
static uint64_t next_implicit(uint64_t handle)
{
	uint64_t found = COMPLETE;
	hupc__mutex_lock(&mutex);
	for (uint64_t i = handle; i < room && !found; i++)
		found = table[i].kind != UNUSED && table[i].implicit ? i + 1 : COMPLETE;
	hupc__mutex_unlock(&mutex);
	return found;
}

static bool sync_all(const struct hupc__site *site, const char *what, bool block)
{
	bool complete = true, any = false;
	for (uint64_t handle = COMPLETE; (handle = next_implicit(handle)) != COMPLETE;) {
		complete = synchronize(site, what, handle, block) && complete;
		any = true;
	}
	if (!any)
		synchronize(site, what, COMPLETE, block);
	return complete;
}

int upc_synci_attempt(void)
{
	struct hupc__site site = hupc__site_take();
	return sync_all(&site, "upc_synci_attempt", false);
}

void upc_synci(void)
{
	struct hupc__site site = hupc__site_take();
	sync_all(&site, "upc_synci", true);
}
