/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The optimizer may turn loops that store to shared memory into calls of memset or memcpy, and these into jumps if
 * nothing follows them. An invalid access would then be reported with the line of the function's caller. Such functions
 * get the attribute disable-tail-calls, except those that end with a call of the program, which may remain a jump.
 */
#include <string.h>

#include "upc/lower/lowering.h"

static bool stores_to_shared(LLVMBasicBlockRef block)
{
	for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
		if (LLVMIsAStoreInst(at) && upc__is_shared(LLVMTypeOf(LLVMGetOperand(at, 1))))
			return true;
	return false;
}

/* Returns true if a block goes back to an earlier one, as the last block of a loop does. */
static bool has_loop(struct lowering *lowering, LLVMValueRef function)
{
	bool found = false;
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block && !found;
		block = LLVMGetNextBasicBlock(block)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
		upc__mark(lowering, LLVMBasicBlockAsValue(block), MARK_SEEN);
		for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++)
			found = found ||
				upc__is_marked(lowering, LLVMBasicBlockAsValue(LLVMGetSuccessor(end, i)), MARK_SEEN);
	}
	return found;
}

/* Returns true if a call of the program is the last that is done before BLOCK ends. */
static bool ends_with_call(LLVMBasicBlockRef block)
{
	LLVMValueRef at = LLVMGetBasicBlockTerminator(block);
	do
		at = LLVMGetPreviousInstruction(at);
	while (at && LLVMIsACallInst(at) && strncmp(upc__called_name(at), "llvm.", 5) == 0);
	return at && LLVMIsACallInst(at);
}

static bool returns(LLVMBasicBlockRef block)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
	return end && LLVMIsAReturnInst(end);
}

/* Returns true if BLOCK returns, or goes to a block that does. */
static bool is_last(LLVMBasicBlockRef block)
{
	LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
	bool next = end && LLVMIsABranchInst(end) && !LLVMIsConditional(end);
	return returns(block) || (next && returns(LLVMGetSuccessor(end, 0)));
}

void upc__keep_last_calls(struct lowering *lowering, LLVMValueRef function)
{
	static const char keep[] = "disable-tail-calls", yes[] = "true";
	bool stores = false;
	if (LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(function))) != LLVMVoidTypeKind)
		return; /* the return value is computed after the call */
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
		stores = stores || stores_to_shared(block);
		if (is_last(block) && ends_with_call(block))
			return;
	}
	if (stores && has_loop(lowering, function))
		LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
			LLVMCreateStringAttribute(lowering->context, keep, sizeof keep - 1, yes, sizeof yes - 1));
}
