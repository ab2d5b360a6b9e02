/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RUNS IN SIGNAL HANDLERS. One step in a module that was loaded after the registry's last refresh. The kernel copies
 * its call frame information piecewise, because the module may be unloaded meanwhile. Takes some microseconds, but is
 * needed only until the next refresh.
 */
#include "core/base/peek.h"
#include "core/modules/module_ranges.h"
#include "sampling/unwind/unwind_step.h"

#define RECORD_SIZE 1024 /* a longer CIE or FDE is not read */
#define STEPS_A_WALK 64

struct copy {
	uint8_t bytes[RECORD_SIZE];
};

static struct heddle__cfi_bytes read_copy(struct copy *copy, uintptr_t address, size_t size)
{
	size_t n = heddle__peek_some(address, copy->bytes, size);
	return (struct heddle__cfi_bytes){
		.at = copy->bytes, .end = copy->bytes + n, .moved = address - (uintptr_t)copy->bytes};
}

/* Reads a whole CIE or FDE. The first read may stop at the end of mapped memory. */
static struct heddle__cfi_bytes read_record(struct copy *copy, uintptr_t address)
{
	uint32_t length;
	if (!heddle__peek(address, &length, sizeof(length)) || length > RECORD_SIZE - sizeof(length))
		return (struct heddle__cfi_bytes){.at = copy->bytes, .end = copy->bytes};
	return read_copy(copy, address, length + sizeof(length));
}

/* Returns the address of the FDE that may cover `at`; 0: none. */
static uintptr_t find_fde(const struct heddle__cfi_index *index, uintptr_t at)
{
	uintptr_t low = 0, high = index->count;
	struct heddle__cfi_entry entry;
	int64_t relative = (int64_t)(at - index->hdr);
	while (high - low > 1) {
		uintptr_t middle = low + (high - low) / 2;

		if (!heddle__peek(index->entries + middle * sizeof(entry), &entry, sizeof(entry)))
			return 0;
		if (entry.code <= relative)
			low = middle;
		else
			high = middle;
	}
	if (high == 0 || !heddle__peek(index->entries + low * sizeof(entry), &entry, sizeof(entry)) ||
		entry.code > relative)
		return 0;
	return index->hdr + (uintptr_t)(intptr_t)entry.fde;
}

enum heddle__step heddle__step_fresh(struct heddle__cursor *cursor, uintptr_t at)
{
	uintptr_t hdr = heddle__linker_eh_frame_hdr(at), fde_at, cie_at;
	struct copy header, fde_copy, cie_copy;
	struct heddle__cfi_bytes record;
	struct heddle__cfi_index index;
	struct heddle__cfi_cie cie;
	struct heddle__cfi_fde fde;
	struct heddle__cfi_rule rule;
	if (!hdr || cursor->fresh_steps++ >= STEPS_A_WALK ||
		heddle__cfi_read_index(hdr, read_copy(&header, hdr, 32), &index))
		return heddle__step_blind(cursor);
	fde_at = find_fde(&index, at);
	record = read_record(&fde_copy, fde_at);
	cie_at = heddle__cfi_cie_of(record);
	if (!fde_at || !cie_at || heddle__cfi_read_cie(read_record(&cie_copy, cie_at), &cie) ||
		heddle__cfi_read_fde(record, &cie, &fde) || at < fde.low || at >= fde.high ||
		heddle__cfi_rule_at(&cie, &fde, at, &rule))
		return heddle__step_blind(cursor);
	if (heddle__rule_pack(&rule) == HEDDLE_RULE_SIGNAL)
		return heddle__step_signal(cursor);
	return heddle__step_full(cursor, &rule);
}
