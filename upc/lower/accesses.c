/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Accesses of shared memory. The instruction stays as clang made it, with its type, alignment and aliasing; only its
 * address becomes one in the mapped segments.
 *
 * Strict accesses are ordered against all other accesses of their thread: a full fence before a read, because an
 * earlier write may still be in the store buffer, and a full fence after a write. They are atomic, where the size
 * allows it, so that the optimizer knows of the order. Where no instruction is a full fence besides, as on AArch64,
 * there are fences on both sides.
 */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "upc/abi.h"
#include "upc/lower/lowering.h"

/* The address of the memory that POINTER points to, whatever its thread. */
static LLVMValueRef address(struct lowering *lowering, LLVMValueRef pointer)
{
	struct place place = upc__find_place(lowering, NULL, pointer);
	return upc__address(lowering, &place);
}

static bool is_strict(const struct lowering *lowering, LLVMValueRef access)
{
	bool is_volatile = (LLVMIsALoadInst(access) || LLVMIsAStoreInst(access)) && LLVMGetVolatile(access);
	return is_volatile || upc__within(access, &lowering->options->translation->strict);
}

/*
 * Calls __upci_get_start or a similar function, if this event is wanted here. REPORTED is NULL before the access; the
 * call then returns the value to pass as REPORTED after the access.
 */
static LLVMValueRef report_access(struct lowering *lowering, LLVMValueRef access, bool put, LLVMValueRef reported,
	LLVMValueRef pointer, LLVMValueRef size, LLVMValueRef local, bool strict)
{
	if (!upc__wants_event(lowering, access, put ? "GASP_UPC_PUT" : "GASP_UPC_GET"))
		return NULL;
	int flags = (strict ? UPCRT_ACCESS_STRICT : 0) | (lowering->options->inst_local ? UPCRT_ACCESS_LOCAL : 0);
	LLVMValueRef file, line;
	upc__position(lowering, access, &file, &line);
	LLVMValueRef arguments[] = {pointer, size, local ? local : LLVMConstNull(lowering->bytes),
		LLVMConstInt(lowering->i32, (unsigned long long)flags, false), file, line, reported};
	static const char *const names[2][2] = {
		{"__upci_get_start", "__upci_get_end"}, {"__upci_put_start", "__upci_put_end"}};
	return upc__call(lowering, names[put][reported ? 1 : 0], arguments, reported ? 7 : 6);
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

/* A full fence on x86: a locked operation on the stack, faster than mfence. */
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

/* Places the builder before NEXT, the instruction after ACCESS, at the line of ACCESS. */
static void after(struct lowering *lowering, LLVMValueRef access, LLVMValueRef next)
{
	LLVMMetadataRef place = LLVMInstructionGetDebugLoc(access);
	upc__before(lowering, next);
	if (place)
		LLVMSetCurrentDebugLocation2(lowering->builder, place);
}

/* On x86, a locked instruction is a full fence; on other processors, no access orders all others around it. */
static bool is_x86(struct lowering *lowering)
{
	const char *target = LLVMGetTarget(lowering->module);
	return strncmp(target, "x86_64", 6) == 0 || strncmp(target, "i386", 4) == 0 || strncmp(target, "i686", 4) == 0;
}

/* Adds fences around an access; `type` is NULL for a block of memory. Leaves the builder before NEXT. */
static void make_strict(struct lowering *lowering, LLVMValueRef access, LLVMValueRef next, LLVMTypeRef type, bool put)
{
	bool atomic = type && can_be_atomic(lowering, access, type);
	upc__before(lowering, access);
	if (!is_x86(lowering)) {
		if (atomic)
			LLVMSetOrdering(access, LLVMAtomicOrderingMonotonic);
		fence(lowering, LLVMAtomicOrderingSequentiallyConsistent);
		after(lowering, access, next);
		fence(lowering, LLVMAtomicOrderingSequentiallyConsistent);
		return;
	}
	if (atomic && put) {
		/* On x86 this becomes xchg, which is also a full fence. */
		LLVMSetOrdering(access, LLVMAtomicOrderingSequentiallyConsistent);
		fence(lowering, LLVMAtomicOrderingRelease);
	} else {
		if (atomic)
			LLVMSetOrdering(access, LLVMAtomicOrderingAcquire);
		full_fence(lowering);
	}
	after(lowering, access, next);
	if (atomic && put)
		LLVMBuildFence(lowering->builder, LLVMAtomicOrderingSequentiallyConsistent, true, "");
	else if (!atomic)
		full_fence(lowering);
}

static bool is_direct(const struct lowering *lowering, LLVMValueRef instruction)
{
	return upc__is_marked(lowering, LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction)), MARK_DIRECT);
}

/* In a direct function: accesses the memory without a test. */
static void access_directly(struct lowering *lowering, const struct access *access, LLVMValueRef next)
{
	struct place place = upc__find_place(lowering, access->instruction, access->shared);
	upc__set_address(access, upc__address(lowering, &place));
	if (access->strict)
		make_strict(lowering, access->instruction, next, access->type, access->put);
}

/*
 * In a function that is not direct: accesses the object or its copy, with fences if the access is strict. CALLED: with
 * the least code.
 */
static void access_object(struct lowering *lowering, const struct access *access, LLVMValueRef next, bool called)
{
	upc__make_buffer(lowering, access->instruction);
	if (access->strict)
		upc__tested_order(lowering, access->pointer);
	upc__set_address(access, upc__tested_address(lowering, access, called));
	if (access->strict)
		make_strict(lowering, access->instruction, next, access->type, access->put);
	if (!access->put)
		return;
	after(lowering, access->instruction, next);
	upc__tested_put(lowering, access, called);
	if (access->strict)
		upc__tested_order(lowering, access->pointer);
}

/* Returns true if the same calls can do the access and report its events; sets what these calls need. */
static bool can_be_reported(struct lowering *lowering, struct access *access)
{
	bool atomic = LLVMGetOrdering(access->instruction) != LLVMAtomicOrderingNotAtomic;
	access->reported =
		upc__is_instrumented(lowering) && !access->strict && !atomic &&
		upc__wants_event(lowering, access->instruction, access->put ? "GASP_UPC_PUT" : "GASP_UPC_GET");
	if (!access->reported)
		return false;
	access->flags = lowering->options->inst_local ? UPCRT_ACCESS_LOCAL : 0;
	upc__position(lowering, access->instruction, &access->file, &access->line);
	return true;
}

static void lower_access(
	struct lowering *lowering, LLVMValueRef instruction, unsigned operand, LLVMTypeRef type, bool put)
{
	LLVMValueRef pointer = LLVMGetOperand(instruction, operand);
	if (!upc__is_shared(LLVMTypeOf(pointer)))
		return;
	struct access access = {.instruction = instruction,
		.operand = operand,
		.type = type,
		.shared = pointer,
		.pointer = upc__as_integer(lowering, pointer),
		.block = upc__block(LLVMTypeOf(pointer)),
		.put = put,
		.strict = is_strict(lowering, instruction)};
	if (can_be_reported(lowering, &access)) {
		upc__tested_access(lowering, &access);
		return;
	}
	LLVMValueRef next = LLVMGetNextInstruction(instruction);
	LLVMValueRef size = upc__constant(lowering, (int64_t)upc__size(lowering, type));
	bool called = !lowering->options->optimize || upc__is_marked(lowering, instruction, MARK_SELDOM);
	LLVMValueRef reported =
		report_access(lowering, instruction, put, NULL, access.pointer, size, NULL, access.strict);
	if (is_direct(lowering, instruction) || upc__is_marked(lowering, instruction, MARK_SAME_NODE))
		access_directly(lowering, &access, next);
	else if (access.strict || called)
		access_object(lowering, &access, next, called);
	else
		upc__tested_access(lowering, &access);
	if (reported) {
		after(lowering, instruction, next);
		report_access(lowering, instruction, put, reported, access.pointer, size, NULL, access.strict);
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

/* Atomic operations of C11 and OpenMP have their own memory order. */
void upc__lower_atomic(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMValueRef pointer = LLVMGetOperand(instruction, 0);
	if (!upc__is_shared(LLVMTypeOf(pointer)))
		return;
	if (is_direct(lowering, instruction))
		LLVMSetOperand(instruction, 0, address(lowering, pointer));
	else if (!upc__tested_update(lowering, instruction))
		upc__refuse_at(lowering, instruction, UPC_ATOMIC_SIZES);
}

static unsigned alignment(LLVMValueRef call, unsigned argument)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
	LLVMAttributeRef attribute = LLVMGetCallSiteEnumAttribute(call, argument + 1, kind);
	return attribute ? (unsigned)LLVMGetEnumAttributeValue(attribute) : 1;
}

/* One end of a copy: its event data, and its address. */
struct end {
	LLVMValueRef pointer; /* pointer-to-shared as i64; NULL: private */
	LLVMValueRef address; /* in direct functions, and of a private end */
	unsigned alignment;
};

/* A call of a memory function, without its name. */
struct memory {
	LLVMValueRef call;
	enum { SET, MOVE, COPY } kind;
	struct end to, from; /* from: not of SET */
	LLVMValueRef size;
	bool strict, direct;
};

static struct end read_end(struct lowering *lowering, const struct memory *memory, unsigned argument)
{
	LLVMValueRef pointer = LLVMGetArgOperand(memory->call, argument);
	struct end end = {.address = pointer, .alignment = alignment(memory->call, argument)};
	if (upc__is_shared(LLVMTypeOf(pointer))) {
		end.pointer = upc__as_integer(lowering, pointer);
		end.address = memory->direct ? address(lowering, pointer) : LLVMConstNull(lowering->bytes);
	}
	return end;
}

/* Reports both ends of a copy; reported[] has the results of the calls before the copy. */
static void report_memory(struct lowering *lowering, const struct memory *memory, LLVMValueRef reported[2])
{
	bool after = reported[0] || reported[1];
	const struct end *to = &memory->to, *from = &memory->from;
	LLVMValueRef private_to = to->pointer ? NULL : to->address;
	LLVMValueRef private_from = from->pointer ? NULL : from->address;
	if (from->pointer && (!after || reported[0]))
		reported[0] = report_access(lowering, memory->call, false, reported[0], from->pointer, memory->size,
			private_to, memory->strict);
	if (to->pointer && (!after || reported[1]))
		reported[1] = report_access(lowering, memory->call, true, reported[1], to->pointer, memory->size,
			private_from, memory->strict);
}

static LLVMValueRef direct_memory(struct lowering *lowering, const struct memory *memory)
{
	LLVMBuilderRef builder = lowering->builder;
	const struct end *to = &memory->to, *from = &memory->from;
	if (memory->kind == SET)
		return LLVMBuildMemSet(
			builder, to->address, LLVMGetArgOperand(memory->call, 1), memory->size, to->alignment);
	if (memory->kind == MOVE)
		return LLVMBuildMemMove(
			builder, to->address, to->alignment, from->address, from->alignment, memory->size);
	return LLVMBuildMemCpy(builder, to->address, to->alignment, from->address, from->alignment, memory->size);
}

static LLVMValueRef tested_memory(struct lowering *lowering, const struct memory *memory)
{
	const struct end *to = &memory->to, *from = &memory->from;
	LLVMValueRef none = upc__constant(lowering, 0);
	LLVMValueRef flags = LLVMConstInt(lowering->i32, memory->strict ? UPCRT_ACCESS_STRICT : 0, false);
	if (memory->kind == SET) {
		LLVMValueRef byte =
			LLVMBuildZExt(lowering->builder, LLVMGetArgOperand(memory->call, 1), lowering->i32, "");
		LLVMValueRef arguments[] = {to->pointer, byte, memory->size, flags};
		return upc__call(lowering, "__upci_tested_set", arguments, 4);
	}
	unsigned ends = (to->pointer ? 1 : 0) + (from->pointer ? 2 : 0);
	LLVMValueRef arguments[] = {to->pointer ? to->pointer : none, to->address, from->pointer ? from->pointer : none,
		from->address, memory->size, flags, LLVMConstInt(lowering->i32, ends, false)};
	return upc__call(lowering, memory->kind == MOVE ? "__upci_tested_move" : "__upci_tested_copy", arguments, 7);
}

/* Orders a strict copy's shared ends: before the copy, and after a put. */
static void order_memory(struct lowering *lowering, const struct memory *memory, bool before)
{
	if (memory->direct || !memory->strict)
		return;
	if (memory->to.pointer)
		upc__tested_order(lowering, memory->to.pointer);
	if (memory->from.pointer && before)
		upc__tested_order(lowering, memory->from.pointer);
}

/* Lowers CALL, which has a shared end. */
static void lower_memory(struct lowering *lowering, struct memory *memory)
{
	LLVMValueRef reported[2] = {NULL, NULL}, call = memory->call;
	memory->direct = is_direct(lowering, call);
	memory->strict = LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, 3)) != 0 || is_strict(lowering, call);
	memory->size = LLVMBuildZExt(lowering->builder, LLVMGetArgOperand(call, 2), lowering->i64, "");
	memory->to = read_end(lowering, memory, 0);
	if (memory->kind != SET)
		memory->from = read_end(lowering, memory, 1);
	report_memory(lowering, memory, reported);
	order_memory(lowering, memory, true);
	LLVMValueRef made = (memory->direct ? direct_memory : tested_memory)(lowering, memory);
	if (memory->strict)
		make_strict(lowering, made, call, NULL, memory->to.pointer);
	upc__before(lowering, call);
	order_memory(lowering, memory, false);
	if (reported[0] || reported[1])
		report_memory(lowering, memory, reported);
	upc__erase(lowering, call);
}

bool upc__lower_memory(struct lowering *lowering, LLVMValueRef call, const char *name)
{
	bool set = strncmp(name, "llvm.memset.", 12) == 0, move = strncmp(name, "llvm.memmove.", 13) == 0;
	if (!set && !move && strncmp(name, "llvm.memcpy.", 12) != 0)
		return false;
	bool to_shared = upc__is_shared(LLVMTypeOf(LLVMGetArgOperand(call, 0)));
	struct memory memory = {.call = call, .kind = set ? SET : move ? MOVE : COPY};
	if (to_shared || (!set && upc__is_shared(LLVMTypeOf(LLVMGetArgOperand(call, 1)))))
		lower_memory(lowering, &memory);
	return true;
}
