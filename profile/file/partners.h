/* SPDX-License-Identifier: BSD-3-Clause */
/* The accesses of one thread to shared memory, by variable and by the thread that the memory belongs to. */
#ifndef HEDDLE_PROFILE_PARTNERS_H
#define HEDDLE_PROFILE_PARTNERS_H

#include "heddle_profile.pb-c.h"

#include <stddef.h>
#include <stdint.h>

struct profile_call_tree;

/* Where the memory is, seen from the accessing thread; Partners.side in the schema. */
enum profile_side { HEDDLE_SIDE_UNKNOWN, HEDDLE_SIDE_LOCAL, HEDDLE_SIDE_SAME_NODE, HEDDLE_SIDE_REMOTE, HEDDLE_SIDES };

struct profile_partner {
	const char *variable; /* its description (profile/view/object.h), "": unknown; equal ones have one address */
	uint32_t owner;       /* rank */
	enum profile_side side;
	uint64_t gets, puts, bytes_got, bytes_put;
	uint64_t time_ns; /* elapsed, in these accesses */
};

struct profile_partners {
	struct profile_partner *rows;
	size_t count;
};

/* Reads and checks a message; NULL: none. Returns 0 or a negative error, after which there is nothing to free. */
int profile_partners_decode(struct profile_partners *partners, const Heddle__Profile__Partners *message,
	const Heddle__Profile__Process *process);

/* Makes a message, with string numbers of `tree`, a merged tree. Free it like an unpacked one. NULL: no memory. */
Heddle__Profile__Partners *profile_partners_encode(
	const struct profile_partners *partners, const struct profile_call_tree *tree);
void profile_partners_free(struct profile_partners *partners);

#endif
