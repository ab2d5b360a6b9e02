/* SPDX-License-Identifier: BSD-3-Clause */
/* What one thread exchanged with ranks, by communicator, partner, kind and size. */
#ifndef HEDDLE_PROFILE_EXCHANGES_H
#define HEDDLE_PROFILE_EXCHANGES_H

#include "format/ids.h"
#include "heddle_profile.pb-c.h"

#include <stddef.h>
#include <stdint.h>

struct profile_call_tree;

#define HEDDLE_NO_PARTNER UINT32_MAX

struct profile_exchange {
	const char *communicator; /* "": unknown; interned: equal names have one address, never freed */
	uint32_t partner;         /* rank; HEDDLE_NO_PARTNER: a collective, or unknown */
	enum heddle_exchange_kind kind;
	uint32_t bucket; /* of the size */
	uint64_t messages, bytes, time_ns;
};

struct profile_exchanges {
	struct profile_exchange *rows;
	size_t count;
};

/* Reads and checks a message; NULL: none. Returns 0 or a negative error, after which there is nothing to free. */
int profile_exchanges_decode(struct profile_exchanges *exchanges, const Heddle__Profile__Exchanges *message,
	const Heddle__Profile__Process *process);

/* Makes a message, with string numbers of `tree`, a merged tree. Free it like an unpacked one. NULL: no memory. */
Heddle__Profile__Exchanges *profile_exchanges_encode(
	const struct profile_exchanges *exchanges, const struct profile_call_tree *tree);
void profile_exchanges_free(struct profile_exchanges *exchanges);

#endif
