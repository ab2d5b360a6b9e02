/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses of shared memory. The instruction stays as clang made it, type, alignment and aliasing included; only its
 * address becomes one of the mapped segments.
 *
 * Strict accesses are ordered against all other accesses of their thread: a full fence before a read (an earlier write
 * may still be in the store buffer), a full fence after a write; atomic, where the size allows it, so that the
 * optimizer knows.
 */
#include <string.h>

#include "upc/abi.h"
#include "upc/lower/lowering.h"

/* A variable that is counted up or down somewhere. */
static bool is_counter(LLVMValueRef variable)
{
	if (!LLVMIsAAllocaInst(variable))
		return false;
	for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef store = LLVMGetUser(use);
		LLVMValueRef sum = LLVMIsAStoreInst(store) ? LLVMGetOperand(store, 0) : NULL;
		if (sum == NULL || !LLVMIsABinaryOperator(sum) || LLVMGetInstructionOpcode(sum) != LLVMAdd)
			continue;
		LLVMValueRef load = LLVMGetOperand(sum, 0), one = LLVMGetOperand(sum, 1);
		if (LLVMIsALoadInst(load) && LLVMGetOperand(load, 0) == variable && LLVMIsAConstantInt(one) &&
			(LLVMConstIntGetSExtValue(one) == 1 || LLVMConstIntGetSExtValue(one) == -1))
			return true;
	}
	return false;
}

static bool is_operation(LLVMValueRef value, LLVMOpcode opcode)
{
	return LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == opcode;
}

/* Whether the next index will be beside this one, as far as can be seen. */
static bool goes_on(LLVMValueRef index, int depth)
{
	if (LLVMIsALoadInst(index))
		return is_counter(LLVMGetOperand(index, 0));
	bool sum = is_operation(index, LLVMAdd) || is_operation(index, LLVMSub);
	if (depth > 6 || !(sum || LLVMIsASExtInst(index) || LLVMIsAZExtInst(index)))
		return false;
	return goes_on(LLVMGetOperand(index, 0), depth + 1) || (sum && goes_on(LLVMGetOperand(index, 1), depth + 1));
}

/* What an access of the source remembers of the last time: nothing at first, as an index that there cannot be. */
static LLVMValueRef last_access(struct lowering *lowering, LLVMValueRef access)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(access));
	LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(LLVMGetNamedFunction(lowering->module, "__upci_near_address"), 0));
	LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
	LLVMPositionBuilderBefore(lowering->builder, first);
	LLVMValueRef last = LLVMBuildAlloca(lowering->builder, LLVMGetElementType(type), "last");
	LLVMBuildStore(lowering->builder, LLVMConstNull(LLVMGetElementType(type)), last);
	LLVMValueRef index = LLVMBuildStructGEP2(lowering->builder, LLVMGetElementType(type), last, 1, "");
	LLVMBuildStore(lowering->builder, upc__constant(lowering, INT64_MIN), index);
	upc__before(lowering, access);
	return last;
}

/* The address of an element of blocks, or of a part of it, when one beside it is to follow; else NULL. */
static LLVMValueRef near_address(struct lowering *lowering, LLVMValueRef access, LLVMValueRef pointer)
{
	size_t length;
	LLVMValueRef inside = NULL;
	if (is_operation(pointer, LLVMAdd) && LLVMIsAConstantInt(LLVMGetOperand(pointer, 1))) {
		inside = LLVMGetOperand(pointer, 1);
		pointer = LLVMGetOperand(pointer, 0);
	}
	LLVMValueRef called = LLVMIsACallInst(pointer) ? LLVMGetCalledValue(pointer) : NULL;
	if (!lowering->options->optimize || lowering->returns_twice || called == NULL || !LLVMIsAFunction(called) ||
		strcmp(LLVMGetValueName2(called, &length), "__upci_add_blocked") != 0 ||
		!goes_on(LLVMGetArgOperand(pointer, 1), 0))
		return NULL;
	LLVMValueRef arguments[6] = {last_access(lowering, access)};
	for (unsigned i = 0; i < 4; i++)
		arguments[1 + i] = LLVMGetArgOperand(pointer, i);
	bool variable = upc__is_marked(lowering, arguments[1], MARK_BEGIN);
	arguments[5] = LLVMConstInt(LLVMInt1TypeInContext(lowering->context), variable, false);
	LLVMValueRef bytes = upc__call(lowering, "__upci_near_address", arguments, 6);
	return inside ? LLVMBuildGEP2(lowering->builder, lowering->i8, bytes, &inside, 1, "") : bytes;
}

/* What is added to a pointer of indefinite blocks stays in one thread's memory: the optimizer may know it as an array.
 */
static LLVMValueRef address(struct lowering *lowering, LLVMValueRef pointer)
{
	LLVMTypeRef type = LLVMTypeOf(pointer);
	LLVMValueRef integer = upc__as_integer(lowering, pointer), offset = NULL;
	while (upc__block(type) == 0 && is_operation(integer, LLVMAdd)) {
		LLVMValueRef term = LLVMGetOperand(integer, 1);
		offset = offset ? LLVMBuildAdd(lowering->builder, offset, term, "") : term;
		integer = LLVMGetOperand(integer, 0);
	}
	LLVMValueRef arguments[] = {integer, upc__constant(lowering, upc__block(type))};
	LLVMValueRef bytes = upc__call(lowering, "__upci_address", arguments, 2);
	if (offset != NULL)
		bytes = LLVMBuildGEP2(lowering->builder, lowering->i8, bytes, &offset, 1, "");
	return LLVMBuildBitCast(lowering->builder, bytes, LLVMPointerType(LLVMGetElementType(type), 0), "");
}

static bool is_strict(const struct lowering *lowering, LLVMValueRef access)
{
	bool is_volatile = (LLVMIsALoadInst(access) || LLVMIsAStoreInst(access)) && LLVMGetVolatile(access);
	return is_volatile || upc__within(access, &lowering->options->translation->strict);
}

/*
 * Calls __upci_get_start and the like, when such events are wanted here. TOLD is NULL before the access; what the call
 * gives then is to be handed in after it.
 */
static LLVMValueRef tell(struct lowering *lowering, LLVMValueRef access, bool put, LLVMValueRef told,
	LLVMValueRef pointer, LLVMValueRef size, LLVMValueRef local, bool strict)
{
	if (!upc__wants_event(lowering, access, put ? "GASP_UPC_PUT" : "GASP_UPC_GET"))
		return NULL;
	int flags = (strict ? UPCRT_ACCESS_STRICT : 0) | (lowering->options->inst_local ? UPCRT_ACCESS_LOCAL : 0);
	LLVMValueRef file, line;
	upc__position(lowering, access, &file, &line);
	LLVMValueRef arguments[] = {pointer, size, local ? local : LLVMConstNull(lowering->bytes),
		LLVMConstInt(lowering->i32, (unsigned long long)flags, false), file, line, told};
	static const char *const names[2][2] = {
		{"__upci_get_start", "__upci_get_end"}, {"__upci_put_start", "__upci_put_end"}};
	return upc__call(lowering, names[put][told != NULL], arguments, told ? 7 : 6);
}

static void fence(struct lowering *lowering, LLVMAtomicOrdering ordering)
{
	LLVMBuildFence(lowering->builder, ordering, false, "");
}

static bool can_be_atomic(struct lowering *lowering, LLVMValueRef access, LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	uint64_t size = upc__size(lowering, type);
	return (kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind || kind == LLVMFloatTypeKind ||
		       kind == LLVMDoubleTypeKind) &&
	       LLVMSizeOfTypeInBits(lowering->layout, type) == 8 * size && (size & (size - 1)) == 0 && size <= 8 &&
	       LLVMGetAlignment(access) >= size;
}

/* A full fence, as a locked operation on the stack: on x86 that is one, too, and takes less time than mfence. */
static void full_fence(struct lowering *lowering)
{
	LLVMBuilderRef builder = lowering->builder;
	LLVMBasicBlockRef block = LLVMGetInsertBlock(builder),
			  entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(block));
	LLVMMetadataRef place = LLVMGetCurrentDebugLocation2(builder);
	LLVMValueRef zero = LLVMConstInt(lowering->i32, 0, false);
	LLVMValueRef or = LLVMBuildAtomicRMW(builder, LLVMAtomicRMWBinOpOr,
				LLVMConstPointerNull(LLVMPointerType(lowering->i32, 0)), zero,
				LLVMAtomicOrderingSequentiallyConsistent, false);
	LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(entry));
	LLVMSetOperand(or, 0, LLVMBuildAlloca(builder, lowering->i32, "fence"));
	LLVMPositionBuilder(builder, block, LLVMGetNextInstruction(or));
	LLVMSetCurrentDebugLocation2(builder, place);
}

/* Fences around an access; `type` is NULL for a block of memory. Leaves the builder before what follows ACCESS. */
static void make_strict(struct lowering *lowering, LLVMValueRef access, LLVMTypeRef type, bool put)
{
	bool atomic = type != NULL && can_be_atomic(lowering, access, type);
	upc__before(lowering, access);
	if (atomic && put) {
		/* On x86 an exchange, which is a full fence as well. */
		LLVMSetOrdering(access, LLVMAtomicOrderingSequentiallyConsistent);
		fence(lowering, LLVMAtomicOrderingRelease);
	} else {
		if (atomic)
			LLVMSetOrdering(access, LLVMAtomicOrderingAcquire);
		full_fence(lowering);
	}
	upc__before(lowering, LLVMGetNextInstruction(access));
	if (atomic && put)
		LLVMBuildFence(lowering->builder, LLVMAtomicOrderingSequentiallyConsistent, true, "");
	else if (!atomic)
		full_fence(lowering);
}

static void lower_access(struct lowering *lowering, LLVMValueRef access, unsigned operand, LLVMTypeRef type, bool put)
{
	LLVMValueRef pointer = LLVMGetOperand(access, operand);
	if (!upc__is_shared(LLVMTypeOf(pointer)))
		return;
	bool strict = is_strict(lowering, access);
	LLVMValueRef shared = upc__as_integer(lowering, pointer);
	LLVMValueRef size = upc__constant(lowering, (int64_t)upc__size(lowering, type));
	LLVMValueRef told = tell(lowering, access, put, NULL, shared, size, NULL, strict);
	LLVMValueRef near = told ? NULL : near_address(lowering, access, shared);
	LLVMTypeRef plain = LLVMPointerType(LLVMGetElementType(LLVMTypeOf(pointer)), 0);
	LLVMSetOperand(access, operand,
		near ? LLVMBuildBitCast(lowering->builder, near, plain, "") : address(lowering, pointer));
	if (strict)
		make_strict(lowering, access, type, put);
	if (told != NULL) {
		upc__before(lowering, LLVMGetNextInstruction(access));
		tell(lowering, access, put, told, shared, size, NULL, strict);
	}
}

void upc__lower_load(struct lowering *lowering, LLVMValueRef instruction)
{
	lower_access(lowering, instruction, 0, LLVMTypeOf(instruction), false);
}

void upc__lower_store(struct lowering *lowering, LLVMValueRef instruction)
{
	lower_access(lowering, instruction, 1, LLVMTypeOf(LLVMGetOperand(instruction, 0)), true);
}

/* C11's and OpenMP's atomics bring their own order. */
void upc__lower_atomic(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
	if (upc__is_shared(LLVMTypeOf(pointer)))
		LLVMSetOperand(instruction, 0, address(lowering, pointer));
}

static unsigned alignment(LLVMValueRef call, unsigned argument)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
	LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
	return attribute ? (unsigned)LLVMGetEnumAttributeValue(attribute) : 1;
}

/* One end of a copy: told, and turned into an address. */
struct end {
	LLVMValueRef pointer; /* pointer-to-shared as i64; NULL: private */
	LLVMValueRef address;
	unsigned alignment;
};

static struct end read_end(struct lowering *lowering, LLVMValueRef call, unsigned argument)
{
	LLVMValueRef pointer = LLVMGetArgOperand(call, argument);
	struct end end = {.address = pointer, .alignment = alignment(call, argument)};
	if (upc__is_shared(LLVMTypeOf(pointer))) {
		end.pointer = upc__as_integer(lowering, pointer);
		end.address = address(lowering, pointer);
	}
	return end;
}

/* Both ends of a copy; told[] has what was told of them before. */
static void tell_memory(struct lowering *lowering, LLVMValueRef call, const struct end *to, const struct end *from,
	LLVMValueRef size, bool strict, LLVMValueRef told[2])
{
	bool after = told[0] != NULL || told[1] != NULL;
	LLVMValueRef private_to = to->pointer ? NULL : to->address;
	LLVMValueRef private_from = from != NULL && from->pointer == NULL ? from->address : NULL;
	if (from != NULL && from->pointer != NULL && (!after || told[0] != NULL))
		told[0] = tell(lowering, call, false, told[0], from->pointer, size, private_to, strict);
	if (to->pointer != NULL && (!after || told[1] != NULL))
		told[1] = tell(lowering, call, true, told[1], to->pointer, size, private_from, strict);
}

bool upc__lower_memory(struct lowering *lowering, LLVMValueRef call, const char *name)
{
	bool set = strncmp(name, "llvm.memset.", 12) == 0, move = strncmp(name, "llvm.memmove.", 13) == 0;
	if (!set && !move && strncmp(name, "llvm.memcpy.", 12) != 0)
		return false;
	bool to_shared = upc__is_shared(LLVMTypeOf(LLVMGetArgOperand(call, 0)));
	if (!to_shared && (set || !upc__is_shared(LLVMTypeOf(LLVMGetArgOperand(call, 1)))))
		return true;
	bool strict = LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, 3)) != 0 || is_strict(lowering, call);
	LLVMValueRef size = LLVMBuildZExt(lowering->builder, LLVMGetArgOperand(call, 2), lowering->i64, "");
	struct end to = read_end(lowering, call, 0);
	struct end from = set ? (struct end){0} : read_end(lowering, call, 1);
	LLVMValueRef told[2] = {NULL, NULL};
	tell_memory(lowering, call, &to, set ? NULL : &from, size, strict, told);
	LLVMValueRef made;
	if (set)
		made = LLVMBuildMemSet(lowering->builder, to.address, LLVMGetArgOperand(call, 1), size, to.alignment);
	else if (move)
		made = LLVMBuildMemMove(
			lowering->builder, to.address, to.alignment, from.address, from.alignment, size);
	else
		made = LLVMBuildMemCpy(lowering->builder, to.address, to.alignment, from.address, from.alignment, size);
	if (strict)
		make_strict(lowering, made, NULL, to_shared);
	upc__before(lowering, call);
	if (told[0] != NULL || told[1] != NULL)
		tell_memory(lowering, call, &to, set ? NULL : &from, size, strict, told);
	upc__erase(lowering, call);
	return true;
}
