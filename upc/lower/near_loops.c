/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops over `shared []` memory in general versions: whether it is near is tested once, before the loop. If it is, a
 * copy of the loop runs, which accesses it directly, and which the optimizer can vectorize. All memory that is reached
 * from one such pointer by indices is its thread's.
 *
 * Innermost loops only, as clang makes them: variables are in memory, and nearly nothing else leaves the loop. That the
 * pointer has the same thread in each iteration is proved: it is the address of a variable; a variable whose address is
 * not taken, and which the loop only increments; or a variable outside of functions, if the loop calls nothing and
 * stores numbers only.
 */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "upc/lower/lowering.h"

#define MOST_BLOCKS 48
#define MOST_INSTRUCTIONS 500
#define MOST_POINTERS 8

struct loop {
	LLVMValueRef function;
	LLVMBasicBlockRef header, blocks[MOST_BLOCKS], copies[MOST_BLOCKS];
	int block_count;
	LLVMValueRef pointers[MOST_POINTERS]; /* what the loop's accesses go through: variables, or constants */
	int pointer_count;
	bool calls; /* or stores something that is not a number */
	struct pair {
		LLVMValueRef from, to;
	} map[MOST_INSTRUCTIONS];
	int map_count;
};

static int index_of(const struct loop *loop, LLVMBasicBlockRef block)
{
	for (int i = 0; i < loop->block_count; i++)
		if (loop->blocks[i] == block)
			return i;
	return -1;
}

static bool is_inside(const struct loop *loop, LLVMValueRef instruction)
{
	return LLVMIsAInstruction(instruction) && index_of(loop, LLVMGetInstructionParent(instruction)) >= 0;
}

static bool is_named(LLVMValueRef call, const char *prefix)
{
	size_t length;
	LLVMValueRef function = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
	return function && LLVMIsAFunction(function) &&
	       strncmp(LLVMGetValueName2(function, &length), prefix, strlen(prefix)) == 0;
}

/* ---- the loop ---- */

/* The header, if the block's end was marked by clang as the end of an iteration. */
static LLVMBasicBlockRef header_of(const struct lowering *lowering, LLVMBasicBlockRef block)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
	unsigned kind = LLVMGetMDKindIDInContext(lowering->context, "llvm.loop", 9);
	return end && LLVMIsABranchInst(end) && LLVMGetMetadata(end, kind) ? LLVMGetSuccessor(end, 0) : NULL;
}

/* Adds the blocks from which BLOCK is reached, up to the header. */
static bool add_block(const struct lowering *lowering, struct loop *loop, LLVMBasicBlockRef block)
{
	if (index_of(loop, block) >= 0)
		return true;
	if (loop->block_count == MOST_BLOCKS || block == LLVMGetEntryBasicBlock(loop->function) ||
		(loop->block_count > 1 && header_of(lowering, block)))
		return false;
	loop->blocks[loop->block_count++] = block;
	for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsAInstruction(user) || !LLVMIsATerminatorInst(user) ||
			!add_block(lowering, loop, LLVMGetInstructionParent(user)))
			return false;
	}
	return true;
}

/* Whether only branches lead to the header. */
static bool is_entered_by_branches(const struct loop *loop)
{
	for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(loop->header)); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		if (!LLVMIsABranchInst(user) && !LLVMIsASwitchInst(user))
			return false;
	}
	return true;
}

static bool begins_with_phi(LLVMBasicBlockRef block)
{
	return LLVMIsAPHINode(LLVMGetFirstInstruction(block));
}

/* Where the loop ends or begins, no value must depend on the way there. */
static bool can_end(const struct loop *loop, LLVMValueRef end)
{
	if (!LLVMIsABranchInst(end) && !LLVMIsASwitchInst(end) && !LLVMIsAUnreachableInst(end))
		return false;
	for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
		LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
		if ((next == loop->header || index_of(loop, next) < 0) && begins_with_phi(next))
			return false;
	}
	return true;
}

static bool stores_number(LLVMValueRef store)
{
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
	       (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 8 && LLVMGetIntTypeWidth(type) != 63);
}

/* Whether AT can be copied. */
static bool understand_instruction(struct loop *loop, LLVMValueRef at)
{
	if (LLVMIsAAllocaInst(at) || (LLVMIsACallInst(at) && LLVMIsAInlineAsm(LLVMGetCalledValue(at))) ||
		(LLVMIsATerminatorInst(at) && !can_end(loop, at)))
		return false;
	if (LLVMIsACallInst(at) && !is_named(at, "llvm.dbg.") && !is_named(at, "llvm.lifetime.") &&
		!is_named(at, "llvm.fmuladd."))
		loop->calls = true;
	if (LLVMIsAAtomicRMWInst(at) || LLVMIsAAtomicCmpXchgInst(at) || LLVMIsAFenceInst(at) ||
		(LLVMIsAStoreInst(at) && !stores_number(at) && !LLVMIsAAllocaInst(LLVMGetOperand(at, 1))))
		loop->calls = true;
	for (LLVMUseRef use = LLVMGetFirstUse(at); use; use = LLVMGetNextUse(use))
		if (!is_inside(loop, LLVMGetUser(use)))
			return false;
	return true;
}

static bool understand(struct loop *loop)
{
	int count = 0;
	loop->calls = false;
	for (int i = 0; i < loop->block_count; i++)
		for (LLVMValueRef at = LLVMGetFirstInstruction(loop->blocks[i]); at; at = LLVMGetNextInstruction(at))
			if (++count > MOST_INSTRUCTIONS || !understand_instruction(loop, at))
				return false;
	return true;
}

/* ---- pointers that stay with one thread ---- */

static bool is_indefinite(LLVMTypeRef type)
{
	return upc__is_shared(type) && upc__block(type) == 0;
}

/* What POINTER is an element of: a value that a variable had, or a constant. */
static LLVMValueRef stem_of(LLVMValueRef pointer)
{
	while ((LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer)) &&
		is_indefinite(LLVMTypeOf(LLVMGetOperand(pointer, 0))))
		pointer = LLVMGetOperand(pointer, 0);
	return pointer;
}

static LLVMValueRef loaded_from(LLVMValueRef value)
{
	bool plain = LLVMIsALoadInst(value) && !LLVMGetVolatile(value) &&
		     LLVMGetOrdering(value) == LLVMAtomicOrderingNotAtomic;
	return plain ? LLVMGetOperand(value, 0) : NULL;
}

/* A bitcast that nothing but the marks of a lifetime uses. */
static bool is_lifetime(LLVMValueRef cast)
{
	if (!LLVMIsABitCastInst(cast))
		return false;
	for (LLVMUseRef use = LLVMGetFirstUse(cast); use; use = LLVMGetNextUse(use))
		if (!is_named(LLVMGetUser(use), "llvm.lifetime."))
			return false;
	return true;
}

/* Whether VARIABLE is local, its address is not taken, and the loop at most increments it. */
static bool keeps_thread(const struct loop *loop, LLVMValueRef variable)
{
	if (!LLVMIsAAllocaInst(variable))
		return false;
	for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		bool inside = is_inside(loop, user);
		if (loaded_from(user) || (is_lifetime(user) && !inside))
			continue;
		if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != variable || LLVMGetVolatile(user))
			return false;
		if (inside && loaded_from(stem_of(LLVMGetOperand(user, 0))) != variable)
			return false;
	}
	return true;
}

/* Whether clang says that ACCESS is of an object of its own type: not of a character, nor of a union's member. */
static bool is_typed(const struct lowering *lowering, LLVMValueRef access)
{
	LLVMValueRef tag = LLVMGetMetadata(access, LLVMGetMDKindIDInContext(lowering->context, "tbaa", 4));
	LLVMValueRef parts[8];
	unsigned length, count = tag ? LLVMGetMDNodeNumOperands(tag) : 0;
	if (count < 3 || count > 4)
		return false;
	LLVMGetMDNodeOperands(tag, parts);
	LLVMValueRef type = parts[1];
	count = LLVMGetMDNodeNumOperands(type);
	if (count < 1 || count > sizeof parts / sizeof *parts)
		return false;
	LLVMGetMDNodeOperands(type, parts);
	const char *name = LLVMGetMDString(parts[0], &length);
	return name && strcmp(name, "omnipotent char") != 0;
}

/* Whether VARIABLE is outside of functions, and nothing that the loop does can change it. LOAD is of it. */
static bool is_unchanged(
	const struct lowering *lowering, const struct loop *loop, LLVMValueRef variable, LLVMValueRef load)
{
	if (!LLVMIsAGlobalVariable(variable) || upc__is_shared(LLVMTypeOf(variable)) || loop->calls ||
		!is_typed(lowering, load))
		return false;
	for (int i = 0; i < loop->block_count; i++)
		for (LLVMValueRef at = LLVMGetFirstInstruction(loop->blocks[i]); at; at = LLVMGetNextInstruction(at))
			if (LLVMIsAStoreInst(at) && !LLVMIsAAllocaInst(LLVMGetOperand(at, 1)) &&
				!is_typed(lowering, at))
				return false;
	return true;
}

/* The variable, or constant, that an access in the loop goes through, if it keeps its thread; else NULL. */
static LLVMValueRef steady_pointer(const struct lowering *lowering, const struct loop *loop, LLVMValueRef access)
{
	LLVMValueRef pointer = LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
	if (!is_indefinite(LLVMTypeOf(pointer)) || LLVMGetVolatile(access) ||
		LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic ||
		upc__within(access, &lowering->options->translation->strict))
		return NULL;
	LLVMValueRef stem = stem_of(pointer), variable = loaded_from(stem);
	if (LLVMIsAConstant(stem))
		return LLVMIsNull(stem) || LLVMIsUndef(stem) ? NULL : stem;
	bool steady = variable && (keeps_thread(loop, variable) || is_unchanged(lowering, loop, variable, stem));
	return steady ? variable : NULL;
}

static int find_pointer(const struct loop *loop, LLVMValueRef pointer)
{
	int i = 0;
	while (i < loop->pointer_count && loop->pointers[i] != pointer)
		i++;
	return i;
}

static void collect_pointers(const struct lowering *lowering, struct loop *loop)
{
	loop->pointer_count = 0;
	for (int i = 0; i < loop->block_count; i++)
		for (LLVMValueRef at = LLVMGetFirstInstruction(loop->blocks[i]); at; at = LLVMGetNextInstruction(at)) {
			bool access = LLVMIsALoadInst(at) || LLVMIsAStoreInst(at);
			LLVMValueRef pointer = access ? steady_pointer(lowering, loop, at) : NULL;
			int place = pointer ? find_pointer(loop, pointer) : MOST_POINTERS;
			if (place < MOST_POINTERS && place == loop->pointer_count)
				loop->pointers[loop->pointer_count++] = pointer;
		}
}

/* ---- the copy ---- */

static LLVMValueRef copy_of(const struct loop *loop, LLVMValueRef value)
{
	if (LLVMValueIsBasicBlock(value)) {
		int place = index_of(loop, LLVMValueAsBasicBlock(value));
		return place < 0 ? value : LLVMBasicBlockAsValue(loop->copies[place]);
	}
	for (int i = 0; i < loop->map_count; i++)
		if (loop->map[i].from == value)
			return loop->map[i].to;
	return value;
}

/* A phi is built again: its blocks are no operands. */
static void copy_phi(struct lowering *lowering, struct loop *loop, LLVMValueRef phi)
{
	loop->map[loop->map_count++] = (struct pair){phi, LLVMBuildPhi(lowering->builder, LLVMTypeOf(phi), "")};
}

static void complete_phi(const struct loop *loop, const struct pair *pair)
{
	for (unsigned i = 0; i < LLVMCountIncoming(pair->from); i++) {
		LLVMValueRef value = copy_of(loop, LLVMGetIncomingValue(pair->from, i));
		LLVMBasicBlockRef block = loop->copies[index_of(loop, LLVMGetIncomingBlock(pair->from, i))];
		LLVMAddIncoming(pair->to, &value, &block, 1);
	}
}

static void copy_instructions(struct lowering *lowering, struct loop *loop, int block)
{
	LLVMPositionBuilderAtEnd(lowering->builder, loop->copies[block]);
	LLVMSetCurrentDebugLocation2(lowering->builder, NULL); /* copies have theirs */
	for (LLVMValueRef at = LLVMGetFirstInstruction(loop->blocks[block]); at; at = LLVMGetNextInstruction(at)) {
		if (LLVMIsAPHINode(at)) {
			copy_phi(lowering, loop, at);
			continue;
		}
		if (is_named(at, "llvm.dbg."))
			continue;
		LLVMValueRef copy = LLVMInstructionClone(at);
		LLVMInsertIntoBuilder(lowering->builder, copy);
		loop->map[loop->map_count++] = (struct pair){at, copy};
		if ((LLVMIsALoadInst(at) || LLVMIsAStoreInst(at)) && steady_pointer(lowering, loop, at) &&
			find_pointer(loop, steady_pointer(lowering, loop, at)) < loop->pointer_count)
			upc__mark(lowering, copy, MARK_NEAR);
	}
}

static void copy_loop(struct lowering *lowering, struct loop *loop)
{
	loop->map_count = 0;
	for (int i = 0; i < loop->block_count; i++)
		loop->copies[i] = LLVMAppendBasicBlockInContext(lowering->context, loop->function, "near");
	for (int i = 0; i < loop->block_count; i++)
		copy_instructions(lowering, loop, i);
	for (int i = 0; i < loop->map_count; i++) {
		const struct pair *pair = &loop->map[i];
		if (LLVMIsAPHINode(pair->from)) {
			complete_phi(loop, pair);
			continue;
		}
		for (int k = 0; k < LLVMGetNumOperands(pair->to); k++) {
			LLVMValueRef operand = LLVMGetOperand(pair->from, (unsigned)k);
			if (operand)
				LLVMSetOperand(pair->to, (unsigned)k, copy_of(loop, operand));
		}
	}
}

/* At the builder, before the loop. A variable that has no value yet may be read: what it has is frozen. */
static LLVMValueRef is_near(struct lowering *lowering, LLVMValueRef pointer)
{
	LLVMBuilderRef builder = lowering->builder;
	bool variable = !is_indefinite(LLVMTypeOf(pointer));
	if (variable)
		pointer = LLVMBuildLoad2(builder, LLVMGetElementType(LLVMTypeOf(pointer)), pointer, "");
	LLVMValueRef integer = upc__as_integer(lowering, pointer);
	if (variable)
		integer = LLVMBuildFreeze(builder, integer, "");
	return upc__call(lowering, "__upci_stays_near", &integer, 1);
}

/* In front of the loop, in a block of its own: chooses the copy, if all pointers are near. */
static void choose_loop(struct lowering *lowering, struct loop *loop)
{
	LLVMBuilderRef builder = lowering->builder;
	LLVMBasicBlockRef front = LLVMInsertBasicBlockInContext(lowering->context, loop->header, "");
	LLVMValueRef near = NULL;
	for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(loop->header)), next; use; use = next) {
		LLVMValueRef user = LLVMGetUser(use);
		next = LLVMGetNextUse(use);
		for (unsigned i = 0; !is_inside(loop, user) && i < LLVMGetNumSuccessors(user); i++)
			if (LLVMGetSuccessor(user, i) == loop->header)
				LLVMSetSuccessor(user, i, front);
	}
	LLVMMetadataRef subprogram = LLVMGetSubprogram(loop->function);
	LLVMPositionBuilderAtEnd(builder, front);
	LLVMSetCurrentDebugLocation2(builder,
		subprogram ? LLVMDIBuilderCreateDebugLocation(lowering->context, 0, 0, subprogram, NULL) : NULL);
	for (int i = 0; i < loop->pointer_count; i++) {
		LLVMValueRef one = is_near(lowering, loop->pointers[i]);
		near = near ? LLVMBuildAnd(builder, near, one, "") : one;
	}
	int header = index_of(loop, loop->header);
	upc__expect(lowering, LLVMBuildCondBr(builder, near, loop->copies[header], loop->header), true);
}

/* ---- all loops ---- */

static void split_loop(struct lowering *lowering, struct loop *loop, LLVMBasicBlockRef latch)
{
	loop->header = header_of(lowering, latch);
	loop->block_count = 0;
	if (!loop->header || loop->header == LLVMGetEntryBasicBlock(loop->function))
		return;
	loop->blocks[loop->block_count++] = loop->header;
	if (!is_entered_by_branches(loop) || !add_block(lowering, loop, latch) || !understand(loop))
		return;
	collect_pointers(lowering, loop);
	if (loop->pointer_count == 0)
		return;
	copy_loop(lowering, loop);
	choose_loop(lowering, loop);
}

static void split_loops(struct lowering *lowering, LLVMValueRef function, struct loop *loop)
{
	LLVMBasicBlockRef last = LLVMGetLastBasicBlock(function), at = LLVMGetFirstBasicBlock(function);
	*loop = (struct loop){.function = function};
	for (bool done = !at; !done; at = LLVMGetNextBasicBlock(at)) {
		done = at == last; /* copies follow */
		split_loop(lowering, loop, at);
	}
}

void upc__split_near_loops(struct lowering *lowering)
{
	struct loop *loop = malloc(sizeof *loop);
	if (!loop)
		return;
	for (LLVMValueRef at = LLVMGetFirstFunction(lowering->module); at; at = LLVMGetNextFunction(at))
		if (!LLVMIsDeclaration(at) && !upc__is_marked(lowering, at, MARK_PLAIN) &&
			!upc__is_marked(lowering, at, MARK_INSTRUMENTED))
			split_loops(lowering, at, loop);
	free(loop);
}
