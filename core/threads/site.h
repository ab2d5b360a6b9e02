/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Per-thread caches for the code that reports events: places of return addresses and of source lines, and slots by kind
 * of event, address and parent node. This code does not depend on threads; core/threads/thread.h has the same functions
 * for a thread.
 */
#ifndef HEDDLE_CORE_SITE_H
#define HEDDLE_CORE_SITE_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/hash.h"
#include "core/base/likely.h"
#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "core/threads/slot.h"

#define HEDDLE_CALL_SITES 64
#define HEDDLE_KNOWN_SITES 64
#define HEDDLE_SOURCE_SITES 64

/* The place of a source line. */
struct heddle_source_site {
	const char *file;
	uint64_t place;
	int line;
};

/* The place of a call, by its return address. */
struct heddle_call_site {
	uintptr_t address;
	uint64_t version; /* heddle__modules_version at that time */
	uint64_t place;
};

/* Slot and place of an event, by its kind, address and parent node. */
struct heddle_known_site {
	uintptr_t address;
	uint32_t parent, event; /* the id of the event + 1; 0: unused entry */
	struct heddle_slot *slot;
	uint64_t place;
};

/* A zeroed struct is empty. */
struct heddle_sites {
	struct heddle_call_site calls[HEDDLE_CALL_SITES];
	struct heddle_known_site known[HEDDLE_KNOWN_SITES];
	uint64_t known_version; /* heddle__modules_version that `known` is valid for */
	struct heddle_source_site sources[HEDDLE_SOURCE_SITES];
};

/*
 * Cache misses of the two functions below. Calls with the same entry also use the entry beside it. Context: owner
 * thread, inside.
 */
uint64_t heddle__find_source_place(struct heddle_source_site *site, const char *file, int line);
uint64_t heddle__find_call_place(struct heddle_sites *sites, struct heddle_call_site *site, uintptr_t address);

/*
 * Returns the place of a source line; 0 for a NULL file without a line. The text of `file` must stay valid and
 * unchanged. Context: owner thread, inside.
 */
static inline uint64_t heddle__sites_source(struct heddle_sites *sites, const char *file, int line)
{
	uint64_t hash = heddle__hash((uintptr_t)file ^ (uint64_t)(unsigned int)line << 32 ^ (unsigned int)line);
	struct heddle_source_site *site = &sites->sources[hash >> 58];
	_Static_assert(HEDDLE_SOURCE_SITES == 64, "six bits of hash");
	if (HEDDLE_LIKELY(site->file == file && site->line == line))
		return site->place;
	return heddle__find_source_place(site, file, line);
}

/* The place of the call that returns to `return_address`; 0 for NULL. Context: owner thread, inside. */
static inline uint64_t heddle__sites_call(struct heddle_sites *sites, const void *return_address)
{
	uintptr_t address = (uintptr_t)return_address;
	struct heddle_call_site *site = &sites->calls[heddle__hash(address) >> 58];
	_Static_assert(HEDDLE_CALL_SITES == 64, "six bits of hash");
	if (!address)
		return 0;
	if (HEDDLE_LIKELY(site->address == address && site->version == heddle__modules_version()))
		return site->place;
	return heddle__find_call_place(sites, site, address);
}

/* The cache entry for a site. Context: owner thread, inside. */
static inline struct heddle_known_site *heddle__sites_entry(
	struct heddle_sites *sites, uint32_t parent, uint32_t event, uintptr_t address)
{
	uint64_t hash = heddle__hash(address ^ (uint64_t)parent * 0x9e3779b1u ^ event << 8);
	_Static_assert(HEDDLE_KNOWN_SITES == 64, "six bits of hash");
	return &sites->known[hash >> 58];
}

/* True if `site` is that of the event, address and parent, and still valid. Context: owner thread, inside. */
static inline bool heddle__sites_match(const struct heddle_sites *sites, const struct heddle_known_site *site,
	uint32_t parent, uint32_t event, const void *address)
{
	return site->address == (uintptr_t)address && site->parent == parent && site->event == event + 1 &&
	       sites->known_version == heddle__modules_version();
}

/* Caches a site, unless its slot is the scratch slot. Context: owner thread, inside. */
void heddle__sites_keep(struct heddle_sites *sites, const struct heddle_known_site *site);

#endif
