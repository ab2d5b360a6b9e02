/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file's unwind table: a copy of its call frame information. A walk finds the rule at an address in it, in a signal
 * handler, and reads nothing of the file. Addresses are relative to the load base: the table is valid wherever the file
 * is loaded, and after it is unloaded.
 */
#ifndef HEDDLE_SAMPLING_UNWIND_TABLE_H
#define HEDDLE_SAMPLING_UNWIND_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "core/modules/module.h"
#include "sampling/unwind/rule.h"
#include "sampling/unwind/unwind_cfi.h"

struct heddle__unwind_table {
	uintptr_t base, hdr, entry; /* where the file was loaded; entry: a procedure without a caller, or 0 */
	size_t size;                /* of memory, in bytes */
	const struct heddle__cfi_entry *entries; /* by address */
	uintptr_t count;                         /* of entries; 0: there is no information */
	struct heddle__cfi_bytes frames;         /* .eh_frame */
};

/*
 * Builds the table of a loaded module, and stores it in module->unwind, unless the file has one. Matches
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
 * The rule at `pc` (relative), packed; HEDDLE_RULE_NONE: there is none. `rule`: the same with all registers, which
 * HEDDLE_RULE_FULL needs. Interprets the call frame information up to `pc`: walks cache packed rules. Context: any
 * thread, signal.
 */
uint32_t heddle__unwind_table_rule(
	const struct heddle__unwind_table *table, uint32_t pc, struct heddle__cfi_rule *rule);

/* The number of procedures that start at or before `pc` (relative). Context: any thread, signal. */
uintptr_t heddle__unwind_table_count(const struct heddle__unwind_table *table, uint32_t pc);

/* Where one of the procedures starts (relative). Context: any thread, signal. */
static inline uintptr_t heddle__unwind_table_start(const struct heddle__unwind_table *table, uintptr_t number)
{
	return table->hdr + (uintptr_t)(intptr_t)table->entries[number].code - table->base;
}

/*
 * The rows of a procedure that has call frame information, but no instructions in it, though its code saves registers:
 * from its code. False: it is none of these. Context: any thread, signal.
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
