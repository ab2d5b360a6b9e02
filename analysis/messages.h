/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses to shared memory, and calls that move messages, by function or region: bytes moved, their sizes, and the
 * side of the memory.
 */
#ifndef HEDDLE_ANALYSIS_MESSAGES_H
#define HEDDLE_ANALYSIS_MESSAGES_H

#include "profile/view/view.h"

struct heddle_message_row {
	uint32_t label;                    /* of the view */
	uint64_t got, put;                 /* bytes; of messages: received, and sent */
	uint64_t local, same_node, remote; /* accesses whose owner is known */
	struct profile_distribution sizes; /* count 0: unknown; uses `buckets` */
	uint64_t buckets[HEDDLE_SIZE_BUCKETS];
};

/* Labels with accesses, sorted by bytes, then by accesses, the largest first. */
struct heddle_messages {
	struct heddle_message_row *rows, total;
	size_t count;
	bool exchanged; /* ranks sent messages */
	bool accessed;  /* owners of memory are known */
};

/* Returns 0 or -ENOMEM, after which there is nothing to free. */
int heddle__messages_make(struct heddle_messages *messages, const struct profile_view *view);
void heddle__messages_free(struct heddle_messages *messages);

uint64_t heddle__message_bytes(const struct heddle_message_row *row);
uint64_t heddle__message_count(const struct heddle_message_row *row);

#endif
