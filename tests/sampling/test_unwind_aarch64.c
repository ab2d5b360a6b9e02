/* SPDX-License-Identifier: BSD-3-Clause */
/* AArch64: rules packed from call frame information, and read from code if that information is missing or stale. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sampling/unwind/unwind_step.h"
#include "sampling/unwind/unwind_table.h"

/* zR, code align 4, data align -8, return address 30, absolute addresses; CFA = sp. */
static const uint8_t cie_bytes[] = {16, 0, 0, 0, 0, 0, 0, 0, 1, 'z', 'R', 0, 4, 0x78, 30, 1, 0, 0x0c, 31, 0};

enum { ADVANCE = 0x40, OFFSET_X29 = 0x80 + 29, OFFSET_X30 = 0x80 + 30, DEF_CFA = 0x0c, DEF_CFA_OFFSET = 0x0e };
enum {
	STP_X29_X30_PUSH_16 = 0xa9bf7bfd,
	STP_X19_X20_PUSH_16 = 0xa9bf53f3,
	MOV_X29_SP = 0x910003fd,
	NOP = 0xd503201f,
	LDP_X19_X20 = 0xa94153f3,
	LDP_X29_X30_POP_32 = 0xa8c27bfd,
	ADD_SP_16 = 0x910043ff,
	AUTIASP = 0xd50323bf,
	RET = 0xd65f03c0,
	B_NE = 0x54000041
};

static struct heddle__cfi_cie read_cie(void)
{
	const struct heddle__cfi_bytes bytes = {.at = cie_bytes, .end = cie_bytes + sizeof(cie_bytes)};
	struct heddle__cfi_cie cie;
	assert_int_equal(heddle__cfi_read_cie(bytes, &cie), 0);
	return cie;
}

static uint32_t packed_at(const uint8_t *program, size_t size, uintptr_t pc)
{
	struct heddle__cfi_cie cie = read_cie();
	struct heddle__cfi_fde fde = {
		.low = 0x1000, .high = 0x1100, .instructions = {.at = program, .end = program + size}};
	struct heddle__cfi_rule rule;
	assert_int_equal(heddle__cfi_rule_at(&cie, &fde, pc, &rule), 0);
	return heddle__rule_pack(&rule);
}

static void expect_rule(uint32_t rule, enum heddle__rule_kind kind, intptr_t offset, unsigned ra, unsigned fp)
{
	assert_int_equal(heddle__rule_kind(rule), kind);
	assert_int_equal(heddle__rule_offset(rule), offset);
	assert_int_equal(heddle__rule_ra_words(rule), ra);
	assert_int_equal(heddle__rule_fp_words(rule), fp);
}

/* A frame of 176 bytes with its frame record at the bottom, and signed return addresses. */
static void packs_frames(void **state)
{
	static const uint8_t program[] = {0x2d, ADVANCE | 1, DEF_CFA_OFFSET, 0xb0, 1, OFFSET_X29, 22, OFFSET_X30, 21,
		ADVANCE | 1, 0x0d, 29, ADVANCE | 1, 0xdd, 0xde, DEF_CFA, 31, 0, 0x2d};
	(void)state;
	expect_rule(packed_at(program, sizeof(program), 0x1000), HEDDLE_RULE_CFA_SP, 0, 0, 0);
	expect_rule(packed_at(program, sizeof(program), 0x1004), HEDDLE_RULE_CFA_SP, 176, 21, 22);
	expect_rule(packed_at(program, sizeof(program), 0x1008), HEDDLE_RULE_CFA_FP, 176, 21, 22);
	expect_rule(packed_at(program, sizeof(program), 0x100c), HEDDLE_RULE_CFA_SP, 0, 0, 0);
}

static void keeps_what_does_not_fit(void **state)
{
	static const uint8_t odd[] = {DEF_CFA_OFFSET, 8}, apart[] = {DEF_CFA_OFFSET, 32, OFFSET_X29, 1, OFFSET_X30, 4},
			     other[] = {DEF_CFA, 9, 16}, outermost[] = {0x07, 30};
	(void)state;
	assert_int_equal(packed_at(odd, sizeof(odd), 0x1000), HEDDLE_RULE_FULL);
	assert_int_equal(packed_at(apart, sizeof(apart), 0x1000), HEDDLE_RULE_FULL);
	assert_int_equal(packed_at(other, sizeof(other), 0x1000), HEDDLE_RULE_FULL);
	assert_int_equal(packed_at(outermost, sizeof(outermost), 0x1000), HEDDLE_RULE_END);
}

struct rows {
	uintptr_t from[8];
	uint32_t rule[8];
	int count;
};

static void take_row(void *context, uintptr_t from, const struct heddle__cfi_rule *rule)
{
	struct rows *rows = context;
	assert_in_range(rows->count, 0, 7);
	rows->from[rows->count] = from;
	rows->rule[rows->count++] = heddle__rule_pack(rule);
}

/* Begins and ends like LLVM's __kmp_invoke_microtask. */
static void reads_a_procedure_without_instructions(void **state)
{
	static const uint32_t code[] = {STP_X29_X30_PUSH_16, STP_X19_X20_PUSH_16, MOV_X29_SP, NOP, RET, NOP},
			      leaf[] = {NOP, NOP, NOP, RET};
	static const uint8_t nothing[] = {0, 0, 0};
	struct heddle__cfi_cie cie = read_cie();
	struct heddle__cfi_fde fde = {.low = (uintptr_t)code,
		.high = (uintptr_t)(code + 6),
		.instructions = {.at = nothing, .end = nothing + sizeof(nothing)}};
	struct rows rows = {.count = 0};
	(void)state;
	assert_true(heddle__rows_of_code(&cie, &fde, take_row, &rows));
	assert_int_equal(rows.count, 6);
	expect_rule(rows.rule[0], HEDDLE_RULE_CFA_SP, 0, 0, 0);
	expect_rule(rows.rule[1], HEDDLE_RULE_CFA_SP, 16, 1, 2);
	expect_rule(rows.rule[2], HEDDLE_RULE_CFA_SP, 32, 1, 2);
	expect_rule(rows.rule[3], HEDDLE_RULE_CFA_FP, 32, 1, 2);
	expect_rule(rows.rule[4], HEDDLE_RULE_CFA_SP, 0, 0, 0);
	assert_int_equal(rows.from[4], (uintptr_t)&code[4]);
	expect_rule(rows.rule[5], HEDDLE_RULE_CFA_FP, 32, 1, 2);
	fde.low = (uintptr_t)leaf;
	fde.high = (uintptr_t)(leaf + 4);
	assert_false(heddle__rows_of_code(&cie, &fde, take_row, &rows));
}

/* Steps out of a frame of 48 bytes: a frame record below saved registers, and another 16 bytes. */
static enum heddle__step leave(const uint32_t *code, struct heddle__cursor *cursor)
{
	static uintptr_t stack[16] __attribute__((aligned(16))) = {0x2900, 0x3000, 0x19, 0x20};
	static uintptr_t registers[HEDDLE_CONTEXT_WORDS];
	registers[29] = 0x290;
	registers[30] = 0x300;
	*cursor = (struct heddle__cursor){.pc = (uintptr_t)code,
		.sp = (uintptr_t)stack,
		.bp = 0x290,
		.exact = true,
		.registers = registers,
		.stack = {(uintptr_t)stack, (uintptr_t)(stack + 16), (uintptr_t)(stack + 16), false}};
	enum heddle__step step = heddle__step_epilogue(cursor, 0);
	cursor->sp -= (uintptr_t)stack;
	return step;
}

static void follows_epilogues(void **state)
{
	static const uint32_t whole[] = {LDP_X19_X20, LDP_X29_X30_POP_32, ADD_SP_16, AUTIASP, RET},
			      body[] = {NOP, B_NE, RET}, prologue[] = {MOV_X29_SP, RET};
	struct heddle__cursor cursor;
	(void)state;
	assert_int_equal(leave(whole, &cursor), HEDDLE_STEP_OUT);
	assert_int_equal(cursor.pc, 0x3000);
	assert_int_equal(cursor.bp, 0x2900);
	assert_int_equal(cursor.sp, 48);
	assert_int_equal(leave(whole + 2, &cursor), HEDDLE_STEP_OUT); /* both registers are restored */
	assert_int_equal(cursor.pc, 0x300);
	assert_int_equal(cursor.bp, 0x290);
	assert_int_equal(cursor.sp, 16);
	assert_int_equal(leave(body, &cursor), HEDDLE_STEP_BROKEN);
	assert_int_equal(leave(prologue, &cursor), HEDDLE_STEP_BROKEN);
	assert_int_equal(cursor.sp, 0);
	assert_true(cursor.exact);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(packs_frames),
		cmocka_unit_test(keeps_what_does_not_fit),
		cmocka_unit_test(reads_a_procedure_without_instructions),
		cmocka_unit_test(follows_epilogues),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
