/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file's unwind table: its call frame information precomputed into rows of 8 bytes, so that a step in the signal
 * handler is one look-up and two loads, and reads nothing of the file. Addresses are relative to the load base: the
 * table is valid wherever the file is loaded, and after it is unloaded.
 */
#ifndef HEDDLE_SAMPLING_UNWIND_TABLE_H
#define HEDDLE_SAMPLING_UNWIND_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "core/modules/module.h"
#include "sampling/unwind/rule.h"
#include "sampling/unwind/unwind_cfi.h"

struct heddle__unwind_row {
	uint32_t pc; /* relative to the load base; the row is valid up to the next row's pc */
	uint32_t rule;
};

/* The places of callee-saved registers other than rbp; only walks that follow all registers use them. */
struct heddle__unwind_saves {
	struct {
		int16_t offset; /* in words */
		uint8_t how;    /* SAME, AT_CFA, AT_EXPRESSION (here: at rbp + offset), else lost */
	} registers[HEDDLE_CFI_SAVED];
};

#define HEDDLE_UNWIND_PAGE_SHIFT 10

struct heddle__unwind_table {
	uint32_t row_count;
	uint32_t first_page, page_count; /* pages[] has one more entry */
	uint32_t full_count, saves_count;
	size_t size; /* of memory, in bytes */
	const struct heddle__unwind_row *rows;
	/* for each page of code: the number of rows that start at or before the page's start */
	const uint32_t *pages;
	const uint16_t *row_saves; /* for each row: index into saves */
	const struct heddle__unwind_saves *saves;
	const struct heddle__cfi_rule *full; /* with copies of their expressions */
};

/*
 * Builds the table of a loaded module, and stores it in module->unwind, unless the file has one. Matches
 * heddle__modules_init. Context: any thread, inside dl_iterate_phdr.
 */
void heddle__unwind_table_build(struct heddle_module *module);

/*
 * Builds a table from an index; `memory`: the bytes that may be read. Returns NULL without memory or if the index is
 * damaged. `entry`: start of a procedure without a caller, or 0. Context: any thread, not a signal handler.
 */
struct heddle__unwind_table *heddle__unwind_table_make(
	uintptr_t base, uintptr_t hdr, struct heddle__cfi_bytes memory, uintptr_t entry);

/* The index of the row for `pc` (relative); -1: before the first row. Context: any thread, signal. */
int64_t heddle__unwind_table_find(const struct heddle__unwind_table *table, uint32_t pc);

/*
 * The rows of a procedure that has call frame information, but no instructions in it, though its code saves registers:
 * from its code. False: it is none of these. Context: any thread, not a signal handler.
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
