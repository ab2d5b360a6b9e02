/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends a message to another thread that no program sends. Linked with UPC programs; uses the network's internal
 * interface. */
#include "upc/runtime/messages/network.h"

#include <stdint.h>

void break_network(int thread);

void break_network(int thread)
{
	const uint32_t message[3] = {HUPC__MESSAGES + 77, 1, 2};
	hupc__network->send(thread, message, sizeof(message));
}
