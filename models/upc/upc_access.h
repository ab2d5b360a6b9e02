/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With HEDDLE_ACCESSES: which shared variable an access goes to, and the accesses of each thread by variable and owner.
 * The region of an access is opened at an OBJECT node, so that all it measures belongs to the variable, too.
 */
#ifndef HEDDLE_MODELS_UPC_ACCESS_H
#define HEDDLE_MODELS_UPC_ACCESS_H

#include "core/base/likely.h"
#include "core/threads/partners.h"
#include "models/upc/upc_effect.h"

/* Whether accesses are measured by variable. Set once. Context: init. */
extern bool heddle__upc_accesses;

/* Whether the event tells of an object: of its allocation, its release, or that it exists. */
static inline bool heddle__upc_tells_of_object(const struct heddle_upc_kind *kind)
{
	return HEDDLE_UNLIKELY(heddle__upc_accesses) && kind->effect >= HEDDLE_UPC_EFFECT_FREE &&
	       kind->effect <= HEDDLE_UPC_EFFECT_SHARED_ONCE;
}

static inline bool heddle__upc_is_access(const struct heddle_upc_kind *kind)
{
	return kind->effect >= HEDDLE_UPC_EFFECT_GET && kind->effect <= HEDDLE_UPC_EFFECT_COPY;
}

/* Context of all: owner thread, inside. */

/* An event that tells of an object, with all its arguments at End and Atomic; `file` and `line` are its source. */
struct heddle_upc_telling {
	const struct heddle_upc_kind *kind;
	const char *file;
	int line;
	bool starts;
	uint32_t path; /* node of the calling code, at Start; 0: its frames are not known */
};
void heddle__upc_object_told(const struct heddle_upc_telling *telling, const struct heddle_upc_arguments *arguments);

/* One end of an access in shared memory. */
struct heddle_upc_end {
	const void *pointer;            /* NULL: the access has no such end */
	uint32_t object;                /* number of the description + 1; 0: unknown */
	struct heddle_partner *partner; /* NULL: unknown owner */
};

struct heddle_upc_aim {
	struct heddle_upc_end source, destination;
	uint32_t object; /* to which the access's visit and time belong */
};

/* Finds what an access goes to; `site` distinguishes source lines. */
void heddle__upc_aim(struct heddle_thread *thread, const struct heddle_upc_kind *kind,
	const struct heddle_upc_arguments *arguments, uint64_t site, struct heddle_upc_aim *aim);

/* At Start or Atomic, instead of heddle__upc_effect_begin; the region is open, `slot` is its. */
void heddle__upc_access_begin(struct heddle_thread *thread, const struct heddle_upc_kind *kind,
	struct heddle_slot *slot, const struct heddle_upc_arguments *arguments, const struct heddle_upc_aim *aim);

/* At Start, after that: what the time until End belongs to. */
void heddle__upc_access_follow(struct heddle_thread *thread, const struct heddle_upc_aim *aim);

/* At End, when the region has been closed: charges elapsed time to the pair of threads. */
void heddle__upc_access_end(struct heddle_thread *thread);

#endif
