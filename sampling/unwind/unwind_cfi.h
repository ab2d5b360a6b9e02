/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * DWARF call frame information (.eh_frame, .eh_frame_hdr), as far as unwinding needs it. All reads go through
 * bounded byte ranges, which may be copies of the original ("moved"): a damaged file causes an error, never an invalid
 * read. Context of all functions: any thread, signal; nothing is allocated.
 */
#ifndef HEDDLE_SAMPLING_UNWIND_CFI_H
#define HEDDLE_SAMPLING_UNWIND_CFI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampling/unwind/registers.h"

enum heddle__cfi_how {
	HEDDLE_CFI_SAME,
	HEDDLE_CFI_AT_CFA,        /* saved at CFA + offset */
	HEDDLE_CFI_IS_CFA,        /* its value is CFA + offset */
	HEDDLE_CFI_AT_EXPRESSION, /* saved at the expression's value */
	HEDDLE_CFI_IS_EXPRESSION,
	HEDDLE_CFI_IN_REGISTER, /* offset = DWARF's register number */
	HEDDLE_CFI_UNDEFINED,
};

struct heddle__cfi_location {
	const uint8_t *expression;
	uint32_t expression_size;
	int32_t offset;
	enum heddle__cfi_how how;
};

/* How to step from a frame to its caller, at one instruction. */
struct heddle__cfi_rule {
	struct heddle__cfi_location cfa; /* IN_REGISTER: cfa_register + offset; IS_EXPRESSION */
	uint32_t cfa_register;
	bool signal_frame;
	struct heddle__cfi_location registers[HEDDLE_CFI_REGISTERS];
};

struct heddle__cfi_bytes {
	const uint8_t *at, *end;
	uintptr_t moved; /* plus `at`: the address in the original */
	bool bad;        /* a read past the end occurred; sticky */
};

struct heddle__cfi_cie {
	uintptr_t address;
	uint64_t code_align;
	int64_t data_align;
	uint8_t encoding;
	bool augmented;
	struct heddle__cfi_rule initial;
};

struct heddle__cfi_fde {
	uintptr_t low, high;
	struct heddle__cfi_bytes instructions;
};

/* .eh_frame_hdr with a search table sorted by address, the only kind in use. */
struct heddle__cfi_entry {
	int32_t code, fde; /* relative to .eh_frame_hdr */
};

struct heddle__cfi_index {
	uintptr_t hdr;     /* address of .eh_frame_hdr */
	uintptr_t frames;  /* address of .eh_frame; 0: not relative to the header's own address */
	uintptr_t entries; /* address of the first entry */
	uintptr_t count;
};

/* `header`: the first bytes of .eh_frame_hdr (32 suffice). Returns 0 or -EINVAL. */
int heddle__cfi_read_index(uintptr_t hdr, struct heddle__cfi_bytes header, struct heddle__cfi_index *index);

/* `record`: from the length field of a CIE or FDE to the end of readable memory. Return 0 or -EINVAL. */
int heddle__cfi_read_cie(struct heddle__cfi_bytes record, struct heddle__cfi_cie *cie);
int heddle__cfi_read_fde(
	struct heddle__cfi_bytes record, const struct heddle__cfi_cie *cie, struct heddle__cfi_fde *fde);

/* Returns the address of an FDE's CIE; 0: not an FDE. */
uintptr_t heddle__cfi_cie_of(struct heddle__cfi_bytes record);

/* Called for each range of code with one rule, by ascending address; `from` is its start. */
typedef void heddle__cfi_visit(void *context, uintptr_t from, const struct heddle__cfi_rule *rule);

/* Visits the rows of one procedure. Returns 0 or -EINVAL (after visiting the rows before the error). */
int heddle__cfi_rows(
	const struct heddle__cfi_cie *cie, const struct heddle__cfi_fde *fde, heddle__cfi_visit *visit, void *context);

/* Sets `rule` to the rule at one address. Returns 0 or -EINVAL. */
int heddle__cfi_rule_at(const struct heddle__cfi_cie *cie, const struct heddle__cfi_fde *fde, uintptr_t pc,
	struct heddle__cfi_rule *rule);

/* Readers, shared with the evaluation of expressions. A read past the end returns 0 and sets `bad`. */
uint64_t heddle__cfi_unsigned(struct heddle__cfi_bytes *bytes, size_t size);
int64_t heddle__cfi_signed(struct heddle__cfi_bytes *bytes, size_t size);
uint64_t heddle__cfi_uleb(struct heddle__cfi_bytes *bytes);
int64_t heddle__cfi_sleb(struct heddle__cfi_bytes *bytes);

#endif
