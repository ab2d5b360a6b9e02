/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Libraries with the same layout and different sizes of frames: an unwinder that confuses two of them at the same
 * address finds a wrong caller. Each procedure records where its frame ends and where it will return to.
 */
#include "storm.h"

#define NOINLINE __attribute__((noinline))

void storm_entry(struct storm_chain *chain, storm_callback *callback);

NOINLINE static void inner(struct storm_chain *chain, storm_callback *callback)
{
	volatile char room[256 + 512 * VARIANT];

	STORM_KEEP(room);
	STORM_NOTE(chain);
	callback(chain);
	chain->depth--;
	STORM_KEEP(room);
}

NOINLINE static void middle(struct storm_chain *chain, storm_callback *callback)
{
	volatile char room[4000 - 256 * VARIANT];

	STORM_KEEP(room);
	STORM_NOTE(chain);
	inner(chain, callback);
	chain->depth--;
	STORM_KEEP(room);
}

void storm_entry(struct storm_chain *chain, storm_callback *callback)
{
	volatile char room[256 + 128 * ((VARIANT * 5) % 8)];

	STORM_KEEP(room);
	STORM_NOTE(chain);
	middle(chain, callback);
	chain->depth--;
	STORM_KEEP(room);
}
