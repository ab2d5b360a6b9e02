/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses in functions that are not plain. Far memory has no address: its contents go through a buffer on the stack,
 * and the access itself stays as clang made it, of the object or of the buffer.
 */
#include "upc/abi.h"
#include "upc/lower/lowering.h"

#define LEAST_ALIGNMENT 16

static LLVMValueRef accessed(LLVMValueRef instruction)
{
	if (LLVMIsALoadInst(instruction))
		return LLVMGetOperand(instruction, 0);
	return LLVMIsAStoreInst(instruction) ? LLVMGetOperand(instruction, 1) : NULL;
}

static LLVMTypeRef type_of(LLVMValueRef access)
{
	return LLVMTypeOf(LLVMIsALoadInst(access) ? access : LLVMGetOperand(access, 0));
}

/* Bytes in memory, without padding behind it: neighbours must not be written. */
static uint64_t stored_size(const struct lowering *lowering, LLVMTypeRef type)
{
	return LLVMStoreSizeOfType(lowering->layout, type);
}

/* The sizes of the buffer that all accesses of FUNCTION share. None of them is lowered yet. */
static void measure(struct lowering *lowering, LLVMValueRef function, uint64_t *size, unsigned *alignment)
{
	*size = LEAST_ALIGNMENT;
	*alignment = LEAST_ALIGNMENT;
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
			LLVMValueRef pointer = accessed(at);
			if (!pointer || !upc__is_shared(LLVMTypeOf(pointer)))
				continue;
			/* The access may read padding that belongs to its type. */
			uint64_t bytes = LLVMABISizeOfType(lowering->layout, type_of(at));
			*size = bytes > *size ? bytes : *size;
			*alignment = LLVMGetAlignment(at) > *alignment ? LLVMGetAlignment(at) : *alignment;
		}
}

/* Made at a function's first access; leaves the builder before ACCESS. */
static LLVMValueRef buffer(struct lowering *lowering, LLVMValueRef access)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(access));
	if (lowering->buffer_owner == function)
		return lowering->buffer;
	uint64_t size;
	unsigned alignment;
	measure(lowering, function, &size, &alignment);
	upc__before(lowering, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
	lowering->buffer =
		LLVMBuildArrayAlloca(lowering->builder, lowering->i8, LLVMConstInt(lowering->i32, size, false), "far");
	LLVMSetAlignment(lowering->buffer, alignment);
	lowering->buffer_owner = function;
	upc__before(lowering, access);
	return lowering->buffer;
}

/* Atomic accesses of C11 and OpenMP are strict here: no order between a near and a far access is cheaper. */
static LLVMValueRef flags_of(struct lowering *lowering, const struct access *access)
{
	bool strict = access->strict || LLVMGetOrdering(access->instruction) != LLVMAtomicOrderingNotAtomic;
	return LLVMConstInt(lowering->i32, strict ? UPCRT_ACCESS_STRICT : 0, false);
}

LLVMValueRef upc__general_address(struct lowering *lowering, const struct access *access)
{
	LLVMValueRef memory = buffer(lowering, access->instruction);
	LLVMValueRef block = upc__constant(lowering, access->block);
	if (access->put) {
		LLVMValueRef arguments[] = {access->pointer, block, memory};
		return upc__call(lowering, "__upci_general_put_address", arguments, 3);
	}
	LLVMValueRef arguments[] = {access->pointer, block,
		upc__constant(lowering, (int64_t)stored_size(lowering, access->type)), memory,
		flags_of(lowering, access)};
	return upc__call(lowering, "__upci_general_get", arguments, 5);
}

void upc__general_put(struct lowering *lowering, const struct access *access)
{
	LLVMValueRef arguments[] = {access->pointer,
		upc__constant(lowering, (int64_t)stored_size(lowering, access->type)), lowering->buffer,
		flags_of(lowering, access)};
	upc__call(lowering, "__upci_general_put", arguments, 4);
}

void upc__general_order(struct lowering *lowering, LLVMValueRef pointer)
{
	upc__call(lowering, "__upci_general_order", &pointer, 1);
}
