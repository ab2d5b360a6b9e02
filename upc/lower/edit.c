/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds and replaces instructions. */
#include <llvm-c/DebugInfo.h>

#include "upc/lower/lowering.h"

/*
 * Places the builder before INSTRUCTION. New instructions get its line; if it has none and the function has debug
 * information, they get the function's line: calls without a line cannot be inlined there.
 */
void upc__before(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMPositionBuilderBefore(lowering->builder, instruction);
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
	LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
	if (!LLVMInstructionGetDebugLoc(instruction))
		LLVMSetCurrentDebugLocation2(lowering->builder,
			subprogram ? LLVMDIBuilderCreateDebugLocation(lowering->context, 0, 0, subprogram, NULL)
				   : NULL);
}

void upc__erase(struct lowering *lowering, LLVMValueRef instruction)
{
	upc__unmark(lowering, instruction);
	LLVMInstructionEraseFromParent(instruction);
}

void upc__replace(struct lowering *lowering, LLVMValueRef old, LLVMValueRef value)
{
	LLVMReplaceAllUsesWith(old, value);
	upc__erase(lowering, old);
}

void upc__at_start(struct lowering *lowering)
{
	if (!lowering->start) {
		LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(lowering->context), NULL, 0, false);
		lowering->start = LLVMAddFunction(lowering->module, ".upc.start", type);
		upc__make_unwindable(lowering, lowering->start);
		LLVMSetLinkage(lowering->start, LLVMInternalLinkage);
		LLVMBasicBlockRef block = LLVMAppendBasicBlockInContext(lowering->context, lowering->start, "");
		LLVMPositionBuilderAtEnd(lowering->builder, block);
		lowering->start_end = LLVMBuildRetVoid(lowering->builder);
	}
	upc__before(lowering, lowering->start_end);
	LLVMSetCurrentDebugLocation2(lowering->builder, NULL);
}

/* The module has the flag "uwtable" if its functions have unwind tables. 2: asynchronous tables, which events need. */
void upc__make_unwindable(struct lowering *lowering, LLVMValueRef function)
{
	if (!LLVMGetModuleFlag(lowering->module, "uwtable", 7))
		return;
	LLVMAttributeRef table =
		LLVMCreateEnumAttribute(lowering->context, LLVMGetEnumAttributeKindForName("uwtable", 7), 2);
	LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, table);
}
