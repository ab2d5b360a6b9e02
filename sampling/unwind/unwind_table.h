/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file's unwind table: a copy of its call frame information. A walk finds the rule at an address in it, in a signal
 * handler, without reading the file. Addresses are relative to the load base, so the table is valid at any address of
 * the file, and after it is unloaded.
 */
#ifndef HEDDLE_SAMPLING_UNWIND_TABLE_H
#define HEDDLE_SAMPLING_UNWIND_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "core/modules/module.h"
#include "sampling/unwind/rule.h"
#include "sampling/unwind/unwind_cfi.h"

struct heddle__unwind_table {
	uintptr_t base, hdr, entry; /* addresses when the file was loaded; entry: a procedure without a caller, or 0 */
	size_t size;                /* of memory, in bytes */
	const struct heddle__cfi_entry *entries; /* by address */
	uintptr_t count;                         /* number of entries; 0: no information */
	struct heddle__cfi_bytes frames;         /* .eh_frame */
};

/*
 * Builds the table of a loaded module, and stores it in module->unwind, unless the file has one. May be passed to
 * heddle__modules_init. Context: any thread, inside dl_iterate_phdr.
 */
void heddle__unwind_table_build(struct heddle_module *module);

/*
 * Makes a table from an index; `memory`: the bytes that may be read. Returns NULL without memory or if the index is
 * damaged. `entry`: start of a procedure without a caller, or 0. Context: any thread, not a signal handler.
 */
struct heddle__unwind_table *heddle__unwind_table_make(
	uintptr_t base, uintptr_t hdr, struct heddle__cfi_bytes memory, uintptr_t entry);

/*
 * Returns the rule at `pc` (relative), packed; HEDDLE_RULE_NONE: none. Sets `rule` to the rule with all registers,
 * which HEDDLE_RULE_FULL needs. Interprets the call frame information up to `pc`; walks cache packed rules. Context:
 * any thread, signal.
 */
uint32_t heddle__unwind_table_rule(
	const struct heddle__unwind_table *table, uint32_t pc, struct heddle__cfi_rule *rule);

/* The number of procedures that start at or before `pc` (relative). Context: any thread, signal. */
uintptr_t heddle__unwind_table_count(const struct heddle__unwind_table *table, uint32_t pc);

/* Returns where a procedure starts (relative). Context: any thread, signal. */
static inline uintptr_t heddle__unwind_table_start(const struct heddle__unwind_table *table, uintptr_t number)
{
	return table->hdr + (uintptr_t)(intptr_t)table->entries[number].code - table->base;
}

/*
 * Visits the rows of a procedure that has call frame information without instructions, though its code saves registers:
 * determines them from its code. False: not such a procedure. Context: any thread, signal.
 */
#if defined(__aarch64__)
bool heddle__rows_of_code(
	const struct heddle__cfi_cie *cie, const struct heddle__cfi_fde *fde, heddle__cfi_visit *visit, void *context);
#else
static inline bool heddle__rows_of_code(
	const struct heddle__cfi_cie *cie, const struct heddle__cfi_fde *fde, heddle__cfi_visit *visit, void *context)
{
	(void)cie, (void)fde, (void)visit, (void)context;
	return false;
}
#endif

#endif
