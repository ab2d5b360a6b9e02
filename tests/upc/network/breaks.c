/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends to another thread what no thread of a program sends. Linked into UPC programs, in which the network is known.
 */
#include "upc/runtime/messages/network.h"

#include <stdint.h>

void break_network(int thread);

void break_network(int thread)
{
	const uint32_t message[3] = {HUPC__MESSAGES + 77, 1, 2};
	hupc__network->send(thread, message, sizeof(message));
}
