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
#include "sampling/unwind/unwind_cfi.h"

/*
 * A packed rule: kind in bits 0-3, location of rbp in bits 4-15, an offset in words (signed) in bits 16-31. The return
 * address is at CFA - 8. Some kinds use the other bits differently, as noted.
 */
enum heddle__rule_kind {
	HEDDLE_RULE_NONE,         /* no call frame information here */
	HEDDLE_RULE_CFA_RSP,      /* CFA = rsp + offset */
	HEDDLE_RULE_CFA_RBP,      /* CFA = rbp + offset */
	HEDDLE_RULE_CFA_AT_RSP,   /* CFA = the word at rsp + offset */
	HEDDLE_RULE_CFA_AT_RBP,   /* CFA = the word at rbp + offset (realigned stacks) */
	HEDDLE_RULE_CFA_REGISTER, /* CFA = register + offset; bits 4-15: DWARF's register number; rbp unchanged */
	/* lazy PLT entry: CFA = rsp + 8, and one word more from byte `offset` of the entry on */
	HEDDLE_RULE_PLT,
	HEDDLE_RULE_SIGNAL, /* the kernel's trampoline: all registers are in the ucontext at rsp */
	HEDDLE_RULE_END,    /* the outermost frame; CFA = rsp + offset */
	HEDDLE_RULE_FULL,   /* bits 4-31: index of a full rule */
	/* before the first instruction of a procedure that nobody calls: the frame inside this one is the outermost */
	HEDDLE_RULE_NOT_BEGUN,
};

enum {
	HEDDLE_RBP_SAME = 0,
	/* 1 .. 0x7ff: saved at CFA - 8 * this */
	HEDDLE_RBP_AT_RBP = 0x800, /* saved where rbp points (realigned stacks) */
	HEDDLE_RBP_LOST = 0xfff,
};

static inline enum heddle__rule_kind heddle__rule_kind(uint32_t rule)
{
	return (enum heddle__rule_kind)(rule & 15);
}

static inline uint32_t heddle__rule_rbp(uint32_t rule)
{
	return rule >> 4 & 0xfff;
}

static inline intptr_t heddle__rule_offset(uint32_t rule)
{
	return (intptr_t)((int32_t)rule >> 16) * 8;
}

static inline uint32_t heddle__rule_index(uint32_t rule)
{
	return rule >> 4;
}

struct heddle__unwind_row {
	uint32_t pc; /* relative to the load base; the row is valid up to the next row's pc */
	uint32_t rule;
};

/* Where the callee-saved registers other than rbp are saved: used only by walks that follow them all. */
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

/* Packs a rule; HEDDLE_RULE_FULL if it does not fit. Context: any. */
uint32_t heddle__rule_pack(const struct heddle__cfi_rule *rule);

#endif
