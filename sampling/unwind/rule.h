/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rules for the step out of a frame, packed into 32 bits; nearly all rules of compilers fit. On all processors, bits
 * 0-3 are the kind. Some kinds use the other bits differently, as noted.
 */
#ifndef HEDDLE_SAMPLING_UNWIND_RULE_H
#define HEDDLE_SAMPLING_UNWIND_RULE_H

#include <stdbool.h>
#include <stdint.h>

#include "sampling/unwind/unwind_cfi.h"

enum heddle__rule_kind {
	HEDDLE_RULE_NONE,         /* no call frame information */
	HEDDLE_RULE_CFA_SP,       /* CFA = stack pointer + offset */
	HEDDLE_RULE_CFA_FP,       /* CFA = frame pointer + offset */
	HEDDLE_RULE_CFA_AT_RSP,   /* x86-64: CFA = the word at rsp + offset */
	HEDDLE_RULE_CFA_AT_RBP,   /* x86-64: CFA = the word at rbp + offset (realigned stacks) */
	HEDDLE_RULE_CFA_REGISTER, /* x86-64: CFA = register + offset; bits 4-15: DWARF's number; rbp unchanged */
	/* x86-64, lazy PLT entry: CFA = rsp + 8, and one word more from byte `offset` of the entry on */
	HEDDLE_RULE_PLT,
	HEDDLE_RULE_SIGNAL, /* the kernel's trampoline: all registers are in the context on the stack */
	HEDDLE_RULE_END,    /* the outermost frame; CFA = stack pointer + offset */
	HEDDLE_RULE_FULL,   /* the rule does not fit */
	/* before the first instruction of a procedure without callers: the frame inside this one is the outermost */
	HEDDLE_RULE_NOT_BEGUN,
};

static inline enum heddle__rule_kind heddle__rule_kind(uint32_t rule)
{
	return (enum heddle__rule_kind)(rule & 15);
}

/* Packs a rule; returns HEDDLE_RULE_FULL if it does not fit. Context: any. */
uint32_t heddle__rule_pack(const struct heddle__cfi_rule *rule);

#if defined(__aarch64__)
/*
 * Bit 4: the caller's frame pointer is saved one word below the return address. Bits 5-17: how many words below the CFA
 * the return address is saved; 0: it is in x30. Bits 18-30: the offset, in units of 16 bytes.
 */
#define HEDDLE_RULE_OUTERMOST ((uint32_t)HEDDLE_RULE_END)

static inline intptr_t heddle__rule_offset(uint32_t rule)
{
	return (intptr_t)(rule >> 18 & 0x1fff) * 16;
}

static inline unsigned heddle__rule_ra_words(uint32_t rule)
{
	return rule >> 5 & 0x1fff;
}

static inline unsigned heddle__rule_fp_words(uint32_t rule)
{
	return rule & 16 ? heddle__rule_ra_words(rule) + 1 : 0;
}

/* True if the rule locates both in memory, by the stack or frame pointer alone. */
static inline bool heddle__rule_is_simple(uint32_t rule)
{
	return heddle__rule_ra_words(rule) != 0;
}

/* True if the return address of a frame with that CFA is not below `low`. */
static inline bool heddle__rule_returns_above(uint32_t rule, uintptr_t cfa, uintptr_t low)
{
	return cfa - 8 * (uintptr_t)heddle__rule_ra_words(rule) >= low;
}
#else
/* Bits 4-15: the location of rbp. Bits 16-31: an offset in words (signed). The return address is at CFA - 8. */
enum {
	HEDDLE_RBP_SAME = 0,
	/* 1 .. 0x7ff: saved at CFA - 8 * this */
	HEDDLE_RBP_AT_RBP = 0x800, /* saved where rbp points (realigned stacks) */
	HEDDLE_RBP_LOST = 0xfff,
};

#define HEDDLE_RULE_OUTERMOST ((uint32_t)HEDDLE_RULE_END | 1 << 16) /* CFA = rsp + 8 */

static inline uint32_t heddle__rule_rbp(uint32_t rule)
{
	return rule >> 4 & 0xfff;
}

static inline intptr_t heddle__rule_offset(uint32_t rule)
{
	return (intptr_t)((int32_t)rule >> 16) * 8;
}

static inline unsigned heddle__rule_ra_words(uint32_t rule)
{
	(void)rule;
	return 1;
}

static inline unsigned heddle__rule_fp_words(uint32_t rule)
{
	return heddle__rule_rbp(rule);
}

static inline bool heddle__rule_is_simple(uint32_t rule)
{
	return heddle__rule_rbp(rule) < HEDDLE_RBP_AT_RBP;
}

/* Always true: it is in the word below the CFA, which is above the stack pointer. */
static inline bool heddle__rule_returns_above(uint32_t rule, uintptr_t cfa, uintptr_t low)
{
	(void)rule;
	(void)cfa;
	(void)low;
	return true;
}
#endif

#endif
