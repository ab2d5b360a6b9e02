/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * With --inst, each function that can report an event exists twice: instrumented, and uninstrumented for runs without a
 * tool. Whether there is a tool is known before main, so the instrumented function tests once, at its entry;
 * uninstrumented functions call uninstrumented ones. The instrumented function keeps the name: tools show that one.
 *
 * The copy is a separate module, read again, in which everything else is only declared; then both are linked.
 */
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upc/lower/lowering.h"

#define SUFFIX ".plain"

static const char *name_of(LLVMValueRef value)
{
	size_t length;
	return LLVMGetValueName2(value, &length);
}

static bool begins(const char *name, const char *prefix)
{
	return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* A call of the UPC library, or one that the translator made from a statement. */
static bool is_event_call(LLVMValueRef call)
{
	LLVMValueRef function = LLVMGetCalledValue(call);
	while (LLVMIsAConstantExpr(function))
		function = LLVMGetOperand(function, 0);
	const char *name = LLVMIsAFunction(function) ? name_of(function) : "";
	return begins(name, "upc_") || begins(name, "pupc_") || begins(name, "__upc_");
}

static bool touches_shared(LLVMValueRef instruction)
{
	for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
		LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
		if (operand && upc__is_shared(LLVMTypeOf(operand)))
			return true;
	}
	return LLVMIsACallInst(instruction) && is_event_call(instruction);
}

static bool can_tell(const struct lowering *lowering, LLVMValueRef function)
{
	bool has_events = lowering->options->inst_functions;
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
			if (LLVMIsAIndirectBrInst(at))
				return false; /* addresses of its labels are in constants */
			has_events = has_events || touches_shared(at);
		}
	return has_events;
}

/* Stack-passed and variadic arguments cannot be forwarded. */
static bool can_hand_on(LLVMValueRef function)
{
	static const char *const kinds[] = {"byval", "sret", "inalloca"};
	if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)))
		return false;
	for (unsigned i = 0; i < LLVMCountParams(function); i++)
		for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
			if (LLVMGetEnumAttributeAtIndex(
				    function, i + 1, LLVMGetEnumAttributeKindForName(kinds[k], strlen(kinds[k]))))
				return false;
	return true;
}

struct versions {
	LLVMValueRef *functions; /* of the module, to get an uninstrumented version */
	int count;
	struct internal { /* made visible while the modules are linked */
		LLVMValueRef value;
		LLVMLinkage linkage;
	} * internals;
	int internal_count;
};

/* Makes room for one more item in a list of COUNT. */
static void *grow(void *list, int count, size_t size)
{
	if ((count & (count - 1)) != 0)
		return list;
	list = realloc(list, (size_t)(count ? 2 * count : 1) * size);
	if (!list)
		exit(1);
	return list;
}

static void show(struct versions *versions, LLVMValueRef value)
{
	LLVMLinkage linkage = LLVMGetLinkage(value);
	if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
		return;
	versions->internals = grow(versions->internals, versions->internal_count, sizeof *versions->internals);
	versions->internals[versions->internal_count++] = (struct internal){value, linkage};
	LLVMSetLinkage(value, LLVMExternalLinkage);
}

static void collect(struct lowering *lowering, struct versions *versions)
{
	for (LLVMValueRef at = LLVMGetFirstFunction(lowering->module); at; at = LLVMGetNextFunction(at)) {
		if (LLVMIsDeclaration(at))
			continue;
		if (can_hand_on(at) && can_tell(lowering, at)) {
			versions->functions = grow(versions->functions, versions->count, sizeof *versions->functions);
			versions->functions[versions->count++] = at;
		}
		show(versions, at);
	}
	for (LLVMValueRef at = LLVMGetFirstGlobal(lowering->module); at; at = LLVMGetNextGlobal(at))
		show(versions, at);
}

/* Gives both modules the same names. */
static void name_all(LLVMModuleRef module)
{
	int count = 0;
	for (LLVMValueRef at = LLVMGetFirstGlobal(module); at; at = LLVMGetNextGlobal(at)) {
		char name[32];
		snprintf(name, sizeof name, ".upc.unnamed.%d", count++);
		if (*name_of(at) == '\0')
			LLVMSetValueName2(at, name, strlen(name));
	}
}

/* In the copy: renames FUNCTION. Calls in the copy go to it; its address remains the instrumented function's. */
static void make_uninstrumented(LLVMModuleRef copy, LLVMValueRef function)
{
	char *name = strdup(name_of(function)), *plain = NULL;
	if (!name || asprintf(&plain, "%s" SUFFIX, name) < 0)
		exit(1);
	LLVMSetValueName2(function, plain, strlen(plain));
	LLVMSetLinkage(function, LLVMExternalLinkage);
	LLVMSetVisibility(function, LLVMDefaultVisibility);
	LLVMValueRef other = LLVMAddFunction(copy, name, LLVMGlobalGetValueType(function));
	LLVMReplaceAllUsesWith(function, other);
	for (LLVMUseRef use = LLVMGetFirstUse(other), next; use; use = next) {
		LLVMValueRef user = LLVMGetUser(use);
		next = LLVMGetNextUse(use);
		if (LLVMIsACallInst(user) && LLVMGetCalledValue(user) == other)
			LLVMSetOperand(user, (unsigned)LLVMGetNumOperands(user) - 1, function);
	}
	free(name);
	free(plain);
}

static void only_declare(LLVMModuleRef copy, LLVMValueRef function)
{
	char *name = strdup(name_of(function));
	if (!name)
		exit(1);
	LLVMSetValueName2(function, "", 0);
	LLVMReplaceAllUsesWith(function, LLVMAddFunction(copy, name, LLVMGlobalGetValueType(function)));
	LLVMDeleteFunction(function);
	free(name);
}

static bool is_chosen(const struct versions *versions, const char *name)
{
	for (int i = 0; i < versions->count; i++)
		if (strcmp(name_of(versions->functions[i]), name) == 0)
			return true;
	return false;
}

static void declare_variables(LLVMModuleRef copy)
{
	for (LLVMValueRef at = LLVMGetFirstGlobal(copy), next; at; at = next) {
		next = LLVMGetNextGlobal(at);
		if (LLVMGetLinkage(at) == LLVMAppendingLinkage) {
			LLVMDeleteGlobal(at);
			continue;
		}
		LLVMSetInitializer(at, NULL);
		LLVMSetLinkage(at, LLVMExternalLinkage);
		LLVMGlobalClearMetadata(at);
	}
}

static void make_copy(LLVMModuleRef copy, const struct versions *versions)
{
	declare_variables(copy);
	LLVMValueRef last = LLVMGetLastFunction(copy);
	for (LLVMValueRef at = LLVMGetFirstFunction(copy), next; at; at = next) {
		next = at == last ? NULL : LLVMGetNextFunction(at);
		if (LLVMIsDeclaration(at))
			continue;
		if (is_chosen(versions, name_of(at)))
			make_uninstrumented(copy, at);
		else
			only_declare(copy, at);
	}
}

/*
 * Adds to the entry of an instrumented function: without a tool, call the uninstrumented version instead. Variables
 * stay in the first block.
 */
static void branch_without_tool(struct lowering *lowering, LLVMValueRef function, LLVMValueRef plain)
{
	LLVMBuilderRef builder = lowering->builder;
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
	LLVMBasicBlockRef first = LLVMInsertBasicBlockInContext(lowering->context, entry, "");
	LLVMBasicBlockRef away = LLVMInsertBasicBlockInContext(lowering->context, entry, "plain");
	upc__before(lowering, LLVMGetBasicBlockTerminator(entry));
	LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
	LLVMSetCurrentDebugLocation2(builder,
		subprogram ? LLVMDIBuilderCreateDebugLocation(lowering->context, 0, 0, subprogram, NULL) : NULL);
	LLVMPositionBuilderAtEnd(builder, first);
	for (LLVMValueRef at = LLVMGetFirstInstruction(entry), next; at; at = next) {
		next = LLVMGetNextInstruction(at);
		if (!LLVMIsAAllocaInst(at) || !LLVMIsConstant(LLVMGetOperand(at, 0)))
			continue;
		LLVMInstructionRemoveFromParent(at);
		LLVMInsertIntoBuilder(builder, at);
	}
	LLVMValueRef tool = LLVMGetNamedGlobal(lowering->module, "__upcrt_tool");
	LLVMValueRef none = LLVMBuildICmp(
		builder, LLVMIntEQ, LLVMBuildLoad2(builder, lowering->i32, tool, ""), LLVMConstNull(lowering->i32), "");
	LLVMBuildCondBr(builder, none, away, entry);
	LLVMPositionBuilderAtEnd(builder, away);
	LLVMTypeRef type = LLVMGlobalGetValueType(function);
	unsigned count = LLVMCountParams(function);
	LLVMValueRef *arguments = calloc(count + 1, sizeof(LLVMValueRef));
	if (!arguments)
		exit(1);
	LLVMGetParams(function, arguments);
	LLVMValueRef result = LLVMBuildCall2(builder, type, plain, arguments, count, "");
	LLVMSetInstructionCallConv(result, LLVMGetFunctionCallConv(plain));
	LLVMSetTailCall(result, true);
	if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
		LLVMBuildRetVoid(builder);
	else
		LLVMBuildRet(builder, result);
	free(arguments);
}

static void finish(struct lowering *lowering, const struct versions *versions)
{
	if (!LLVMGetNamedGlobal(lowering->module, "__upcrt_tool"))
		LLVMSetGlobalConstant(LLVMAddGlobal(lowering->module, lowering->i32, "__upcrt_tool"), true);
	for (int i = 0; i < versions->internal_count; i++)
		LLVMSetLinkage(versions->internals[i].value, versions->internals[i].linkage);
	for (int i = 0; i < versions->count; i++) {
		char *name = NULL;
		if (asprintf(&name, "%s" SUFFIX, name_of(versions->functions[i])) < 0)
			exit(1);
		LLVMValueRef plain = LLVMGetNamedFunction(lowering->module, name);
		free(name);
		LLVMSetLinkage(plain, LLVMInternalLinkage);
		upc__mark(lowering, plain, MARK_UNINSTRUMENTED);
		upc__mark(lowering, versions->functions[i], MARK_INSTRUMENTED);
		branch_without_tool(lowering, versions->functions[i], plain);
	}
}

bool upc__make_versions(struct lowering *lowering, LLVMModuleRef copy)
{
	struct versions versions = {0};
	bool linked = true;
	name_all(lowering->module);
	name_all(copy);
	if (!LLVMGetFirstGlobalAlias(copy) && !LLVMGetFirstGlobalIFunc(copy))
		collect(lowering, &versions);
	if (versions.count > 0) {
		make_copy(copy, &versions);
		linked = LLVMLinkModules2(lowering->module, copy) == 0;
	} else {
		LLVMDisposeModule(copy);
	}
	if (linked)
		finish(lowering, &versions);
	free(versions.functions);
	free(versions.internals);
	return linked;
}
