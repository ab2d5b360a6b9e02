/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles messages in the order in which they were sent: stores early ones by number. Context: lock held. */
#include "upc/network/ucx_order.h"
#include <stdlib.h>
#include <string.h>

struct hupc__ucx_early {
	struct hupc__ucx_early *next;
	uint64_t number;
	size_t header_size, size;
	_Alignas(16) char bytes[]; /* header, data */
};

#define EARLY_LIMIT 65536 /* how far a message can be ahead: more than a sender has in progress */

static const char *keep(
	struct hupc__ucx_order *order, const struct hupc__ucx_early *what, const void *header, const void *data)
{
	struct hupc__ucx_early **place = &order->early, *early;
	while (*place && (*place)->number < what->number)
		place = &(*place)->next;
	if (what->number - order->next > EARLY_LIMIT || (*place && (*place)->number == what->number))
		return "a message with an invalid number";
	early = malloc(sizeof *early + what->header_size + what->size);
	if (!early)
		return "a message for which there is no memory";
	*early = *what;
	memcpy(early->bytes, header, what->header_size);
	if (what->size)
		memcpy(early->bytes + what->header_size, data, what->size);
	early->next = *place;
	*place = early;
	return NULL;
}

const char *hupc__ucx_in_order(struct hupc__ucx_order *order, uint64_t number, const void *header, size_t header_size,
	const void *data, size_t size, hupc__ucx_take *take)
{
	struct hupc__ucx_early *early;
	if (number != order->next)
		return keep(order,
			&(struct hupc__ucx_early){.number = number, .header_size = header_size, .size = size}, header,
			data);

	order->next++;
	take(header, data, size);
	while ((early = order->early) != NULL && early->number == order->next) {
		order->early = early->next;
		order->next++;
		take(early->bytes, early->bytes + early->header_size, early->size);
		free(early);
	}
	return NULL;
}
