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

/* ---- atomic operations ---- */

/* The bits of a value of at most 8 bytes, as i64. */
static LLVMValueRef bits_of(struct lowering *lowering, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	unsigned bits = (unsigned)LLVMSizeOfTypeInBits(lowering->layout, type);
	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		return LLVMBuildPtrToInt(lowering->builder, value, lowering->i64, "");
	LLVMTypeRef integer = LLVMIntTypeInContext(lowering->context, bits);
	return LLVMBuildZExt(
		lowering->builder, LLVMBuildBitCast(lowering->builder, value, integer, ""), lowering->i64, "");
}

static LLVMValueRef value_of(struct lowering *lowering, LLVMValueRef bits, LLVMTypeRef type)
{
	unsigned size = (unsigned)LLVMSizeOfTypeInBits(lowering->layout, type);
	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		return LLVMBuildIntToPtr(lowering->builder, bits, type, "");
	LLVMTypeRef integer = LLVMIntTypeInContext(lowering->context, size);
	return LLVMBuildBitCast(lowering->builder, LLVMBuildTrunc(lowering->builder, bits, integer, ""), type, "");
}

/* LLVM's numbers of atomicrmw's operations are those of enum upcrt_update. */
static int operation_of(LLVMValueRef instruction)
{
	_Static_assert(LLVMAtomicRMWBinOpXchg == (int)UPCRT_UPDATE_EXCHANGE, "the first");
	_Static_assert(LLVMAtomicRMWBinOpFSub == (int)UPCRT_UPDATE_FSUB, "the last");
	return LLVMIsAAtomicRMWInst(instruction) ? (int)LLVMGetAtomicRMWBinOp(instruction)
						 : UPCRT_UPDATE_COMPARE_EXCHANGE;
}

bool upc__general_update(struct lowering *lowering, LLVMValueRef instruction)
{
	bool compares = LLVMIsAAtomicCmpXchgInst(instruction);
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 1));
	uint64_t size = stored_size(lowering, type);
	if (size > sizeof(uint64_t) || (size & (size - 1)) != 0)
		return false;
	LLVMValueRef first = bits_of(lowering, LLVMGetOperand(instruction, 1));
	LLVMValueRef arguments[] = {upc__as_integer(lowering, LLVMGetOperand(instruction, 0)),
		upc__constant(lowering, (int64_t)size),
		LLVMConstInt(lowering->i32, (unsigned long long)operation_of(instruction), false),
		compares ? bits_of(lowering, LLVMGetOperand(instruction, 2)) : first,
		compares ? first : upc__constant(lowering, 0)};
	LLVMValueRef old = upc__call(lowering, "__upci_general_update", arguments, 5);
	LLVMValueRef result = value_of(lowering, old, type);
	if (compares) {
		LLVMValueRef same = LLVMBuildICmp(lowering->builder, LLVMIntEQ, old, first, "");
		LLVMValueRef both = LLVMGetUndef(LLVMTypeOf(instruction));
		both = LLVMBuildInsertValue(lowering->builder, both, result, 0, "");
		result = LLVMBuildInsertValue(lowering->builder, both, same, 1, "");
	}
	upc__replace(lowering, instruction, result);
	return true;
}
