/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RUNS IN SIGNAL HANDLERS (for modules that have no table yet). Parses CIEs and FDEs and interprets their instructions
 * (DWARF 5, section 6.4, and .eh_frame of the LSB).
 */
#include "sampling/unwind/unwind_cfi.h"

#include <errno.h>
#include <string.h>

#define REMEMBER_DEPTH 4

/* Pointer encodings, LSB 10.5.1. */
enum {
	ENC_OMIT = 0xff,
	ENC_FORMAT = 0x0f,
	ENC_RELATIVE = 0x70,
	ENC_PCREL = 0x10,
	ENC_DATAREL = 0x30,
	ENC_INDIRECT = 0x80,
	ENC_DATAREL_SDATA4 = 0x3b,
};

/* Call frame instructions. The first three have an operand in their low six bits. */
enum {
	CFA_ADVANCE_LOC = 0x40,
	CFA_OFFSET = 0x80,
	CFA_RESTORE = 0xc0,
	CFA_NOP = 0x00,
	CFA_SET_LOC,
	CFA_ADVANCE_LOC1,
	CFA_ADVANCE_LOC2,
	CFA_ADVANCE_LOC4,
	CFA_OFFSET_EXTENDED,
	CFA_RESTORE_EXTENDED,
	CFA_UNDEFINED,
	CFA_SAME_VALUE,
	CFA_REGISTER,
	CFA_REMEMBER_STATE,
	CFA_RESTORE_STATE,
	CFA_DEF_CFA,
	CFA_DEF_CFA_REGISTER,
	CFA_DEF_CFA_OFFSET,
	CFA_DEF_CFA_EXPRESSION,
	CFA_EXPRESSION,
	CFA_OFFSET_EXTENDED_SF,
	CFA_DEF_CFA_SF,
	CFA_DEF_CFA_OFFSET_SF,
	CFA_VAL_OFFSET,
	CFA_VAL_OFFSET_SF,
	CFA_VAL_EXPRESSION,
	CFA_AARCH64_NEGATE_RA_STATE_WITH_PC = 0x2c,
	CFA_AARCH64_NEGATE_RA_STATE = 0x2d,
	CFA_GNU_ARGS_SIZE = 0x2e,
	CFA_GNU_NEGATIVE_OFFSET = 0x2f,
};

/* The interpreter's state. */
struct run {
	const struct heddle__cfi_cie *cie;
	struct heddle__cfi_bytes bytes;
	struct heddle__cfi_rule rule;
	struct heddle__cfi_rule remembered[REMEMBER_DEPTH];
	unsigned depth;
	uintptr_t pc;
	uintptr_t stop; /* stop at the rule for this address; UINTPTR_MAX: none */
	bool stopped;
	heddle__cfi_visit *visit;
	void *context;
};

/* The fast path of heddle__cfi_unsigned, for one byte. */
static inline uint8_t read_byte(struct heddle__cfi_bytes *bytes)
{
	if (bytes->at < bytes->end)
		return *bytes->at++;
	bytes->bad = true;
	return 0;
}

uint64_t heddle__cfi_unsigned(struct heddle__cfi_bytes *bytes, size_t size)
{
	uint64_t value = 0;
	if ((size_t)(bytes->end - bytes->at) < size) {
		bytes->bad = true;
		bytes->at = bytes->end;
		return 0;
	}
	memcpy(&value, bytes->at, size); /* little endian */
	bytes->at += size;
	return value;
}

int64_t heddle__cfi_signed(struct heddle__cfi_bytes *bytes, size_t size)
{
	unsigned shift = 64 - 8 * (unsigned)size;
	return (int64_t)(heddle__cfi_unsigned(bytes, size) << shift) >> shift;
}

/* LEB128: seven bits a byte, the lowest first. Sets `shift` to the number of bits read, `last` to the final byte. */
static inline uint64_t read_leb(struct heddle__cfi_bytes *bytes, unsigned *shift, uint8_t *last)
{
	uint64_t value = 0;
	uint8_t byte;
	*shift = 0;
	do {
		byte = read_byte(bytes);
		if (*shift < 64)
			value |= (uint64_t)(byte & 0x7f) << *shift;
		*shift += 7;
	} while (byte & 0x80);
	*last = byte;
	return value;
}

uint64_t heddle__cfi_uleb(struct heddle__cfi_bytes *bytes)
{
	unsigned shift;
	uint8_t last;
	return read_leb(bytes, &shift, &last);
}

int64_t heddle__cfi_sleb(struct heddle__cfi_bytes *bytes)
{
	unsigned shift;
	uint8_t last;
	uint64_t value = read_leb(bytes, &shift, &last);
	if (shift < 64 && (last & 0x40))
		value |= ~(uint64_t)0 << shift;
	return (int64_t)value;
}

static uint64_t read_format(struct heddle__cfi_bytes *bytes, uint8_t format)
{
	switch (format) {
	case 0x00: /* absptr */
	case 0x04: /* udata8 */
	case 0x0c: /* sdata8 */
		return heddle__cfi_unsigned(bytes, 8);
	case 0x01:
		return heddle__cfi_uleb(bytes);
	case 0x02:
		return heddle__cfi_unsigned(bytes, 2);
	case 0x03:
		return heddle__cfi_unsigned(bytes, 4);
	case 0x09:
		return (uint64_t)heddle__cfi_sleb(bytes);
	case 0x0a:
		return (uint64_t)heddle__cfi_signed(bytes, 2);
	case 0x0b:
		return (uint64_t)heddle__cfi_signed(bytes, 4);
	default:
		bytes->bad = true;
		return 0;
	}
}

/* Reads a code address. Indirect pointers do not occur for code and are refused. */
static uintptr_t read_pointer(struct heddle__cfi_bytes *bytes, uint8_t encoding)
{
	uintptr_t at = (uintptr_t)bytes->at + bytes->moved;
	uintptr_t value = read_format(bytes, encoding & ENC_FORMAT);
	if ((encoding & ENC_RELATIVE) == ENC_PCREL)
		return value + at;
	if (encoding & (ENC_RELATIVE | ENC_INDIRECT))
		bytes->bad = true;
	return value;
}

int heddle__cfi_read_index(uintptr_t hdr, struct heddle__cfi_bytes header, struct heddle__cfi_index *index)
{
	uint64_t version = heddle__cfi_unsigned(&header, 1);
	uint8_t frame = read_byte(&header);
	uint8_t count = read_byte(&header);
	uint8_t table = read_byte(&header);
	if (version != 1 || count == ENC_OMIT || (count & ENC_RELATIVE) || table != ENC_DATAREL_SDATA4)
		return -EINVAL;
	index->hdr = hdr;
	index->frames = 0;
	if (frame != ENC_OMIT && (frame & (ENC_RELATIVE | ENC_INDIRECT)) == ENC_PCREL)
		index->frames = read_pointer(&header, frame);
	else if (frame != ENC_OMIT)
		read_format(&header, frame & ENC_FORMAT);
	index->count = read_format(&header, count & ENC_FORMAT);
	index->entries = (uintptr_t)header.at + header.moved;
	return header.bad ? -EINVAL : 0;
}

/* Limits `record` to its own length, and skips the length field. False at the terminator, and for the 64-bit format. */
static bool enter_record(struct heddle__cfi_bytes *record)
{
	uint64_t length = heddle__cfi_unsigned(record, 4);
	if (record->bad || length == 0 || length > (size_t)(record->end - record->at))
		return false;
	record->end = record->at + length;
	return true;
}

/* Reads augmentation string and data. An unknown letter ends the parsing, but the size of the data is known ('z'). */
static bool read_augmentation(struct heddle__cfi_bytes *record, const uint8_t *letters, struct heddle__cfi_cie *cie)
{
	struct heddle__cfi_bytes data;
	uint64_t size;
	if (!*letters)
		return true;
	if (*letters != 'z')
		return false;
	cie->augmented = true;
	size = heddle__cfi_uleb(record);
	if (size > (size_t)(record->end - record->at))
		return false;
	data = *record;
	data.end = data.at + size;
	record->at += size;
	for (letters++; *letters; letters++) {
		if (*letters == 'R')
			cie->encoding = read_byte(&data);
		else if (*letters == 'L')
			heddle__cfi_unsigned(&data, 1);
		else if (*letters == 'P')
			read_format(&data, read_byte(&data) & ENC_FORMAT);
		else if (*letters == 'S')
			cie->initial.signal_frame = true;
		else
			break;
	}
	return !data.bad;
}

static int run_program(struct run *run);

int heddle__cfi_read_cie(struct heddle__cfi_bytes record, struct heddle__cfi_cie *cie)
{
	uintptr_t address = (uintptr_t)record.at + record.moved;
	const uint8_t *letters;
	uint64_t version, ra;
	struct run run;
	*cie = (struct heddle__cfi_cie){.address = address};
	if (!enter_record(&record) || heddle__cfi_unsigned(&record, 4) != 0)
		return -EINVAL;
	version = heddle__cfi_unsigned(&record, 1);
	letters = record.at;
	while (heddle__cfi_unsigned(&record, 1))
		continue;
	cie->code_align = heddle__cfi_uleb(&record);
	cie->data_align = heddle__cfi_sleb(&record);
	ra = version == 1 ? heddle__cfi_unsigned(&record, 1) : heddle__cfi_uleb(&record);
	if (record.bad || (version != 1 && version != 3) || ra != HEDDLE_DWARF_RA)
		return -EINVAL;
	if (!read_augmentation(&record, letters, cie) || record.bad)
		return -EINVAL;
	run.cie = cie;
	run.bytes = record;
	run.rule = cie->initial;
	run.depth = 0;
	run.pc = 0;
	run.stop = UINTPTR_MAX;
	run.stopped = false;
	run.visit = NULL;
	if (run_program(&run))
		return -EINVAL;
	cie->initial = run.rule;
	return 0;
}

uintptr_t heddle__cfi_cie_of(struct heddle__cfi_bytes record)
{
	uintptr_t field;
	uint64_t distance;
	if (!enter_record(&record))
		return 0;
	field = (uintptr_t)record.at + record.moved;
	distance = heddle__cfi_unsigned(&record, 4);
	return record.bad || distance == 0 ? 0 : field - distance;
}

int heddle__cfi_read_fde(
	struct heddle__cfi_bytes record, const struct heddle__cfi_cie *cie, struct heddle__cfi_fde *fde)
{
	if (!enter_record(&record))
		return -EINVAL;
	heddle__cfi_unsigned(&record, 4);
	fde->low = read_pointer(&record, cie->encoding);
	fde->high = fde->low + read_format(&record, cie->encoding & ENC_FORMAT);
	if (cie->augmented) {
		uint64_t size = heddle__cfi_uleb(&record);

		if (size > (size_t)(record.end - record.at))
			return -EINVAL;
		record.at += size;
	}
	fde->instructions = record;
	return record.bad || fde->high < fde->low ? -EINVAL : 0;
}

static int register_index(uint64_t number)
{
	switch (number) {
	case HEDDLE_DWARF_FP:
		return HEDDLE_CFI_FP;
	case HEDDLE_DWARF_SP:
		return HEDDLE_CFI_SP;
	case HEDDLE_DWARF_RA:
		return HEDDLE_CFI_RA;
	default:
		return heddle__saved_index(number);
	}
}

/* Returns a factored offset; if it does not fit (a damaged file), it wraps around. */
static int64_t scaled(uint64_t factor, int64_t align)
{
	return (int64_t)(factor * (uint64_t)align);
}

static void set_location(struct run *run, uint64_t number, enum heddle__cfi_how how, int64_t offset)
{
	int index = register_index(number);
	if (index < 0)
		return;
	if (offset != (int32_t)offset)
		run->bytes.bad = true;
	run->rule.registers[index] = (struct heddle__cfi_location){.how = how, .offset = (int32_t)offset};
}

static void restore_location(struct run *run, uint64_t number)
{
	int index = register_index(number);
	if (index >= 0)
		run->rule.registers[index] = run->cie->initial.registers[index];
}

static struct heddle__cfi_location read_expression(struct run *run, enum heddle__cfi_how how)
{
	uint64_t size = heddle__cfi_uleb(&run->bytes);
	struct heddle__cfi_location location = {.how = how, .expression = run->bytes.at};
	if (size > (size_t)(run->bytes.end - run->bytes.at)) {
		run->bytes.bad = true;
		return location;
	}
	location.expression_size = (uint32_t)size;
	run->bytes.at += size;
	return location;
}

static void define_cfa(struct run *run, uint64_t number, int64_t offset)
{
	if (offset != (int32_t)offset)
		run->bytes.bad = true;
	run->rule.cfa = (struct heddle__cfi_location){.how = HEDDLE_CFI_IN_REGISTER, .offset = (int32_t)offset};
	run->rule.cfa_register = (uint32_t)number;
}

static void go_to(struct run *run, uintptr_t pc)
{
	if (pc > run->stop) {
		run->stopped = true;
		return;
	}
	if (run->visit && pc != run->pc)
		run->visit(run->context, run->pc, &run->rule);
	run->pc = pc;
}

static void advance(struct run *run, uint64_t delta)
{
	go_to(run, run->pc + delta * run->cie->code_align);
}

static void run_state(struct run *run, bool restore)
{
	if (!restore && run->depth < REMEMBER_DEPTH)
		run->remembered[run->depth++] = run->rule;
	else if (restore && run->depth > 0)
		run->rule = run->remembered[--run->depth];
	else
		run->bytes.bad = true;
}

/* Executes instructions that define where a register is saved. False: another instruction. */
static bool run_register_instruction(struct run *run, uint8_t code)
{
	struct heddle__cfi_bytes *bytes = &run->bytes;
	int64_t align = run->cie->data_align;
	uint64_t number;
	int index;
	if (code < CFA_OFFSET_EXTENDED || (code > CFA_REGISTER && code < CFA_EXPRESSION))
		return false;
	if (code == CFA_DEF_CFA_SF || code == CFA_DEF_CFA_OFFSET_SF ||
		(code > CFA_VAL_EXPRESSION && code != CFA_GNU_NEGATIVE_OFFSET))
		return false;
	number = heddle__cfi_uleb(bytes);
	index = register_index(number);
	if (code == CFA_OFFSET_EXTENDED) {
		set_location(run, number, HEDDLE_CFI_AT_CFA, scaled(heddle__cfi_uleb(bytes), align));
	} else if (code == CFA_OFFSET_EXTENDED_SF) {
		set_location(run, number, HEDDLE_CFI_AT_CFA, scaled((uint64_t)heddle__cfi_sleb(bytes), align));
	} else if (code == CFA_GNU_NEGATIVE_OFFSET) {
		set_location(run, number, HEDDLE_CFI_AT_CFA, scaled(0 - heddle__cfi_uleb(bytes), align));
	} else if (code == CFA_VAL_OFFSET) {
		set_location(run, number, HEDDLE_CFI_IS_CFA, scaled(heddle__cfi_uleb(bytes), align));
	} else if (code == CFA_VAL_OFFSET_SF) {
		set_location(run, number, HEDDLE_CFI_IS_CFA, scaled((uint64_t)heddle__cfi_sleb(bytes), align));
	} else if (code == CFA_REGISTER) {
		set_location(run, number, HEDDLE_CFI_IN_REGISTER, (int64_t)heddle__cfi_uleb(bytes));
	} else if (code == CFA_UNDEFINED) {
		set_location(run, number, HEDDLE_CFI_UNDEFINED, 0);
	} else if (code == CFA_SAME_VALUE) {
		set_location(run, number, HEDDLE_CFI_SAME, 0);
	} else if (code == CFA_RESTORE_EXTENDED) {
		restore_location(run, number);
	} else {
		struct heddle__cfi_location at = read_expression(
			run, code == CFA_EXPRESSION ? HEDDLE_CFI_AT_EXPRESSION : HEDDLE_CFI_IS_EXPRESSION);

		if (index >= 0)
			run->rule.registers[index] = at;
	}
	return true;
}

/* Executes instructions that define the CFA. False: another instruction. */
static bool run_cfa_instruction(struct run *run, uint8_t code)
{
	struct heddle__cfi_bytes *bytes = &run->bytes;
	int64_t align = run->cie->data_align;
	uint64_t number;
	switch (code) {
	case CFA_DEF_CFA:
		number = heddle__cfi_uleb(bytes);
		define_cfa(run, number, (int64_t)heddle__cfi_uleb(bytes));
		return true;
	case CFA_DEF_CFA_SF:
		number = heddle__cfi_uleb(bytes);
		define_cfa(run, number, scaled((uint64_t)heddle__cfi_sleb(bytes), align));
		return true;
	case CFA_DEF_CFA_REGISTER:
		define_cfa(run, heddle__cfi_uleb(bytes), run->rule.cfa.offset);
		return true;
	case CFA_DEF_CFA_OFFSET:
		define_cfa(run, run->rule.cfa_register, (int64_t)heddle__cfi_uleb(bytes));
		return true;
	case CFA_DEF_CFA_OFFSET_SF:
		define_cfa(run, run->rule.cfa_register, scaled((uint64_t)heddle__cfi_sleb(bytes), align));
		return true;
	case CFA_DEF_CFA_EXPRESSION:
		run->rule.cfa = read_expression(run, HEDDLE_CFI_IS_EXPRESSION);
		return true;
	default:
		return false;
	}
}

static void run_other_instruction(struct run *run, uint8_t code)
{
	struct heddle__cfi_bytes *bytes = &run->bytes;
	switch (code) {
	case CFA_NOP:
		break;
	case CFA_SET_LOC:
		go_to(run, read_pointer(bytes, run->cie->encoding));
		break;
	case CFA_ADVANCE_LOC1:
		advance(run, heddle__cfi_unsigned(bytes, 1));
		break;
	case CFA_ADVANCE_LOC2:
		advance(run, heddle__cfi_unsigned(bytes, 2));
		break;
	case CFA_ADVANCE_LOC4:
		advance(run, heddle__cfi_unsigned(bytes, 4));
		break;
	case CFA_REMEMBER_STATE:
	case CFA_RESTORE_STATE:
		run_state(run, code == CFA_RESTORE_STATE);
		break;
	case CFA_GNU_ARGS_SIZE:
		heddle__cfi_uleb(bytes);
		break;
#if defined(__aarch64__)
	case CFA_AARCH64_NEGATE_RA_STATE:
	case CFA_AARCH64_NEGATE_RA_STATE_WITH_PC:
		break; /* the return address may be signed: signatures are always removed */
#endif
	default:
		bytes->bad = true;
	}
}

static int run_program(struct run *run)
{
	struct heddle__cfi_bytes *bytes = &run->bytes;
	while (bytes->at < bytes->end && !bytes->bad && !run->stopped) {
		uint8_t code = read_byte(bytes), operand = code & 0x3f;

		switch (code & 0xc0) {
		case CFA_ADVANCE_LOC:
			advance(run, operand);
			break;
		case CFA_OFFSET:
			set_location(
				run, operand, HEDDLE_CFI_AT_CFA, scaled(heddle__cfi_uleb(bytes), run->cie->data_align));
			break;
		case CFA_RESTORE:
			restore_location(run, operand);
			break;
		default:
			if (!run_register_instruction(run, code) && !run_cfa_instruction(run, code))
				run_other_instruction(run, code);
		}
	}
	return bytes->bad ? -EINVAL : 0;
}

static void start_run(struct run *run, const struct heddle__cfi_cie *cie, const struct heddle__cfi_fde *fde)
{
	run->cie = cie;
	run->bytes = fde->instructions;
	run->rule = cie->initial;
	run->depth = 0;
	run->pc = fde->low;
	run->stop = UINTPTR_MAX;
	run->stopped = false;
	run->visit = NULL;
}

int heddle__cfi_rows(
	const struct heddle__cfi_cie *cie, const struct heddle__cfi_fde *fde, heddle__cfi_visit *visit, void *context)
{
	struct run run;
	int error;
	start_run(&run, cie, fde);
	run.visit = visit;
	run.context = context;
	error = run_program(&run);
	if (!error && run.pc < fde->high)
		visit(context, run.pc, &run.rule);
	return error;
}

int heddle__cfi_rule_at(const struct heddle__cfi_cie *cie, const struct heddle__cfi_fde *fde, uintptr_t pc,
	struct heddle__cfi_rule *rule)
{
	struct run run;
	int error;
	start_run(&run, cie, fde);
	run.stop = pc;
	error = run_program(&run);
	*rule = run.rule;
	return error;
}
