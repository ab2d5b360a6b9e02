/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RUNS IN SIGNAL HANDLERS (the look-ups). Two range tables alternate: the writer fills the unused one and then
 * switches, so that a handler that interrupts the writer itself still finds a consistent table. A reader that is
 * overtaken by two publications retries, a limited number of times.
 */
#include "core/modules/module_ranges.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#include "core/base/peek.h"
#include "core/modules/module_provisional.h"
#include "format/ids.h"

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 35)
#define HAVE_FIND_OBJECT 1
#endif

/* Fields are atomic because a slow reader may read a table that is being filled again. */
struct slot {
	_Atomic uintptr_t low, high, base, eh_frame_hdr, build_id, module;
};

struct table {
	_Atomic size_t count;
	struct slot slots[HEDDLE_RANGES_MAX];
};

static struct table tables[2];
/* Bit 0: a table is being filled. The other bits count publications; bit 1 selects the table in use. */
_Atomic uint64_t heddle__ranges_version;
_Atomic bool heddle__ranges_stale;

static struct heddle_module_range mirror[HEDDLE_RANGES_MAX];
static size_t mirror_count;

static void fill_slot(struct slot *slot, const struct heddle_module_range *range)
{
	atomic_store_explicit(&slot->low, range->low, memory_order_relaxed);
	atomic_store_explicit(&slot->high, range->high, memory_order_relaxed);
	atomic_store_explicit(&slot->base, range->base, memory_order_relaxed);
	atomic_store_explicit(&slot->eh_frame_hdr, range->eh_frame_hdr, memory_order_relaxed);
	atomic_store_explicit(&slot->build_id, range->build_id, memory_order_relaxed);
	atomic_store_explicit(&slot->module, (uintptr_t)range->module, memory_order_relaxed);
}

void heddle__ranges_publish(const struct heddle_module_range *sorted, size_t count)
{
	uint64_t v = atomic_load_explicit(&heddle__ranges_version, memory_order_relaxed);
	struct table *next = &tables[((v >> 1) + 1) & 1];
	if (count > HEDDLE_RANGES_MAX)
		count = HEDDLE_RANGES_MAX;
	atomic_store_explicit(&heddle__ranges_version, v | 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_release); /* readers that see the fields below see the odd version as well */
	for (size_t i = 0; i < count; i++)
		fill_slot(&next->slots[i], &sorted[i]);
	atomic_store_explicit(&next->count, count, memory_order_relaxed);
	atomic_store_explicit(&heddle__ranges_version, (v | 1) + 1, memory_order_release);
	memcpy(mirror, sorted, count * sizeof(*sorted));
	mirror_count = count;
}

const struct heddle_module_range *heddle__ranges_published(size_t *count)
{
	*count = mirror_count;
	return mirror;
}

void heddle__ranges_after_fork(void)
{
	/* An interrupted publication has not changed the table in use. */
	uint64_t v = atomic_load_explicit(&heddle__ranges_version, memory_order_relaxed);

	atomic_store_explicit(&heddle__ranges_version, v & ~(uint64_t)1, memory_order_relaxed);
}

/* Copies the last range with low <= address; returns whether it contains `address`. */
static bool search(const struct table *table, uintptr_t address, struct heddle_module_range *range)
{
	size_t low = 0, high = atomic_load_explicit(&table->count, memory_order_relaxed);
	const struct slot *slot;
	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (atomic_load_explicit(&table->slots[middle].low, memory_order_relaxed) <= address)
			low = middle;
		else
			high = middle;
	}
	if (high == 0)
		return false;
	slot = &table->slots[low];
	range->low = atomic_load_explicit(&slot->low, memory_order_relaxed);
	range->high = atomic_load_explicit(&slot->high, memory_order_relaxed);
	range->base = atomic_load_explicit(&slot->base, memory_order_relaxed);
	range->eh_frame_hdr = atomic_load_explicit(&slot->eh_frame_hdr, memory_order_relaxed);
	range->build_id = atomic_load_explicit(&slot->build_id, memory_order_relaxed);
	range->module = (struct heddle_module *)atomic_load_explicit(&slot->module, memory_order_relaxed);
	return address >= range->low && address < range->high;
}

static bool search_published(uintptr_t address, struct heddle_module_range *range)
{
	for (int attempt = 0; attempt < 4; attempt++) {
		uint64_t v = atomic_load_explicit(&heddle__ranges_version, memory_order_acquire) & ~(uint64_t)1;
		bool found = search(&tables[(v >> 1) & 1], address, range);

		atomic_thread_fence(memory_order_acquire);
		/* Filling the table that was read begins at v + 3. */
		if (atomic_load_explicit(&heddle__ranges_version, memory_order_relaxed) - v <= 2)
			return found;
	}
	return false;
}

/*
 * True if the memory of the module may be unmapped, so it must be read by the kernel: dlclose unmaps before it updates
 * _dl_find_object. Code on this thread's call stack stays mapped.
 */
static bool memory_unsure(bool certain)
{
	return !certain || _r_debug.r_state != RT_CONSISTENT;
}

static bool same_build_id(const struct heddle_module_range *range, bool certain)
{
	uint64_t in_memory, known;
	if (!range->build_id)
		return true;
	memcpy(&known, range->module->build_id, sizeof(known));
	if (memory_unsure(certain)) {
		if (!heddle__peek(range->build_id, &in_memory, sizeof(in_memory)))
			return false;
	} else {
		memcpy(&in_memory, (const void *)range->build_id, sizeof(in_memory));
	}
	return in_memory == known;
}

static bool linker_knows(uintptr_t address, uintptr_t *eh_frame_hdr)
{
#ifdef HAVE_FIND_OBJECT
	struct dl_find_object object;

	if (_dl_find_object((void *)address, &object) != 0)
		return false;
	*eh_frame_hdr = (uintptr_t)object.dlfo_eh_frame;
	return true;
#else
	(void)address;
	(void)eh_frame_hdr;
	return false;
#endif
}

uintptr_t heddle__linker_eh_frame_hdr(uintptr_t address)
{
	uintptr_t hdr = 0;
	return linker_knows(address, &hdr) ? hdr : 0;
}

bool heddle__module_lookup(uintptr_t address, bool certain, struct heddle_module_range *range)
{
	bool found = search_published(address, range);
	uintptr_t hdr = 0;
	bool linked = linker_knows(address, &hdr);
#ifdef HAVE_FIND_OBJECT
	if (found && linked && hdr == range->eh_frame_hdr && same_build_id(range, certain))
		return true;
#else
	if (found && same_build_id(range, certain))
		return true;
#endif
	if (found || linked)
		atomic_store_explicit(&heddle__ranges_stale, true, memory_order_relaxed);
	*range = (struct heddle_module_range){0};
	return linked && heddle__module_find_provisional(address, range);
}

bool heddle__modules_stale(void)
{
	return atomic_load_explicit(&heddle__ranges_stale, memory_order_relaxed);
}

struct heddle_module *heddle__module_find(uintptr_t address)
{
	struct heddle_module_range range;
	return heddle__module_lookup(address, true, &range) ? range.module : NULL;
}

uint64_t heddle__place_of(uintptr_t address)
{
	struct heddle_module_range range;
	if (!heddle__module_lookup(address, true, &range))
		return HEDDLE_PLACE(0, address);
	return HEDDLE_PLACE(range.module->id, address - range.base);
}
