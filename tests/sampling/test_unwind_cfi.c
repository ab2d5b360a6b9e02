/* SPDX-License-Identifier: BSD-3-Clause */
/* Interprets call frame information, packs rules, and makes tables of them, from bytes written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "sampling/unwind/unwind_cfi.h"
#include "sampling/unwind/unwind_table.h"

/* Little-endian words, byte by byte. */
#define U32(n) (n) & 0xff, (n) >> 8 & 0xff, (n) >> 16 & 0xff, (n) >> 24 & 0xff

enum { OFFSET_RBP = 0x80 + 6, OFFSET_RBX = 0x80 + 3, ADVANCE = 0x40, DEF_CFA = 0x0c, DEF_CFA_OFFSET = 0x0e };

/* zR, code align 1, data align -8, return address 16, absolute 4-byte addresses; CFA = rsp + 8, RA at CFA - 8. */
#define CIE_HEAD(letter, encoding) 0, 0, 0, 0, 1, 'z', letter, 0, 1, 0x78, 16, 1, encoding
#define CIE_PROGRAM DEF_CFA, 7, 8, 0x80 + 16, 1

static const uint8_t cie_bytes[] = {U32(18), CIE_HEAD('R', 0x03), CIE_PROGRAM};

static struct heddle__cfi_bytes bytes_of(const void *at, size_t size)
{
	return (struct heddle__cfi_bytes){.at = at, .end = (const uint8_t *)at + size};
}

static struct heddle__cfi_cie read_cie(void)
{
	struct heddle__cfi_cie cie;

	assert_int_equal(heddle__cfi_read_cie(bytes_of(cie_bytes, sizeof(cie_bytes)), &cie), 0);
	return cie;
}

/* Finds the rule at `pc` in a procedure [0x1000, 0x1100) with this program. Returns the interpreter's result. */
static int rule_at(const uint8_t *program, size_t size, uintptr_t pc, struct heddle__cfi_rule *rule)
{
	struct heddle__cfi_cie cie = read_cie();
	struct heddle__cfi_fde fde = {.low = 0x1000, .high = 0x1100, .instructions = bytes_of(program, size)};

	return heddle__cfi_rule_at(&cie, &fde, pc, rule);
}

static uint32_t packed_at(const uint8_t *program, size_t size, uintptr_t pc)
{
	struct heddle__cfi_rule rule;

	assert_int_equal(rule_at(program, size, pc, &rule), 0);
	return heddle__rule_pack(&rule);
}

static void reads_leb128(void **state)
{
	static const uint8_t u[] = {0xe5, 0x8e, 0x26}, s[] = {0xc0, 0xbb, 0x78}, open[] = {0x80, 0x80};
	struct heddle__cfi_bytes bytes = bytes_of(u, sizeof(u));

	(void)state;
	assert_int_equal(heddle__cfi_uleb(&bytes), 624485);
	bytes = bytes_of(s, sizeof(s));
	assert_int_equal(heddle__cfi_sleb(&bytes), -123456);
	assert_false(bytes.bad);
	bytes = bytes_of(open, sizeof(open));
	heddle__cfi_uleb(&bytes);
	assert_true(bytes.bad);
}

static void reads_a_cie(void **state)
{
	struct heddle__cfi_cie cie = read_cie();

	(void)state;
	assert_int_equal(cie.code_align, 1);
	assert_int_equal(cie.data_align, -8);
	assert_int_equal(cie.initial.cfa_register, HEDDLE_DWARF_SP);
	assert_int_equal(cie.initial.cfa.offset, 8);
	assert_int_equal(cie.initial.registers[HEDDLE_CFI_RA].offset, -8);
	assert_false(cie.initial.signal_frame);
}

static void refuses_damaged_records(void **state)
{
	uint8_t bytes[sizeof(cie_bytes)];
	struct heddle__cfi_cie cie;

	(void)state;
	for (size_t size = 0; size < sizeof(cie_bytes); size++)
		assert_int_not_equal(heddle__cfi_read_cie(bytes_of(cie_bytes, size), &cie), 0);
	memcpy(bytes, cie_bytes, sizeof(bytes));
	bytes[8] = 7; /* version */
	assert_int_not_equal(heddle__cfi_read_cie(bytes_of(bytes, sizeof(bytes)), &cie), 0);
	bytes[8] = 1;
	bytes[sizeof(bytes) - 5] = 0x3f; /* no such instruction */
	assert_int_not_equal(heddle__cfi_read_cie(bytes_of(bytes, sizeof(bytes)), &cie), 0);
}

/* Whatever the bytes are, nothing is read beyond their end, which is the end of a page. */
static void never_reads_past_the_end(void **state)
{
	uint8_t *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t random = 1;

	(void)state;
	assert_ptr_not_equal(pages, MAP_FAILED);
	assert_int_equal(mprotect(pages + 4096, 4096, PROT_NONE), 0);
	for (int round = 0; round < 20000; round++) {
		size_t size = random % 48;
		uint8_t *at = pages + 4096 - size;
		struct heddle__cfi_rule rule;
		struct heddle__cfi_cie cie;

		for (size_t i = 0; i < size; i++)
			at[i] = (uint8_t)((random = random * 1664525 + 1013904223) >> 24);
		rule_at(at, size, 0x1080, &rule);
		heddle__rule_pack(&rule);
		if (size > sizeof(cie_bytes)) {
			memcpy(at, cie_bytes, 13);
			heddle__cfi_read_cie(bytes_of(at, size), &cie);
		}
		random = random * 1664525 + 1013904223;
	}
	munmap(pages, 8192);
}

static void follows_a_prologue(void **state)
{
	/* push %rbp; push %rbx; sub $24, %rsp */
	static const uint8_t program[] = {ADVANCE + 1, DEF_CFA_OFFSET, 16, OFFSET_RBP, 2, ADVANCE + 1, DEF_CFA_OFFSET,
		24, OFFSET_RBX, 3, ADVANCE + 4, DEF_CFA_OFFSET, 48};
	struct heddle__cfi_rule rule;

	(void)state;
	assert_int_equal(packed_at(program, sizeof(program), 0x1000), HEDDLE_RULE_CFA_SP | 1 << 16);
	assert_int_equal(packed_at(program, sizeof(program), 0x1001), HEDDLE_RULE_CFA_SP | 2 << 4 | 2 << 16);
	assert_int_equal(packed_at(program, sizeof(program), 0x1002), HEDDLE_RULE_CFA_SP | 2 << 4 | 3 << 16);
	assert_int_equal(packed_at(program, sizeof(program), 0x1005), HEDDLE_RULE_CFA_SP | 2 << 4 | 3 << 16);
	assert_int_equal(packed_at(program, sizeof(program), 0x10ff), HEDDLE_RULE_CFA_SP | 2 << 4 | 6 << 16);
	assert_int_equal(rule_at(program, sizeof(program), 0x1080, &rule), 0);
	assert_int_equal(rule.registers[HEDDLE_CFI_RBX].how, HEDDLE_CFI_AT_CFA);
	assert_int_equal(rule.registers[HEDDLE_CFI_RBX].offset, -24);
}

static void remembers_and_restores(void **state)
{
	/* remember; CFA = rsp + 64; restore; and rbp restored to what the CIE says */
	static const uint8_t program[] = {
		OFFSET_RBP, 2, 0x0a, ADVANCE + 8, DEF_CFA_OFFSET, 64, ADVANCE + 8, 0x0b, ADVANCE + 8, 0xc0 + 6};

	(void)state;
	assert_int_equal(packed_at(program, sizeof(program), 0x1000), HEDDLE_RULE_CFA_SP | 2 << 4 | 1 << 16);
	assert_int_equal(packed_at(program, sizeof(program), 0x1008), HEDDLE_RULE_CFA_SP | 2 << 4 | 8 << 16);
	assert_int_equal(packed_at(program, sizeof(program), 0x1010), HEDDLE_RULE_CFA_SP | 2 << 4 | 1 << 16);
	assert_int_equal(packed_at(program, sizeof(program), 0x1018), HEDDLE_RULE_CFA_SP | 1 << 16);
}

static void packs_what_compilers_make(void **state)
{
	static const uint8_t frame_pointer[] = {DEF_CFA, 6, 16, OFFSET_RBP, 2};
	static const uint8_t by_rbx[] = {DEF_CFA, 3, 16};
	static const uint8_t undefined_ra[] = {0x07, 16};
	static const uint8_t realigned[] = {0x0f, 3, 0x76, 0x78, 0x06, 0x10, 6, 2, 0x76, 0}; /* [rbp-8]; rbp at [rbp] */
	static const uint8_t plt[] = {0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22};
	static const uint8_t odd_offset[] = {DEF_CFA_OFFSET, 12};
	static const uint8_t ra_elsewhere[] = {0x80 + 16, 3};
	static const uint8_t deep[] = {0x0f, 5, 0x77, 16, 0x06, 0x23, 8};

	(void)state;
	assert_int_equal(
		packed_at(frame_pointer, sizeof(frame_pointer), 0x1000), HEDDLE_RULE_CFA_FP | 2 << 4 | 2 << 16);
	assert_int_equal(packed_at(by_rbx, sizeof(by_rbx), 0x1000), HEDDLE_RULE_CFA_REGISTER | 3 << 4 | 2 << 16);
	assert_int_equal(packed_at(undefined_ra, sizeof(undefined_ra), 0x1000), HEDDLE_RULE_END | 1 << 16);
	assert_int_equal(packed_at(realigned, sizeof(realigned), 0x1000),
		HEDDLE_RULE_CFA_AT_RBP | HEDDLE_RBP_AT_RBP << 4 | 0xffffu << 16);
	assert_int_equal(packed_at(plt, sizeof(plt), 0x1000), HEDDLE_RULE_PLT | 11 << 16);
	assert_int_equal(packed_at(odd_offset, sizeof(odd_offset), 0x1000), HEDDLE_RULE_FULL);
	assert_int_equal(packed_at(ra_elsewhere, sizeof(ra_elsewhere), 0x1000), HEDDLE_RULE_FULL);
	assert_int_equal(packed_at(deep, sizeof(deep), 0x1000), HEDDLE_RULE_FULL);
}

static void keeps_negative_offsets(void **state)
{
	uint32_t rule = HEDDLE_RULE_CFA_FP | 0xfffeu << 16;

	(void)state;
	assert_int_equal(heddle__rule_offset(rule), -16);
	assert_int_equal(heddle__rule_rbp(rule), 0);
}

#define BASE ((uintptr_t)0x10000)
#define HDR ((uintptr_t)0x20000)

/*
 * A small .eh_frame_hdr and .eh_frame, as if loaded at HDR: procedures at BASE + 0x40 (16 bytes) and BASE + 0x1000
 * (0x1000 bytes, one full rule).
 */
struct image {
	uint8_t hdr[8];
	struct heddle__cfi_entry entries[2];
	uint8_t cie[22];
	uint8_t first[20];
	uint8_t second[32];
};

static void fill_image(struct image *image)
{
	static const uint8_t first[] = {U32(16), 0, 0, 0, 0, U32(0), U32(16), 0, ADVANCE + 4, DEF_CFA_OFFSET, 16};
	static const uint8_t second[] = {U32(28), 0, 0, 0, 0, U32(0), U32(0x1000), 0, 0x03, 0x00, 0x08, 0x0f, 5, 0x77,
		16, 6, 0x23, 8, 0, 0, 0, 0};
	uint32_t distance;

	memset(image, 0, sizeof(*image));
	memcpy(image->hdr, (const uint8_t[]){1, 0xff, 0x03, 0x3b, 2, 0, 0, 0}, 8);
	memcpy(image->cie, cie_bytes, sizeof(cie_bytes));
	memcpy(image->first, first, sizeof(first));
	memcpy(image->second, second, sizeof(second));
	distance = (uint32_t)(image->first + 4 - image->cie);
	memcpy(image->first + 4, &distance, 4);
	distance = (uint32_t)(image->second + 4 - image->cie);
	memcpy(image->second + 4, &distance, 4);
	memcpy(image->first + 8, (const uint32_t[]){(uint32_t)BASE + 0x40}, 4);
	memcpy(image->second + 8, (const uint32_t[]){(uint32_t)BASE + 0x1000}, 4);
	image->entries[0] =
		(struct heddle__cfi_entry){(int32_t)BASE + 0x40 - (int32_t)HDR, (int32_t)offsetof(struct image, first)};
	image->entries[1] = (struct heddle__cfi_entry){
		(int32_t)BASE + 0x1000 - (int32_t)HDR, (int32_t)offsetof(struct image, second)};
}

static struct heddle__unwind_table *table_of(const struct image *image, uintptr_t entry)
{
	struct heddle__cfi_bytes bytes = bytes_of(image, sizeof(*image));
	bytes.moved = HDR - (uintptr_t)image;
	return heddle__unwind_table_make(BASE, HDR, bytes, entry);
}

static void makes_a_table(void **state)
{
	const uint32_t padded = HEDDLE_RULE_CFA_SP | 2 << 16;
	struct image image;
	struct heddle__unwind_table *table;
	struct heddle__cfi_rule rule;

	(void)state;
	fill_image(&image);
	table = table_of(&image, 0);
	assert_non_null(table);
	memset(&image, 0xee, sizeof(image)); /* the table no longer needs the file */
#define RULE(pc) heddle__unwind_table_rule(table, pc, &rule)
	assert_int_equal(RULE(0x3f), HEDDLE_RULE_NONE);
	assert_int_equal(RULE(0x40), HEDDLE_RULE_CFA_SP | 1 << 16);
	assert_int_equal(RULE(0x43), HEDDLE_RULE_CFA_SP | 1 << 16);
	assert_int_equal(RULE(0x44), padded);
	assert_int_equal(RULE(0x4f), padded);
	assert_int_equal(RULE(0x50), HEDDLE_RULE_NONE);
	assert_int_equal(RULE(0xfff), HEDDLE_RULE_NONE);
	assert_int_equal(RULE(0x1000), HEDDLE_RULE_CFA_SP | 1 << 16);
	assert_int_equal(RULE(0x17ff), HEDDLE_RULE_CFA_SP | 1 << 16);
	assert_int_equal(RULE(0x1fff), HEDDLE_RULE_FULL);
	assert_int_equal(RULE(0x1800), HEDDLE_RULE_FULL);
	assert_memory_equal(rule.cfa.expression, ((const uint8_t[]){0x77, 16, 6, 0x23, 8}), 5);
	assert_int_equal(RULE(0x2000), HEDDLE_RULE_NONE);
	assert_int_equal(RULE(0xfffffff0), HEDDLE_RULE_NONE);
#undef RULE
	munmap(table, table->size);
}

/* Compares the rules around an entry point at BASE + from. */
static void expect_entry(uintptr_t from, uint32_t before, uint32_t at, uint32_t after)
{
	struct heddle__cfi_rule rule;
	struct image image;

	fill_image(&image);
	struct heddle__unwind_table *table = table_of(&image, BASE + from);
	assert_non_null(table);
	assert_int_equal(heddle__unwind_table_rule(table, (uint32_t)from - 2, &rule), HEDDLE_RULE_NONE);
	assert_int_equal(heddle__unwind_table_rule(table, (uint32_t)from - 1, &rule), before);
	assert_int_equal(heddle__unwind_table_rule(table, (uint32_t)from, &rule), at);
	assert_int_equal(heddle__unwind_table_rule(table, (uint32_t)from + 8, &rule), after);
	assert_int_equal(heddle__unwind_table_rule(table, 0x2000, &rule), HEDDLE_RULE_NONE);
	munmap(table, table->size);
}

/* An entry point with and without call frame information. */
static void knows_the_entry_point(void **state)
{
	(void)state;
	expect_entry(0x1000, HEDDLE_RULE_NOT_BEGUN, HEDDLE_RULE_OUTERMOST, HEDDLE_RULE_OUTERMOST);
	expect_entry(0x800, HEDDLE_RULE_NONE, HEDDLE_RULE_END, HEDDLE_RULE_END);
}

static void ignores_a_damaged_entry(void **state)
{
	struct heddle__cfi_rule rule;
	struct image image;

	(void)state;
	fill_image(&image);
	image.entries[1].fde = 0x7000000;
	struct heddle__unwind_table *table = table_of(&image, 0);
	assert_non_null(table);
	assert_int_equal(heddle__unwind_table_rule(table, 0x40, &rule), HEDDLE_RULE_CFA_SP | 1 << 16);
	assert_int_equal(heddle__unwind_table_rule(table, 0x1000, &rule), HEDDLE_RULE_NONE);
	munmap(table, table->size);
}

static void refuses_a_damaged_index(void **state)
{
	struct image image;

	(void)state;
	fill_image(&image);
	image.hdr[4] = 200; /* more entries than bytes */
	assert_null(table_of(&image, 0));
	fill_image(&image);
	image.hdr[3] = 0x03;
	assert_null(table_of(&image, 0));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_leb128),
		cmocka_unit_test(reads_a_cie),
		cmocka_unit_test(refuses_damaged_records),
		cmocka_unit_test(never_reads_past_the_end),
		cmocka_unit_test(follows_a_prologue),
		cmocka_unit_test(remembers_and_restores),
		cmocka_unit_test(packs_what_compilers_make),
		cmocka_unit_test(keeps_negative_offsets),
		cmocka_unit_test(makes_a_table),
		cmocka_unit_test(knows_the_entry_point),
		cmocka_unit_test(ignores_a_damaged_entry),
		cmocka_unit_test(refuses_a_damaged_index),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
