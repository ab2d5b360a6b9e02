/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds and opens the network's plug-in, and publishes its address. Context: init. */
#include "upc/runtime/start/network_open.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "upc/runtime/base/control.h"
#include "upc/runtime/base/nodes.h"
#include "upc/runtime/base/plugin.h"
#include "upc/runtime/base/say.h"
#include "upc/runtime/end/lost.h"
#include "upc/runtime/messages/network.h"

#define LIBRARY "libheddle-upc-ucx.so"
#define LOOPBACK "lo"
#define PART 96 /* bytes of an address in one published value, which has at most 200 characters (job.h) */

static struct hupc__network_host host;
int hupc__network_connections;

static void key_of(char *key, size_t size, size_t part)
{
	hupc__format(key, size, "upc-address-%u", (unsigned int)part);
}

static void put_part(const unsigned char *bytes, size_t size, size_t part)
{
	char key[32], text[2 * PART + 1];
	for (size_t i = 0; i < size; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	text[2 * size] = '\0';
	key_of(key, sizeof(key), part);
	hupc__job->put(key, text);
}

/* A part that is not full is the last one; it may be empty. */
static void publish(const unsigned char *address, size_t size)
{
	for (size_t at = 0; at <= size; at += PART)
		put_part(address + at, size - at < PART ? size - at : PART, at / PART);
}

/* Returns the number of bytes; more than PART: the part does not exist. */
static size_t get_part(int thread, size_t part, unsigned char *bytes)
{
	char key[32], text[2 * PART + 1];
	size_t size = 0;
	key_of(key, sizeof(key), part);
	if (!hupc__job->get(thread, key, text, sizeof(text)))
		return SIZE_MAX;
	for (; size < PART && text[2 * size]; size++) {
		char digits[3] = {text[2 * size], text[2 * size + 1], '\0'};
		bytes[size] = (unsigned char)strtoul(digits, NULL, 16);
	}
	return size;
}

static bool address_of(int thread, void *address, size_t *size)
{
	size_t got = PART, at = 0;
	for (size_t part = 0; got == PART; part++, at += got) {
		unsigned char bytes[PART];
		got = get_part(thread, part, bytes);
		if (got > PART || at + got > *size)
			return false;
		memcpy((char *)address + at, bytes, got);
	}
	*size = at;
	hupc__network_connections++;
	return true;
}

static void report_stranger(const char *address)
{
	hupc__say("thread %d: dropped a connection from %s, which is not part of this job; the program continues, and "
		  "reports this once",
		hupc__mythread, address);
}

/* All ranks find the same problem: rank 0 prints it, before the launcher ends the job. */
_Noreturn static void fail(const char *why)
{
	if (hupc__mythread == 0)
		hupc__say(
			"the threads are on %d nodes: %s; or run all of them on one machine, with UPC_NODE_SIZE unset",
			hupc__nodes_count(), why);
	hupc__job->fence();
	hupc__job->finalize();
	_exit(1);
}

/*
 * The interfaces to use: those that the user sets; else, on one machine, the loopback interface, unless the user
 * chooses by UCX's variable. NULL: all.
 */
static const char *devices(const struct hupc__common *common)
{
	const char *own = getenv("UPC_NETWORK_DEVICES"), *of_ucx = getenv("UCX_NET_DEVICES");
	if (own && *own)
		return own;
	return common->one_machine && !of_ucx ? LOOPBACK : NULL;
}

/* If loopback does not work, uses all interfaces that UCX finds. */
static const struct hupc__network *open_network(hupc__network_open_function *open, char *problem, size_t size)
{
	const struct hupc__network *opened = open(&host, problem, size);
	if (opened || !host.devices || strcmp(host.devices, LOOPBACK) != 0 || getenv("UPC_NETWORK_DEVICES"))
		return opened;
	host.devices = NULL;
	return open(&host, problem, size);
}

void hupc__network_start(const struct hupc__common *common)
{
	static char problem[400];
	hupc__network_open_function *open;
	*(void **)&open = hupc__plugin_find(LIBRARY, "hupc_network_open", problem, sizeof(problem));
	if (!open)
		fail(problem);
	host = (struct hupc__network_host){.version = HUPC__NETWORK_VERSION,
		.mythread = hupc__mythread,
		.threads = hupc__threads,
		.segment = UPCRT_ADDRESS(UPCRT_POINTER(0, hupc__mythread, 0)),
		.segment_start = HUPC__PAGE,
		.segment_end = hupc__control->segment_size,
		.devices = devices(common),
		.address_of = address_of,
		.handle = hupc__network_handle,
		.lost = hupc__report_lost,
		.broken = hupc__report_broken,
		.stranger = report_stranger};
	memcpy(host.secret, common->secret, sizeof(host.secret));
	const struct hupc__network *opened = open_network(open, problem, sizeof(problem));
	if (!opened)
		fail(problem);
	hupc__network = hupc__network_count(opened);
	publish(hupc__network->address, hupc__network->address_size);
}
