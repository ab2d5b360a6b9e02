/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How a function with two versions chooses one: at the entry of the version that has the name, or in a function of its
 * own, which has the name and only jumps. Before anything else is lowered.
 */
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upc/lower/lowering.h"

typedef void add_attribute(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef);

static void copy_attributes(LLVMValueRef function, LLVMAttributeIndex index, LLVMValueRef to, add_attribute *add)
{
	unsigned count = LLVMGetAttributeCountAtIndex(function, index);
	LLVMAttributeRef *attributes = calloc(count + 1, sizeof *attributes);
	if (!attributes)
		exit(1);
	LLVMGetAttributesAtIndex(function, index, attributes);
	for (unsigned i = 0; i < count; i++)
		add(to, index, attributes[i]);
	free(attributes);
}

/* Attributes of parameters (by value, extended, result in memory) must be the same in the call that forwards them. */
static void copy_parameters(LLVMValueRef function, LLVMValueRef call)
{
	unsigned parameters = LLVMCountParams(function);
	for (unsigned index = 0; index <= parameters; index++) /* 0: the result */
		copy_attributes(function, index, call, LLVMAddCallSiteAttribute);
}

/* At the builder: calls OTHER with the arguments of FUNCTION and returns its result. */
static LLVMValueRef hand_on(struct lowering *lowering, LLVMValueRef function, LLVMValueRef other)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(function);
	unsigned count = LLVMCountParams(function);
	LLVMValueRef *arguments = calloc(count + 1, sizeof(LLVMValueRef));
	if (!arguments)
		exit(1);
	LLVMGetParams(function, arguments);
	LLVMValueRef result = LLVMBuildCall2(lowering->builder, type, other, arguments, count, "");
	LLVMSetInstructionCallConv(result, LLVMGetFunctionCallConv(other));
	copy_parameters(function, result);
	LLVMSetTailCall(result, true);
	if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
		LLVMBuildRetVoid(lowering->builder);
	else
		LLVMBuildRet(lowering->builder, result);
	free(arguments);
	return result;
}

/* Moves variables to the first block, where LLVM expects them. */
static void move_variables(struct lowering *lowering, LLVMBasicBlockRef entry)
{
	for (LLVMValueRef at = LLVMGetFirstInstruction(entry), next; at; at = next) {
		next = LLVMGetNextInstruction(at);
		if (!LLVMIsAAllocaInst(at) || !LLVMIsConstant(LLVMGetOperand(at, 0)))
			continue;
		LLVMInstructionRemoveFromParent(at);
		LLVMInsertIntoBuilder(lowering->builder, at);
	}
}

/* At the builder: the test that chooses. The variable is constant, so the optimizer knows that all tests agree. */
static void choose(struct lowering *lowering, LLVMBasicBlockRef checked, LLVMBasicBlockRef direct)
{
	const char *name = lowering->options->inst ? "__upcrt_checked" : "__upcrt_remote";
	LLVMValueRef variable = LLVMGetNamedGlobal(lowering->module, name);
	if (!variable) {
		variable = LLVMAddGlobal(lowering->module, lowering->i32, name);
		LLVMSetGlobalConstant(variable, true);
	}
	LLVMValueRef load = LLVMBuildLoad2(lowering->builder, lowering->i32, variable, "");
	upc__note(lowering, load, "invariant.load", NULL, 0);
	LLVMValueRef test = LLVMBuildICmp(lowering->builder, LLVMIntNE, load, LLVMConstNull(lowering->i32), "");
	LLVMValueRef branch = LLVMBuildCondBr(lowering->builder, test, checked, direct);
	if (!lowering->options->inst) /* with a tool, the checked version should be fast */
		upc__expect(lowering, branch, false);
}

/*
 * Keeps a call from being inlined: code inlined into an entry has no debug information, and the direct version would be
 * compiled differently than if it were the only one, and be optimized twice.
 */
static void keep_out(struct lowering *lowering, LLVMValueRef call)
{
	LLVMAddCallSiteAttribute(call, LLVMAttributeFunctionIndex,
		LLVMCreateEnumAttribute(lowering->context, LLVMGetEnumAttributeKindForName("noinline", 8), 0));
}

void upc__choose_at_entry(struct lowering *lowering, LLVMValueRef function, LLVMValueRef other)
{
	LLVMBuilderRef builder = lowering->builder;
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
	LLVMBasicBlockRef first = LLVMInsertBasicBlockInContext(lowering->context, entry, "");
	LLVMBasicBlockRef away = LLVMInsertBasicBlockInContext(lowering->context, entry, "other");
	LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
	LLVMSetCurrentDebugLocation2(builder, NULL);
	LLVMPositionBuilderAtEnd(builder, first);
	move_variables(lowering, entry);
	LLVMSetCurrentDebugLocation2(builder,
		subprogram ? LLVMDIBuilderCreateDebugLocation(lowering->context, 0, 0, subprogram, NULL) : NULL);
	if (lowering->options->inst)
		choose(lowering, entry, away);
	else
		choose(lowering, away, entry);
	LLVMPositionBuilderAtEnd(builder, away);
	keep_out(lowering, hand_on(lowering, function, other));
}

/* The function that chooses, without a name. It has no debug information, and no frame on the stack. */
static LLVMValueRef build_entry(struct lowering *lowering, LLVMValueRef direct, LLVMValueRef checked)
{
	LLVMBuilderRef builder = lowering->builder;
	LLVMValueRef entry = LLVMAddFunction(lowering->module, "", LLVMGlobalGetValueType(direct));
	LLVMSetFunctionCallConv(entry, LLVMGetFunctionCallConv(direct));
	if (LLVMGetSection(direct))
		LLVMSetSection(entry, LLVMGetSection(direct));
	copy_attributes(direct, LLVMAttributeFunctionIndex, entry, LLVMAddAttributeAtIndex);
	for (unsigned index = 0; index <= LLVMCountParams(direct); index++)
		copy_attributes(direct, index, entry, LLVMAddAttributeAtIndex);
	LLVMBasicBlockRef first = LLVMAppendBasicBlockInContext(lowering->context, entry, "");
	LLVMBasicBlockRef to_direct = LLVMAppendBasicBlockInContext(lowering->context, entry, "direct");
	LLVMBasicBlockRef to_checked = LLVMAppendBasicBlockInContext(lowering->context, entry, "checked");
	LLVMSetCurrentDebugLocation2(builder, NULL);
	LLVMPositionBuilderAtEnd(builder, first);
	choose(lowering, to_checked, to_direct);
	LLVMPositionBuilderAtEnd(builder, to_direct);
	keep_out(lowering, hand_on(lowering, entry, direct));
	LLVMPositionBuilderAtEnd(builder, to_checked);
	keep_out(lowering, hand_on(lowering, entry, checked));
	return entry;
}

/* Replaces all uses of DIRECT by ENTRY, except calls in direct functions and in ENTRY itself. */
static void use_entry(struct lowering *lowering, LLVMValueRef direct, LLVMValueRef entry)
{
	LLVMValueRef own = LLVMGetLastInstruction(LLVMGetNextBasicBlock(LLVMGetEntryBasicBlock(entry)));
	own = LLVMGetPreviousInstruction(own);
	LLVMReplaceAllUsesWith(direct, entry);
	for (LLVMUseRef use = LLVMGetFirstUse(entry), next; use; use = next) {
		LLVMValueRef user = LLVMGetUser(use);
		next = LLVMGetNextUse(use);
		if (!LLVMIsACallInst(user) || LLVMGetCalledValue(user) != entry)
			continue;
		LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
		if (user == own || upc__is_marked(lowering, caller, MARK_DIRECT))
			LLVMSetOperand(user, (unsigned)LLVMGetNumOperands(user) - 1, direct);
	}
}

static void name(LLVMValueRef function, const char *stem, const char *suffix)
{
	char *text = NULL;
	if (asprintf(&text, "%s%s", stem, suffix) < 0)
		exit(1);
	LLVMSetValueName2(function, text, strlen(text));
	free(text);
}

void upc__choose_in_entry(struct lowering *lowering, LLVMValueRef direct, LLVMValueRef checked)
{
	size_t length;
	LLVMLinkage linkage = LLVMGetLinkage(direct);
	LLVMVisibility visibility = LLVMGetVisibility(direct);
	char *stem = strdup(LLVMGetValueName2(direct, &length));
	if (!stem)
		exit(1);
	bool is_main = strcmp(stem, "main") == 0; /* becomes local, too (lower.c) */
	bool local = linkage == LLVMInternalLinkage || is_main;
	bool inlined = LLVMGetEnumAttributeAtIndex(
		direct, LLVMAttributeFunctionIndex, LLVMGetEnumAttributeKindForName("alwaysinline", 12));
	bool named = local && !inlined; /* otherwise the entry has the name */
	LLVMValueRef entry = build_entry(lowering, direct, checked);
	use_entry(lowering, direct, entry);
	LLVMSetVisibility(direct, LLVMDefaultVisibility);
	LLVMSetLinkage(direct, LLVMInternalLinkage);
	if (local && !is_main && !LLVMGetFirstUse(entry)) {
		LLVMDeleteFunction(entry); /* a second call would change which functions are inlined */
		free(stem);
		return;
	}
	name(direct, stem, named ? "" : ".direct");
	name(entry, stem, named ? ".entry" : "");
	LLVMSetLinkage(entry, local ? LLVMInternalLinkage : linkage);
	if (!local)
		LLVMSetVisibility(entry, visibility);
	free(stem);
}
