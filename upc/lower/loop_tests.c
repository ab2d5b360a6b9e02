/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops in checked versions whose accesses reach the same threads in all iterations (loop_threads.c). One test, before
 * the loop, checks whether these threads are on this node. If they are, a copy of the loop runs, which accesses memory
 * directly, and which the optimizer can vectorize. Otherwise at least one access is remote, which takes microseconds:
 * the original loop runs, in which calls perform the accesses.
 *
 * Only innermost loops, as clang makes them: variables are in memory, and almost no other values are used outside of
 * the loop.
 */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "upc/lower/loop_tests.h"

int upc__block_index(const struct tested_loop *loop, LLVMBasicBlockRef block)
{
	for (int i = 0; i < loop->block_count; i++)
		if (loop->blocks[i] == block)
			return i;
	return -1;
}

bool upc__is_inside_loop(const struct tested_loop *loop, LLVMValueRef instruction)
{
	return LLVMIsAInstruction(instruction) && upc__block_index(loop, LLVMGetInstructionParent(instruction)) >= 0;
}

/* ---- the loop ---- */

/* Returns the loop's header if clang has marked the block's end as the end of an iteration. */
static LLVMBasicBlockRef header_of(const struct lowering *lowering, LLVMBasicBlockRef block)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
	unsigned kind = LLVMGetMDKindIDInContext(lowering->context, "llvm.loop", 9);
	return end && LLVMIsABranchInst(end) && LLVMGetMetadata(end, kind) ? LLVMGetSuccessor(end, 0) : NULL;
}

/* Adds the blocks from which BLOCK is reached, up to the header. */
static bool add_block(const struct lowering *lowering, struct tested_loop *loop, LLVMBasicBlockRef block)
{
	if (upc__block_index(loop, block) >= 0)
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

static const struct dealt_loop *dealt_at(const struct lowering *lowering, LLVMBasicBlockRef header)
{
	for (int i = 0; i < lowering->dealt_count; i++)
		if (lowering->dealt[i].head == header)
			return &lowering->dealt[i];
	return NULL;
}

/* Returns true if only branches lead to the header. */
static bool is_entered_by_branches(const struct tested_loop *loop)
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

/* Returns true if no phi at the start of the loop or of a block after it depends on the edge that END takes. */
static bool can_end(const struct tested_loop *loop, LLVMValueRef end)
{
	if (!LLVMIsABranchInst(end) && !LLVMIsASwitchInst(end) && !LLVMIsAUnreachableInst(end))
		return false;
	for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
		LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
		if ((next == loop->header || upc__block_index(loop, next) < 0) && begins_with_phi(next))
			return false;
	}
	return true;
}

static bool stores_number(LLVMValueRef store)
{
	LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
	       (kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) > 8);
}

/* Returns true if AT can be copied. */
static bool understand_instruction(struct tested_loop *loop, LLVMValueRef at)
{
	if (LLVMIsAAllocaInst(at) || (LLVMIsACallInst(at) && LLVMIsAInlineAsm(LLVMGetCalledValue(at))) ||
		(LLVMIsATerminatorInst(at) && !can_end(loop, at)))
		return false;
	if (LLVMIsACallInst(at) && !upc__is_call_of(at, "llvm.dbg.") && !upc__is_call_of(at, "llvm.lifetime.") &&
		!upc__is_call_of(at, "llvm.fmuladd."))
		loop->calls = true;
	if (LLVMIsAAtomicRMWInst(at) || LLVMIsAAtomicCmpXchgInst(at) || LLVMIsAFenceInst(at) ||
		(LLVMIsAStoreInst(at) && !stores_number(at) && !LLVMIsAAllocaInst(LLVMGetOperand(at, 1))))
		loop->calls = true;
	for (LLVMUseRef use = LLVMGetFirstUse(at); use; use = LLVMGetNextUse(use))
		if (!upc__is_inside_loop(loop, LLVMGetUser(use)))
			return false;
	return true;
}

static bool understand(struct tested_loop *loop)
{
	int count = 0;
	loop->calls = false;
	for (int i = 0; i < loop->block_count; i++)
		for (LLVMValueRef at = LLVMGetFirstInstruction(loop->blocks[i]); at; at = LLVMGetNextInstruction(at))
			if (++count > MOST_INSTRUCTIONS || !understand_instruction(loop, at))
				return false;
	return true;
}

/* ---- the copy ---- */

static LLVMValueRef copy_of(const struct tested_loop *loop, LLVMValueRef value)
{
	if (LLVMValueIsBasicBlock(value)) {
		int place = upc__block_index(loop, LLVMValueAsBasicBlock(value));
		return place < 0 ? value : LLVMBasicBlockAsValue(loop->copies[place]);
	}
	for (int i = 0; i < loop->map_count; i++)
		if (loop->map[i].from == value)
			return loop->map[i].to;
	return value;
}

/* A phi is built again because LLVM's C interface does not list its blocks as operands. */
static void copy_phi(struct lowering *lowering, struct tested_loop *loop, LLVMValueRef phi)
{
	loop->map[loop->map_count++] = (struct copied){phi, LLVMBuildPhi(lowering->builder, LLVMTypeOf(phi), "")};
}

static void complete_phi(const struct tested_loop *loop, const struct copied *pair)
{
	for (unsigned i = 0; i < LLVMCountIncoming(pair->from); i++) {
		LLVMValueRef value = copy_of(loop, LLVMGetIncomingValue(pair->from, i));
		LLVMBasicBlockRef block = loop->copies[upc__block_index(loop, LLVMGetIncomingBlock(pair->from, i))];
		LLVMAddIncoming(pair->to, &value, &block, 1);
	}
}

/* `inner` is 0 in the copy. */
static bool is_inner(const struct tested_loop *loop, LLVMValueRef at)
{
	return loop->dealt && LLVMIsALoadInst(at) && LLVMGetOperand(at, 0) == loop->dealt->inner;
}

/* ACCESS: the number of the loop's first access that can be in this block. Returns that of the first one after it. */
static int copy_instructions(struct lowering *lowering, struct tested_loop *loop, int block, int access)
{
	LLVMPositionBuilderAtEnd(lowering->builder, loop->copies[block]);
	LLVMSetCurrentDebugLocation2(lowering->builder, NULL); /* copies have their own location */
	for (LLVMValueRef at = LLVMGetFirstInstruction(loop->blocks[block]); at; at = LLVMGetNextInstruction(at)) {
		if (LLVMIsAPHINode(at)) {
			copy_phi(lowering, loop, at);
			continue;
		}
		if (upc__is_call_of(at, "llvm.dbg."))
			continue;
		if (is_inner(loop, at)) {
			loop->map[loop->map_count++] = (struct copied){at, LLVMConstNull(LLVMTypeOf(at))};
			continue;
		}
		LLVMValueRef copy = LLVMInstructionClone(at);
		LLVMInsertIntoBuilder(lowering->builder, copy);
		loop->map[loop->map_count++] = (struct copied){at, copy};
		if (access < loop->access_count && loop->accesses[access] == at) {
			upc__mark(lowering, copy, MARK_SAME_NODE);
			upc__mark(lowering, at, MARK_SELDOM);
			access++;
		}
	}
	return access;
}

static void copy_loop(struct lowering *lowering, struct tested_loop *loop)
{
	int access = 0;
	loop->map_count = 0;
	for (int i = 0; i < loop->block_count; i++)
		access = copy_instructions(lowering, loop, i, access);
	for (int i = 0; i < loop->map_count; i++) {
		const struct copied *pair = &loop->map[i];
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

/*
 * In front of the loop, in a new block: branches to the copy, still empty, if all pointers are to memory of this node.
 */
static void choose_loop(struct lowering *lowering, struct tested_loop *loop)
{
	LLVMBuilderRef builder = lowering->builder;
	LLVMBasicBlockRef front = LLVMInsertBasicBlockInContext(lowering->context, loop->header, "");
	for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(loop->header)), next; use; use = next) {
		LLVMValueRef user = LLVMGetUser(use);
		next = LLVMGetNextUse(use);
		if (upc__is_inside_loop(loop, user) ||
			(loop->dealt && LLVMGetInstructionParent(user) == loop->dealt->check))
			continue;
		for (unsigned i = 0; i < LLVMGetNumSuccessors(user); i++)
			if (LLVMGetSuccessor(user, i) == loop->header)
				LLVMSetSuccessor(user, i, front);
	}
	LLVMMetadataRef subprogram = LLVMGetSubprogram(loop->function);
	LLVMPositionBuilderAtEnd(builder, front);
	LLVMSetCurrentDebugLocation2(builder,
		subprogram ? LLVMDIBuilderCreateDebugLocation(lowering->context, 0, 0, subprogram, NULL) : NULL);
	LLVMValueRef same_node = upc__build_loop_test(lowering, loop);
	for (int i = 0; i < loop->block_count; i++)
		loop->copies[i] = LLVMAppendBasicBlockInContext(lowering->context, loop->function, "same_node");
	LLVMBasicBlockRef copy = loop->copies[upc__block_index(loop, loop->header)];
	if (same_node)
		upc__expect(lowering, LLVMBuildCondBr(builder, same_node, copy, loop->header), true);
	else
		LLVMBuildBr(builder, copy);
}

/* ---- all loops ---- */

/* The blocks from LATCH back to the header. */
static bool find_loop(const struct lowering *lowering, struct tested_loop *loop, LLVMBasicBlockRef latch)
{
	loop->block_count = 0;
	loop->blocks[loop->block_count++] = loop->header;
	if (!is_entered_by_branches(loop) || !add_block(lowering, loop, latch))
		return false;
	return (!loop->dealt || add_block(lowering, loop, loop->dealt->end)) && understand(loop);
}

/* Finds the loop over this thread's iterations in a upc_forall. */
static bool find_dealt(struct lowering *lowering, struct tested_loop *loop, const struct dealt_loop *dealt)
{
	loop->dealt = dealt;
	loop->header = dealt->body;
	if (!find_loop(lowering, loop, dealt->again))
		return false;
	upc__collect_steady_accesses(lowering, loop);
	return loop->as_dealt && loop->pointer_count > 0;
}

static bool find_any(struct lowering *lowering, struct tested_loop *loop, LLVMBasicBlockRef latch)
{
	loop->header = header_of(lowering, latch);
	if (!loop->header || loop->header == LLVMGetEntryBasicBlock(loop->function))
		return false;
	const struct dealt_loop *dealt = dealt_at(lowering, loop->header);
	if (dealt && find_dealt(lowering, loop, dealt))
		return true;
	loop->dealt = NULL;
	loop->header = header_of(lowering, latch);
	if (!find_loop(lowering, loop, latch))
		return false;
	upc__collect_steady_accesses(lowering, loop);
	return loop->pointer_count > 0;
}

static void split_loops(struct lowering *lowering, LLVMValueRef function, struct tested_loop *loop)
{
	LLVMBasicBlockRef last = LLVMGetLastBasicBlock(function), at = LLVMGetFirstBasicBlock(function);
	*loop = (struct tested_loop){.function = function};
	for (bool done = !at; !done; at = LLVMGetNextBasicBlock(at)) {
		done = at == last; /* copies follow */
		if (!find_any(lowering, loop, at))
			continue;
		choose_loop(lowering, loop);
		copy_loop(lowering, loop);
	}
}

void upc__test_before_loops(struct lowering *lowering)
{
	struct tested_loop *loop = malloc(sizeof *loop);
	if (!loop)
		return;
	for (LLVMValueRef at = LLVMGetFirstFunction(lowering->module); at; at = LLVMGetNextFunction(at))
		if (!LLVMIsDeclaration(at) && !upc__is_marked(lowering, at, MARK_DIRECT) &&
			!upc__is_marked(lowering, at, MARK_INSTRUMENTED))
			split_loops(lowering, at, loop);
	free(loop);
}
