/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The chain of frames on processors without tables; on x86-64, for tests. A record is two words on the stack: the
 * address of the next frame's record, and, beside it or in the caller's frame, the return address. Only for
 * unwind_chain.c.
 */
#ifndef HEDDLE_SAMPLING_CHAIN_H
#define HEDDLE_SAMPLING_CHAIN_H

#include <stdint.h>
#include <ucontext.h>

#include "core/base/frame.h"

/*
 * Return a frame's record (0: none), the stack pointer after the return from the frame, and where the return address
 * is. `next`: the record's first word, the caller's frame pointer. Context: any thread, signal.
 */
#if defined(__powerpc64__)
/* The ABI requires a record in every frame: the caller's stack pointer; the return address is in the caller's frame. */
static inline uintptr_t heddle__chain_record(const struct heddle_call *at)
{
	return at->sp;
}

static inline uintptr_t heddle__chain_cfa(uintptr_t record, uintptr_t next)
{
	(void)record;
	return next;
}

static inline uintptr_t heddle__chain_return(uintptr_t record, uintptr_t cfa)
{
	(void)record;
	return cfa + 16;
}
#else
/* With frame pointers: the caller's one and the return address; on RISC-V below where the frame pointer points. */
static inline uintptr_t heddle__chain_record(const struct heddle_call *at)
{
#if defined(__x86_64__)
	return at->bp;
#elif defined(__riscv) && __riscv_xlen == 64
	return at->bp < 16 ? 0 : at->bp - 16;
#else
	(void)at;
	return 0;
#endif
}

static inline uintptr_t heddle__chain_cfa(uintptr_t record, uintptr_t next)
{
	(void)next;
	return record + 16;
}

static inline uintptr_t heddle__chain_return(uintptr_t record, uintptr_t cfa)
{
	(void)cfa;
	return record + 8;
}
#endif

/* Returns the interrupted frame; all 0 if this processor's context is unknown. Context: any thread, signal. */
static inline struct heddle_call heddle__chain_start(const ucontext_t *context)
{
#if defined(__x86_64__)
	const greg_t *registers = context->uc_mcontext.gregs;
	return (struct heddle_call){.pc = (uintptr_t)registers[REG_RIP],
		.sp = (uintptr_t)registers[REG_RSP],
		.bp = (uintptr_t)registers[REG_RBP]};
#elif defined(__riscv)
	const unsigned long *registers = context->uc_mcontext.__gregs;
	return (struct heddle_call){.pc = registers[REG_PC], .sp = registers[REG_SP], .bp = registers[REG_S0]};
#elif defined(__powerpc64__)
	const unsigned long *registers = context->uc_mcontext.gp_regs;
	return (struct heddle_call){.pc = registers[32], .sp = registers[1]};
#else
	(void)context;
	return (struct heddle_call){0};
#endif
}

#endif
