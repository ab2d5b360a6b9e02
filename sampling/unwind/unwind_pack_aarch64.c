/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Packs rules into 32 bits, on AArch64. Compilers save x29 below the return address, anywhere in the frame; frames are
 * multiples of 16 bytes. Only frames with scalable vectors, whose size is not constant, do not fit.
 */
#include "sampling/unwind/rule.h"

#define MOST 0x1fff

static uint32_t packed(enum heddle__rule_kind kind, bool saves_fp, int64_t ra_words, int64_t offset)
{
	return (uint32_t)kind | (uint32_t)saves_fp << 4 | (uint32_t)ra_words << 5 | (uint32_t)(offset / 16) << 18;
}

static bool fits(int64_t offset)
{
	return offset >= 0 && offset % 16 == 0 && offset / 16 <= MOST;
}

static uint32_t pack_end(const struct heddle__cfi_rule *rule)
{
	bool by_sp = rule->cfa.how == HEDDLE_CFI_IN_REGISTER && rule->cfa_register == HEDDLE_DWARF_SP;
	return packed(HEDDLE_RULE_END, false, 0, by_sp && fits(rule->cfa.offset) ? rule->cfa.offset : 0);
}

/* Returns how many words below the CFA the return address is; 0: in its register; -1: elsewhere. */
static int64_t words_of(const struct heddle__cfi_location *ra)
{
	if (ra->how == HEDDLE_CFI_SAME)
		return 0;
	if (ra->how != HEDDLE_CFI_AT_CFA || ra->offset >= 0 || ra->offset % 8 || -ra->offset / 8 > MOST)
		return -1;
	return -ra->offset / 8;
}

uint32_t heddle__rule_pack(const struct heddle__cfi_rule *rule)
{
	const struct heddle__cfi_location *ra = &rule->registers[HEDDLE_CFI_RA], *fp = &rule->registers[HEDDLE_CFI_FP];
	bool saves_fp = fp->how == HEDDLE_CFI_AT_CFA;
	if (rule->signal_frame)
		return HEDDLE_RULE_SIGNAL;
	if (ra->how == HEDDLE_CFI_UNDEFINED)
		return pack_end(rule);
	int64_t words = words_of(ra);
	bool regular =
		words >= 0 && (fp->how == HEDDLE_CFI_SAME || (saves_fp && words > 0 && fp->offset == ra->offset - 8));
	if (!regular || rule->registers[HEDDLE_CFI_SP].how != HEDDLE_CFI_SAME ||
		rule->cfa.how != HEDDLE_CFI_IN_REGISTER || !fits(rule->cfa.offset))
		return HEDDLE_RULE_FULL;
	if (rule->cfa_register == HEDDLE_DWARF_SP)
		return packed(HEDDLE_RULE_CFA_SP, saves_fp, words, rule->cfa.offset);
	if (rule->cfa_register == HEDDLE_DWARF_FP)
		return packed(HEDDLE_RULE_CFA_FP, saves_fp, words, rule->cfa.offset);
	return HEDDLE_RULE_FULL;
}
