/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Packs rules into 32 bits; nearly all rules of compilers fit. Recognized expressions: those of GCC's realigned stacks,
 * of the linkers' lazy PLT, and of the signal trampoline.
 */
#include <string.h>

#include "sampling/unwind/unwind_table.h"

enum {
	OP_DEREF = 0x06,
	OP_BREG_RBP = 0x70 + HEDDLE_DWARF_FP,
	OP_BREG_RSP = 0x70 + HEDDLE_DWARF_SP,
	OP_LIT0 = 0x30,
	OP_LIT15 = 0x3f,
};

static bool fits(int64_t offset)
{
	return offset % 8 == 0 && offset / 8 >= INT16_MIN && offset / 8 <= INT16_MAX;
}

static uint32_t packed(enum heddle__rule_kind kind, uint32_t rbp, int64_t offset)
{
	return (uint32_t)kind | rbp << 4 | (uint32_t)(uint16_t)(offset / 8) << 16;
}

/* Returns the code for the location of rbp, or -1. */
static int pack_rbp(const struct heddle__cfi_location *rbp)
{
	static const uint8_t at_rbp[] = {OP_BREG_RBP, 0};
	switch (rbp->how) {
	case HEDDLE_CFI_SAME:
		return HEDDLE_RBP_SAME;
	case HEDDLE_CFI_UNDEFINED:
		return HEDDLE_RBP_LOST;
	case HEDDLE_CFI_AT_CFA:
		if (rbp->offset < 0 && rbp->offset % 8 == 0 && -rbp->offset / 8 < HEDDLE_RBP_AT_RBP)
			return -rbp->offset / 8;
		return -1;
	case HEDDLE_CFI_AT_EXPRESSION:
		if (rbp->expression_size == sizeof(at_rbp) && !memcmp(rbp->expression, at_rbp, sizeof(at_rbp)))
			return HEDDLE_RBP_AT_RBP;
		return -1;
	default:
		return -1;
	}
}

/* rsp + 8 + ((rip & 15) >= N) * 8, as all linkers write it for .plt. */
static bool is_plt(const struct heddle__cfi_location *cfa, int64_t *threshold)
{
	static const uint8_t head[] = {OP_BREG_RSP, 8, 0x80, 0, OP_LIT15, 0x1a};
	static const uint8_t tail[] = {0x2a, 0x33, 0x24, 0x22};
	const uint8_t *bytes = cfa->expression;
	if (cfa->expression_size != sizeof(head) + 1 + sizeof(tail) || memcmp(bytes, head, sizeof(head)) != 0 ||
		memcmp(bytes + sizeof(head) + 1, tail, sizeof(tail)) != 0)
		return false;
	*threshold = bytes[sizeof(head)] - OP_LIT0;
	return *threshold >= 0 && *threshold < 16;
}

static uint32_t pack_expression(const struct heddle__cfi_location *cfa, uint32_t rbp)
{
	struct heddle__cfi_bytes bytes = {.at = cfa->expression, .end = cfa->expression + cfa->expression_size};
	uint64_t base;
	int64_t offset;
	if (rbp == HEDDLE_RBP_SAME && is_plt(cfa, &offset))
		return packed(HEDDLE_RULE_PLT, 0, offset * 8);
	base = heddle__cfi_unsigned(&bytes, 1);
	if (base != OP_BREG_RBP && base != OP_BREG_RSP)
		return HEDDLE_RULE_FULL;
	offset = heddle__cfi_sleb(&bytes);
	if (heddle__cfi_unsigned(&bytes, 1) != OP_DEREF || bytes.bad || bytes.at != bytes.end || !fits(offset))
		return HEDDLE_RULE_FULL;
	return packed(base == OP_BREG_RSP ? HEDDLE_RULE_CFA_AT_RSP : HEDDLE_RULE_CFA_AT_RBP, rbp, offset);
}

static uint32_t pack_register(const struct heddle__cfi_rule *rule, uint32_t rbp)
{
	if (!fits(rule->cfa.offset))
		return HEDDLE_RULE_FULL;
	if (rule->cfa_register == HEDDLE_DWARF_SP)
		return packed(HEDDLE_RULE_CFA_SP, rbp, rule->cfa.offset);
	if (rule->cfa_register == HEDDLE_DWARF_FP)
		return packed(HEDDLE_RULE_CFA_FP, rbp, rule->cfa.offset);
	if (rbp != HEDDLE_RBP_SAME || rule->cfa_register >= HEDDLE_DWARF_RA)
		return HEDDLE_RULE_FULL;
	return packed(HEDDLE_RULE_CFA_REGISTER, rule->cfa_register, rule->cfa.offset);
}

static uint32_t pack_end(const struct heddle__cfi_rule *rule)
{
	if (rule->cfa.how == HEDDLE_CFI_IN_REGISTER && rule->cfa_register == HEDDLE_DWARF_SP && fits(rule->cfa.offset))
		return packed(HEDDLE_RULE_END, 0, rule->cfa.offset);
	return packed(HEDDLE_RULE_END, 0, 0);
}

uint32_t heddle__rule_pack(const struct heddle__cfi_rule *rule)
{
	const struct heddle__cfi_location *ra = &rule->registers[HEDDLE_CFI_RA];
	int rbp = pack_rbp(&rule->registers[HEDDLE_CFI_FP]);
	if (rule->signal_frame)
		return rule->cfa.how == HEDDLE_CFI_IS_EXPRESSION && rule->cfa.expression_size > 0 &&
				       rule->cfa.expression[0] == OP_BREG_RSP
			       ? HEDDLE_RULE_SIGNAL
			       : HEDDLE_RULE_FULL;
	if (ra->how == HEDDLE_CFI_UNDEFINED)
		return pack_end(rule);
	if (ra->how != HEDDLE_CFI_AT_CFA || ra->offset != -8 || rbp < 0 ||
		rule->registers[HEDDLE_CFI_SP].how != HEDDLE_CFI_SAME)
		return HEDDLE_RULE_FULL;
	if (rule->cfa.how == HEDDLE_CFI_IS_EXPRESSION)
		return pack_expression(&rule->cfa, (uint32_t)rbp);
	return pack_register(rule, (uint32_t)rbp);
}
