/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Misses of the caches of sites. Runs in signal handlers of the owner. A handler may abandon a change at any point
 * (core/threads/entered.h), so an entry is unused while it changes.
 */
#include "core/threads/site.h"

#include <limits.h>
#include <stdatomic.h>
#include <string.h>

#include "core/base/string_table.h"

void heddle__sites_keep(struct heddle_sites *sites, const struct heddle_known_site *site)
{
	if (!site->slot || !heddle__is_lasting(site->slot))
		return;
	if (sites->known_version != heddle__modules_version()) {
		memset(sites->known, 0, sizeof(sites->known));
		atomic_signal_fence(memory_order_seq_cst);
		sites->known_version = heddle__modules_version();
	}
	struct heddle_known_site *entry = heddle__sites_entry(sites, site->parent, site->event - 1, site->address);
	entry->event = 0;
	atomic_signal_fence(memory_order_seq_cst);
	entry->address = site->address;
	entry->parent = site->parent;
	entry->slot = site->slot;
	entry->place = site->place;
	atomic_signal_fence(memory_order_seq_cst);
	entry->event = site->event;
}

static uint64_t make_source_place(const char *file, int line)
{
	const uint32_t last_line = ((uint32_t)1 << HEDDLE_SOURCE_LINE_BITS) - 1;
	uint32_t number = line > 0 ? (uint32_t)line : 0;
	uint32_t name = file || number ? heddle__string_number(file ? file : "") : UINT32_MAX;
	if (name == UINT32_MAX)
		return 0;
	return HEDDLE_SOURCE_PLACE(name, number < last_line ? number : last_line);
}

uint64_t heddle__find_source_place(struct heddle_source_site *site, const char *file, int line)
{
	uint64_t place = make_source_place(file, line);
	site->line = INT_MIN;
	atomic_signal_fence(memory_order_seq_cst);
	site->place = place;
	site->file = file;
	atomic_signal_fence(memory_order_seq_cst);
	site->line = line;
	return place;
}

static void fill(struct heddle_call_site *site, uintptr_t address, uint64_t version, uint64_t place)
{
	site->address = 0;
	atomic_signal_fence(memory_order_seq_cst);
	site->version = version;
	site->place = place;
	atomic_signal_fence(memory_order_seq_cst);
	site->address = address;
}

uint64_t heddle__find_call_place(struct heddle_sites *sites, struct heddle_call_site *site, uintptr_t address)
{
	struct heddle_call_site *beside = &sites->calls[(site - sites->calls) ^ 1];
	if (beside->address == address && beside->version == heddle__modules_version())
		return beside->place;
	fill(beside, site->address, site->version, site->place);
	uint64_t version = heddle__modules_version(), place = heddle__place_of(address - 1);
	fill(site, HEDDLE_PLACE_MODULE(place) ? address : 0, version, place);
	return place;
}
