/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses in functions that are not direct. Remote memory has no address: its contents go through a buffer on the
 * stack. The access itself stays as clang made it, but accesses the object or the buffer.
 */
#include <llvm/Config/llvm-config.h>
#include <string.h>

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

/* The number of bytes in memory without trailing padding: neighbours must not be written. */
static uint64_t stored_size(const struct lowering *lowering, LLVMTypeRef type)
{
	return LLVMStoreSizeOfType(lowering->layout, type);
}

/* The size and alignment of the buffer that all accesses of FUNCTION share. None of the accesses is lowered yet. */
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

void upc__make_buffer(struct lowering *lowering, LLVMValueRef access)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(access));
	if (lowering->buffer_owner == function)
		return;
	uint64_t size;
	unsigned alignment;
	measure(lowering, function, &size, &alignment);
	upc__before(lowering, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
	lowering->buffer = LLVMBuildArrayAlloca(
		lowering->builder, lowering->i8, LLVMConstInt(lowering->i32, size, false), "remote");
	LLVMSetAlignment(lowering->buffer, alignment);
	lowering->node_shift = LLVMBuildLoad2(
		lowering->builder, lowering->i64, LLVMGetNamedGlobal(lowering->module, "__upcrt_node_shift"), "");
	lowering->buffer_owner = function;
	upc__before(lowering, access);
}

/*
 * Atomic accesses of C11 and OpenMP are strict here: no weaker order between accesses of this node and of remote memory
 * costs less.
 */
static LLVMValueRef flags_of(struct lowering *lowering, const struct access *access)
{
	bool strict = access->strict || LLVMGetOrdering(access->instruction) != LLVMAtomicOrderingNotAtomic;
	return LLVMConstInt(lowering->i32, strict ? UPCRT_ACCESS_STRICT : 0, false);
}

/* Calls a function of inline.c for the memory that ACCESS reads or writes, directly or through the buffer. */
static LLVMValueRef call_for(struct lowering *lowering, const struct access *access, const char *name)
{
	LLVMValueRef arguments[] = {access->pointer,
		upc__constant(lowering, (int64_t)stored_size(lowering, access->type)), lowering->buffer,
		flags_of(lowering, access)};
	return upc__call(lowering, name, arguments, 4);
}

LLVMValueRef upc__tested_address(struct lowering *lowering, const struct access *access, bool called)
{
	LLVMValueRef arguments[] = {access->pointer, lowering->buffer};
	if (!access->put)
		return call_for(lowering, access, called ? "__upci_called_get" : "__upci_tested_get");
	return upc__call(lowering, called ? "__upci_called_put_address" : "__upci_tested_put_address", arguments, 2);
}

void upc__tested_put(struct lowering *lowering, const struct access *access, bool called)
{
	call_for(lowering, access, called ? "__upci_called_put" : "__upci_tested_put");
}

void upc__tested_order(struct lowering *lowering, LLVMValueRef pointer)
{
	upc__call(lowering, "__upci_tested_order", &pointer, 1);
}

void upc__set_address(const struct access *access, LLVMValueRef bytes)
{
	LLVMSetOperand(access->instruction, access->operand, bytes);
}

/* ---- an access in two ways ---- */

/*
 * Splits the block of AT: the instructions before AT move to a new block, in front of it, which has no terminator. The
 * old block keeps its terminator, because phis of other blocks name it.
 */
static LLVMBasicBlockRef split_before(struct lowering *lowering, LLVMValueRef at)
{
	LLVMBuilderRef builder = lowering->builder;
	LLVMBasicBlockRef tail = LLVMGetInstructionParent(at);
	LLVMBasicBlockRef head = LLVMInsertBasicBlockInContext(lowering->context, tail, "");
	LLVMValueRef end = LLVMGetBasicBlockTerminator(tail);
	LLVMSetCurrentDebugLocation2(builder, NULL); /* instructions keep theirs */
	LLVMInstructionRemoveFromParent(end);        /* without it, no phis are changed */
	LLVMReplaceAllUsesWith(LLVMBasicBlockAsValue(tail), LLVMBasicBlockAsValue(head));
	LLVMPositionBuilderAtEnd(builder, tail);
	LLVMInsertIntoBuilder(builder, end);
	LLVMPositionBuilderAtEnd(builder, head);
	for (LLVMValueRef each = LLVMGetFirstInstruction(tail), next; each != at; each = next) {
		next = LLVMGetNextInstruction(each);
		LLVMInstructionRemoveFromParent(each);
		LLVMInsertIntoBuilder(builder, each);
	}
	return head;
}

/* An access in two ways: of memory of the node, and of other memory. */
struct ways {
	const struct access *access;
	struct place place;
	LLVMValueRef pointer; /* of an access with events: the shared address, with or without its phase */
	LLVMValueRef count; /* of an access with events: where compiled code counts it; with UPCRT_ACCESS_LOCAL, two */
	LLVMMetadataRef line;
	LLVMBasicBlockRef same_node, other, tail; /* tail: the instructions after the access */
};

static LLVMBasicBlockRef block_before(struct lowering *lowering, LLVMBasicBlockRef tail, const char *name)
{
	return LLVMInsertBasicBlockInContext(lowering->context, tail, name);
}

static void build_in(struct lowering *lowering, const struct ways *ways, LLVMBasicBlockRef block)
{
	LLVMPositionBuilderAtEnd(lowering->builder, block);
	LLVMSetCurrentDebugLocation2(lowering->builder, ways->line);
}

static void branch(struct lowering *lowering, LLVMValueRef test, LLVMBasicBlockRef likely, LLVMBasicBlockRef other)
{
	upc__expect(lowering, LLVMBuildCondBr(lowering->builder, test, likely, other), true);
}

/* Builds the constant struct upcrt_access for the runtime. */
static LLVMValueRef described(struct lowering *lowering, const struct ways *ways)
{
	const struct access *access = ways->access;
	LLVMValueRef fields[] = {access->file, upc__constant(lowering, (int64_t)stored_size(lowering, access->type)),
		access->line, LLVMConstInt(lowering->i32, (unsigned long long)access->flags, false)};
	LLVMValueRef value = LLVMConstStructInContext(lowering->context, fields, 4, false);
	LLVMValueRef global = LLVMAddGlobal(lowering->module, LLVMTypeOf(value), ".upc.access");
	LLVMSetInitializer(global, value);
	LLVMSetLinkage(global, LLVMPrivateLinkage);
	LLVMSetGlobalConstant(global, true);
	LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
	return global;
}

/* Adds the thread-local counts of an access: struct upcrt_count. */
static LLVMValueRef add_counts(struct lowering *lowering, const struct access *access)
{
	bool own = access->flags & UPCRT_ACCESS_LOCAL;
	LLVMTypeRef fields[] = {lowering->i32, lowering->i32, lowering->i64, lowering->i64, lowering->i64};
	LLVMTypeRef type = LLVMArrayType(LLVMStructTypeInContext(lowering->context, fields, 5, false), own ? 2 : 1);
	LLVMValueRef counts = LLVMAddGlobal(lowering->module, type, ".upc.count");
	LLVMSetInitializer(counts, LLVMConstNull(type));
	LLVMSetLinkage(counts, LLVMPrivateLinkage);
	LLVMSetThreadLocalMode(counts, LLVMLocalExecTLSModel); /* UPC code is not in shared libraries */
	return counts;
}

/* Returns one of an access's two counts: of this thread's memory, or of other threads' memory. */
static LLVMValueRef count_of(struct lowering *lowering, const struct ways *ways, LLVMValueRef own)
{
	LLVMValueRef arguments[] = {ways->count, own};
	if (!(ways->access->flags & UPCRT_ACCESS_LOCAL))
		return ways->count;
	return upc__call(lowering, "__upci_count_of", arguments, 2);
}

/* Continues in a new block, where the block of a blocked array's element is known. */
static void find_block(struct lowering *lowering, const struct ways *ways)
{
	LLVMValueRef known = upc__is_known(lowering, &ways->place);
	LLVMBasicBlockRef unknown = block_before(lowering, ways->same_node, "unknown");
	LLVMBasicBlockRef found = block_before(lowering, ways->same_node, "found");
	branch(lowering, known, found, unknown);
	build_in(lowering, ways, unknown);
	upc__find_last(lowering, &ways->place);
	LLVMBuildBr(lowering->builder, found);
	build_in(lowering, ways, found);
}

/* Chooses a way for an access with events: this thread's memory has none; other memory of the node may be counted. */
static void choose_counted(struct lowering *lowering, struct ways *ways)
{
	LLVMBuilderRef builder = lowering->builder;
	ways->count = add_counts(lowering, ways->access);
	if (ways->place.element[0])
		find_block(lowering, ways);
	LLVMValueRef own = upc__is_own(lowering, &ways->place, ways->access->pointer);
	LLVMValueRef count = count_of(lowering, ways, own);
	if (!(ways->access->flags & UPCRT_ACCESS_LOCAL)) {
		LLVMBasicBlockRef counted = block_before(lowering, ways->same_node, "counted");
		LLVMBuildCondBr(builder, own, ways->same_node, counted);
		build_in(lowering, ways, counted);
	}
	ways->pointer =
		ways->place.element[0] ? upc__seldom_pointer(lowering, &ways->place, NULL) : ways->access->pointer;
	LLVMValueRef in_range = upc__is_counted(lowering, &ways->place, ways->pointer, count);
	LLVMValueRef counts = upc__call(lowering, "__upci_counts", &count, 1);
	branch(lowering, LLVMBuildAnd(builder, in_range, counts, ""), ways->same_node, ways->other);
}

/* At the end of HEAD: chooses a way. */
static void choose_way(struct lowering *lowering, struct ways *ways, LLVMBasicBlockRef head)
{
	build_in(lowering, ways, head);
	if (ways->access->reported) {
		choose_counted(lowering, ways);
		return;
	}
	LLVMValueRef known = upc__is_known(lowering, &ways->place);
	if (known) {
		LLVMBasicBlockRef unknown = block_before(lowering, ways->other, "unknown");
		branch(lowering, known, ways->same_node, unknown);
		build_in(lowering, ways, unknown);
	}
	branch(lowering, upc__is_same_node(lowering, &ways->place), ways->same_node, ways->other);
}

static void access_same_node(struct lowering *lowering, const struct ways *ways)
{
	build_in(lowering, ways, ways->same_node);
	bool any = ways->access->reported && !ways->place.element[0]; /* not every path here has tested the range */
	upc__set_address(ways->access, (any ? upc__address : upc__node_address)(lowering, &ways->place));
	LLVMInsertIntoBuilder(lowering->builder, ways->access->instruction);
	LLVMBuildBr(lowering->builder, ways->tail);
}

/* Calls the runtime for an access with events; the call reports it. */
static void call_reported(struct lowering *lowering, const struct ways *ways, LLVMValueRef pointer)
{
	const struct access *access = ways->access;
	LLVMValueRef count = ways->count;
	if (access->flags & UPCRT_ACCESS_LOCAL)
		count = count_of(lowering, ways, upc__call(lowering, "__upci_is_own", &pointer, 1));
	LLVMValueRef arguments[] = {pointer, lowering->buffer, described(lowering, ways), count};
	upc__call(lowering, access->put ? "__upci_reported_put" : "__upci_reported_get", arguments, 4);
}

/* Accesses other memory by a call of the runtime. COPY accesses the buffer; it alone is volatile. */
static void access_other(struct lowering *lowering, const struct ways *ways, LLVMValueRef copy)
{
	struct access other = *ways->access;
	build_in(lowering, ways, ways->other);
	other.instruction = copy;
	upc__set_address(&other, lowering->buffer);
	LLVMSetVolatile(copy, true);
	other.pointer = other.reported ? ways->pointer : upc__seldom_pointer(lowering, &ways->place, other.pointer);
	if (other.put)
		LLVMInsertIntoBuilder(lowering->builder, copy);
	if (other.reported)
		call_reported(lowering, ways, other.pointer);
	else
		call_for(lowering, &other, other.put ? "__upci_seldom_put" : "__upci_seldom_get");
	if (!other.put)
		LLVMInsertIntoBuilder(lowering->builder, copy);
	LLVMBuildBr(lowering->builder, ways->tail);
}

/* Places the builder at the start of a block, before the debug records of its first instruction. */
static void build_first_in(struct lowering *lowering, LLVMBasicBlockRef block)
{
#if LLVM_VERSION_MAJOR >= 19
	LLVMPositionBuilderBeforeInstrAndDbgRecords(lowering->builder, LLVMGetFirstInstruction(block));
#else
	LLVMPositionBuilderBefore(lowering->builder, LLVMGetFirstInstruction(block));
#endif
}

/* Joins the values of both loads in the block that follows them. */
static void join(struct lowering *lowering, const struct ways *ways, LLVMValueRef copy)
{
	LLVMValueRef load = ways->access->instruction, loads[] = {load, copy};
	LLVMBasicBlockRef blocks[] = {ways->same_node, ways->other};
	build_first_in(lowering, ways->tail);
	LLVMSetCurrentDebugLocation2(lowering->builder, ways->line);
	LLVMValueRef value = LLVMBuildPhi(lowering->builder, LLVMTypeOf(load), "");
	LLVMReplaceAllUsesWith(load, value);
	LLVMAddIncoming(value, loads, blocks, 2);
}

void upc__tested_access(struct lowering *lowering, const struct access *access)
{
	LLVMValueRef instruction = access->instruction, copy = LLVMInstructionClone(instruction);
	upc__make_buffer(lowering, instruction);
	struct ways ways = {.access = access, .line = LLVMGetCurrentDebugLocation2(lowering->builder)};
	ways.place = upc__find_place(lowering, instruction, access->shared);
	LLVMBasicBlockRef head = split_before(lowering, instruction);
	ways.tail = LLVMGetInstructionParent(instruction);
	ways.same_node = block_before(lowering, ways.tail, "same_node");
	ways.other = block_before(lowering, ways.tail, "other");
	LLVMInstructionRemoveFromParent(instruction);
	choose_way(lowering, &ways, head);
	access_same_node(lowering, &ways);
	access_other(lowering, &ways, copy);
	if (!access->put)
		join(lowering, &ways, copy);
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

/* LLVM numbers the operations of atomicrmw as enum upcrt_update does. */
static int operation_of(LLVMValueRef instruction)
{
	_Static_assert(LLVMAtomicRMWBinOpXchg == (int)UPCRT_UPDATE_EXCHANGE, "the first");
	_Static_assert(LLVMAtomicRMWBinOpFSub == (int)UPCRT_UPDATE_FSUB, "the last");
	return LLVMIsAAtomicRMWInst(instruction) ? (int)LLVMGetAtomicRMWBinOp(instruction)
						 : UPCRT_UPDATE_COMPARE_EXCHANGE;
}

bool upc__tested_update(struct lowering *lowering, LLVMValueRef instruction)
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
	LLVMValueRef old = upc__call(lowering, "__upci_tested_update", arguments, 5);
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
