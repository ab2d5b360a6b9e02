/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A file's unwind table: its call frame information worked out beforehand into rows of 8 bytes, so that a step in the
 * signal handler is one look-up and two loads, and reads nothing of the file. Addresses are relative to the load base:
 * the table stays true wherever the file is loaded, and outlives it.
 */
#ifndef HEDDLE_SAMPLING_UNWIND_TABLE_H
#define HEDDLE_SAMPLING_UNWIND_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "core/module.h"
#include "sampling/unwind_cfi.h"

/*
 * A packed rule: kind in bits 0-3, where rbp is in bits 4-15, an offset in words (signed) in bits 16-31. The return
 * address is at CFA - 8. A kind that says so uses the other bits differently.
 */
enum heddle__rule_kind {
	HEDDLE_RULE_NONE,         /* no call frame information here */
	HEDDLE_RULE_CFA_RSP,      /* CFA = rsp + offset */
	HEDDLE_RULE_CFA_RBP,      /* CFA = rbp + offset */
	HEDDLE_RULE_CFA_AT_RSP,   /* CFA = the word at rsp + offset */
	HEDDLE_RULE_CFA_AT_RBP,   /* CFA = the word at rbp + offset (realigned stacks) */
	HEDDLE_RULE_CFA_REGISTER, /* CFA = register + offset; bits 4-15: DWARF's register number; rbp unchanged */
	HEDDLE_RULE_PLT,          /* lazy PLT entry: CFA = rsp + 8, one word more from byte `offset` of the entry on */
	HEDDLE_RULE_SIGNAL,       /* the kernel's trampoline: everything is in the ucontext at rsp */
	HEDDLE_RULE_END,          /* the outermost frame; CFA = rsp + offset */
	HEDDLE_RULE_FULL,         /* bits 4-31: index of a full rule */
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
	uint32_t pc; /* relative to the load base; the row holds up to the next one's */
	uint32_t rule;
};

/* Where the callee-saved registers other than rbp are: used only by walks that must know them all. */
struct heddle__unwind_saves {
	struct {
		int16_t offset; /* in words */
		uint8_t how;    /* SAME, AT_CFA, AT_EXPRESSION (here: at rbp + offset), else lost */
	} registers[HEDDLE_CFI_SAVED];
};

#define HEDDLE_UNWIND_PAGE_SHIFT 10

struct heddle__unwind_table {
	uint32_t row_count;
	uint32_t first_page, page_count; /* pages[] has one entry more */
	uint32_t full_count, saves_count;
	size_t size; /* bytes of memory */
	const struct heddle__unwind_row *rows;
	const uint32_t *pages;     /* for each page of code: the number of rows that start at or before its start */
	const uint16_t *row_saves; /* for each row: index into saves */
	const struct heddle__unwind_saves *saves;
	const struct heddle__cfi_rule *full; /* expressions are copies as well */
};

/*
 * Build the table of a module that is loaded now, and keep it in module->unwind; nothing to do when the file has one.
 * Fits heddle__modules_init. Context: any thread, inside dl_iterate_phdr.
 */
void heddle__unwind_table_build(struct heddle_module *module);

/*
 * The same from an index, `memory` being the bytes that may be read: returns the table, or NULL without memory or when
 * the index is damaged. `entry`: start of the program's first procedure, or 0. Context: any thread, not a handler.
 */
struct heddle__unwind_table *heddle__unwind_table_make(
	uintptr_t base, uintptr_t hdr, struct heddle__cfi_bytes memory, uintptr_t entry);

/* Index of the row that holds `pc` (relative), or -1 when it is before the first. Context: any thread, signal. */
int64_t heddle__unwind_table_find(const struct heddle__unwind_table *table, uint32_t pc);

/* A rule in packed form, HEDDLE_RULE_FULL when it does not fit. Context: any. */
uint32_t heddle__rule_pack(const struct heddle__cfi_rule *rule);

#endif
