/* SPDX-License-Identifier: BSD-3-Clause */
/* See the header. */
#include "upc/runtime/messages/network.h"

#include <string.h>

const struct hupc__network *hupc__network;

/* By enum hupc__message: the receiver, and the name in reports. */
static struct {
	hupc__receiver *receive;
	const char *name;
} receivers[HUPC__MESSAGES];

void hupc__network_register(enum hupc__message message, hupc__receiver *receive, const char *name)
{
	receivers[message].receive = receive;
	receivers[message].name = name;
}

const char *hupc__network_handle(int from, const void *message, size_t size, const struct hupc__ticket *ticket)
{
	_Alignas(16) char aligned[HUPC__MESSAGE_LIMIT];
	uint32_t kind;
	if (size < sizeof(kind) || size > sizeof(aligned))
		return "a message of that size";
	memcpy(aligned, message, size);
	memcpy(&kind, aligned, sizeof(kind));
	if (kind >= HUPC__MESSAGES || !receivers[kind].receive)
		return "a message of an unknown kind";
	return receivers[kind].receive(from, aligned, size, ticket) ? NULL : receivers[kind].name;
}

const char *hupc_network_listening(void)
{
	return hupc__network ? hupc__network->listening : "";
}
