/* SPDX-License-Identifier: BSD-3-Clause */
/* A processor's registers, as unwinding needs them: their DWARF numbers, and their positions in a signal's context. */
#ifndef HEDDLE_SAMPLING_UNWIND_REGISTERS_H
#define HEDDLE_SAMPLING_UNWIND_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/*
 * DWARF numbers of registers that are treated specially, and the registers whose saved values are followed. Those
 * before HEDDLE_CFI_SAVED are needed only by walks that follow all registers.
 */
#if defined(__aarch64__)
enum {
	HEDDLE_DWARF_X19 = 19,
	HEDDLE_DWARF_FP = 29,
	HEDDLE_DWARF_RA = 30, /* holds the return address until it is saved */
	HEDDLE_DWARF_SP = 31,
	HEDDLE_DWARF_REGISTERS = 32,
};

enum heddle__cfi_register {
	HEDDLE_CFI_X19,
	HEDDLE_CFI_SAVED = HEDDLE_DWARF_FP - HEDDLE_DWARF_X19,
	HEDDLE_CFI_FP = HEDDLE_CFI_SAVED,
	HEDDLE_CFI_SP,
	HEDDLE_CFI_RA,
	HEDDLE_CFI_REGISTERS,
};

#define HEDDLE_RED_ZONE 0
#define HEDDLE_CALLS_BY_REGISTER true /* calls store the return address in a register */
#elif defined(__x86_64__)
enum {
	HEDDLE_DWARF_RBX = 3,
	HEDDLE_DWARF_FP = 6,
	HEDDLE_DWARF_SP = 7,
	HEDDLE_DWARF_R12 = 12,
	HEDDLE_DWARF_RA = 16, /* number of the return address; not a register */
	HEDDLE_DWARF_REGISTERS = 17,
};

enum heddle__cfi_register {
	HEDDLE_CFI_RBX,
	HEDDLE_CFI_R12,
	HEDDLE_CFI_R13,
	HEDDLE_CFI_R14,
	HEDDLE_CFI_R15,
	HEDDLE_CFI_SAVED,
	HEDDLE_CFI_FP = HEDDLE_CFI_SAVED,
	HEDDLE_CFI_SP,
	HEDDLE_CFI_RA,
	HEDDLE_CFI_REGISTERS,
};

#define HEDDLE_RED_ZONE 128
#define HEDDLE_CALLS_BY_REGISTER false
#endif

/* Convert between a DWARF number and an index below HEDDLE_CFI_SAVED; -1: none of these registers. */
static inline int heddle__saved_index(uint64_t number)
{
#if defined(__aarch64__)
	return number >= HEDDLE_DWARF_X19 && number < HEDDLE_DWARF_FP ? (int)number - HEDDLE_DWARF_X19 : -1;
#else
	if (number == HEDDLE_DWARF_RBX)
		return HEDDLE_CFI_RBX;
	if (number >= HEDDLE_DWARF_R12 && number < HEDDLE_DWARF_RA)
		return HEDDLE_CFI_R12 + (int)(number - HEDDLE_DWARF_R12);
	return -1;
#endif
}

static inline uint64_t heddle__saved_number(int index)
{
#if defined(__aarch64__)
	return HEDDLE_DWARF_X19 + (uint64_t)index;
#else
	return index == HEDDLE_CFI_RBX ? HEDDLE_DWARF_RBX : HEDDLE_DWARF_R12 + (uint64_t)(index - HEDDLE_CFI_R12);
#endif
}

/*
 * Registers in a signal's context: an array of HEDDLE_CONTEXT_WORDS words, and the indices of some in it.
 * heddle__context_index returns that of the register with a DWARF number, which is below HEDDLE_DWARF_REGISTERS.
 */
#if defined(__aarch64__)
#define HEDDLE_CONTEXT_WORDS 33
#define HEDDLE_CONTEXT_FP 29
#define HEDDLE_CONTEXT_SP 31
#define HEDDLE_CONTEXT_PC 32
#define HEDDLE_CONTEXT_REGISTERS uc_mcontext.regs

static inline unsigned heddle__context_index(uint64_t number)
{
	return (unsigned)number;
}
#else
#define HEDDLE_CONTEXT_WORDS (REG_RIP + 1)
#define HEDDLE_CONTEXT_FP REG_RBP
#define HEDDLE_CONTEXT_SP REG_RSP
#define HEDDLE_CONTEXT_PC REG_RIP
#define HEDDLE_CONTEXT_REGISTERS uc_mcontext.gregs

static inline unsigned heddle__context_index(uint64_t number)
{
	static const uint8_t indices[] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP,
		REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
	return indices[number];
}
#endif

static inline const uintptr_t *heddle__context_registers(const ucontext_t *context)
{
	return (const uintptr_t *)&context->HEDDLE_CONTEXT_REGISTERS[0];
}

#endif
