/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The bounds of a procedure, from .eh_frame_hdr's search table. Only for code on the calling thread's own stack and in
 * a module whose unwind table was built: then the module is mapped, and its search table was found valid.
 */
#include "core/modules/module.h"
#include "core/modules/module_ranges.h"
#include "format/ids.h"
#include "sampling/unwind/unwind.h"
#include "sampling/unwind/unwind_table.h"

#define HEADER_SIZE 32

/* The number of entries that start at or before `offset` from .eh_frame_hdr. */
static uintptr_t count_up_to(const struct heddle__cfi_entry *entries, uintptr_t count, int64_t offset)
{
	uintptr_t low = 0, high = count;
	while (low < high) {
		uintptr_t middle = low + (high - low) / 2;

		if (entries[middle].code <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool has_table(const struct heddle_module_range *range)
{
	const struct heddle__unwind_table *table = atomic_load_explicit(&range->module->unwind, memory_order_acquire);
	return range->eh_frame_hdr && table && table->row_count;
}

struct heddle_procedure heddle__procedure_of(uintptr_t at)
{
	struct heddle_procedure unknown = {0, 0};
	struct heddle_module_range range;
	struct heddle__cfi_index index;
	if (!heddle__module_lookup(at, true, &range) || !has_table(&range))
		return unknown;
	const struct heddle__cfi_bytes header = {
		.at = (const uint8_t *)range.eh_frame_hdr, .end = (const uint8_t *)range.eh_frame_hdr + HEADER_SIZE};
	if (heddle__cfi_read_index(range.eh_frame_hdr, header, &index))
		return unknown;
	const struct heddle__cfi_entry *entries = (const void *)index.entries;
	uintptr_t next = count_up_to(entries, index.count, (int64_t)(at - index.hdr));
	if (next == 0)
		return unknown;
	uintptr_t low = index.hdr + (uintptr_t)(intptr_t)entries[next - 1].code;
	uintptr_t high = next < index.count ? index.hdr + (uintptr_t)(intptr_t)entries[next].code : range.high;
	return (struct heddle_procedure){
		.place = HEDDLE_PLACE(range.module->id, low - range.base), .size = (uint32_t)(high - low)};
}
