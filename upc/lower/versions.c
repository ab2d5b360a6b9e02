/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each function that accesses shared memory, or with --inst can report an event, exists twice: plain, and general
 * (upc/abi.h). Which one must run is known before main, so one test at the entry chooses. The version with this test
 * keeps the name, which tools show: with --inst that is the general version, else the plain one. Calls in the other
 * version go to such versions directly.
 *
 * The other version is made in a separate module, read again, in which everything else is only declared; then both are
 * linked.
 */
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upc/lower/lowering.h"

/* Of the version without the name; Heddle's reports remove these. */
static const char *suffix(const struct lowering *lowering)
{
	return lowering->options->inst ? ".plain" : ".general";
}

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

static bool touches_shared(const struct lowering *lowering, LLVMValueRef instruction)
{
	for (int i = 0; i < LLVMGetNumOperands(instruction); i++) {
		LLVMValueRef operand = LLVMGetOperand(instruction, (unsigned)i);
		if (operand && upc__is_shared(LLVMTypeOf(operand)))
			return true;
	}
	return lowering->options->inst && LLVMIsACallInst(instruction) && is_event_call(instruction);
}

/* Whether its versions would differ, and can be made. */
static bool has_versions(const struct lowering *lowering, LLVMValueRef function)
{
	bool differ = lowering->options->inst_functions;
	if (LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)))
		return false; /* the arguments cannot be handed on */
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
			if (LLVMIsAIndirectBrInst(at))
				return false; /* addresses of its labels are in constants */
			differ = differ || touches_shared(lowering, at);
		}
	return differ;
}

struct versions {
	LLVMValueRef *functions; /* of the module, to get another version */
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
		if (has_versions(lowering, at)) {
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

/* In the copy: renames FUNCTION. Calls in the copy go to it; its address remains that of the version with the name. */
static void make_other(const struct lowering *lowering, LLVMModuleRef copy, LLVMValueRef function)
{
	char *name = strdup(name_of(function)), *other_name = NULL;
	if (!name || asprintf(&other_name, "%s%s", name, suffix(lowering)) < 0)
		exit(1);
	LLVMSetValueName2(function, other_name, strlen(other_name));
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
	free(other_name);
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

static void make_copy(const struct lowering *lowering, LLVMModuleRef copy, const struct versions *versions)
{
	declare_variables(copy);
	LLVMValueRef last = LLVMGetLastFunction(copy);
	for (LLVMValueRef at = LLVMGetFirstFunction(copy), next; at; at = next) {
		next = at == last ? NULL : LLVMGetNextFunction(at);
		if (LLVMIsDeclaration(at))
			continue;
		if (is_chosen(versions, name_of(at)))
			make_other(lowering, copy, at);
		else
			only_declare(copy, at);
	}
}

/* Arguments by value, extended, or for a result in memory must be handed on as they came. */
static void copy_attributes(LLVMValueRef function, LLVMValueRef call)
{
	unsigned parameters = LLVMCountParams(function);
	for (unsigned index = 0; index <= parameters; index++) { /* 0: the result */
		unsigned count = LLVMGetAttributeCountAtIndex(function, index);
		LLVMAttributeRef *attributes = calloc(count + 1, sizeof *attributes);
		if (!attributes)
			exit(1);
		LLVMGetAttributesAtIndex(function, index, attributes);
		for (unsigned i = 0; i < count; i++)
			LLVMAddCallSiteAttribute(call, index, attributes[i]);
		free(attributes);
	}
}

/* At the builder: returns what OTHER returns for the arguments of FUNCTION. */
static void hand_on(struct lowering *lowering, LLVMValueRef function, LLVMValueRef other)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(function);
	unsigned count = LLVMCountParams(function);
	LLVMValueRef *arguments = calloc(count + 1, sizeof(LLVMValueRef));
	if (!arguments)
		exit(1);
	LLVMGetParams(function, arguments);
	LLVMValueRef result = LLVMBuildCall2(lowering->builder, type, other, arguments, count, "");
	LLVMSetInstructionCallConv(result, LLVMGetFunctionCallConv(other));
	copy_attributes(function, result);
	LLVMSetTailCall(result, true);
	if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
		LLVMBuildRetVoid(lowering->builder);
	else
		LLVMBuildRet(lowering->builder, result);
	free(arguments);
}

/* Variables stay in the first block. */
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

static void note(
	struct lowering *lowering, LLVMValueRef instruction, const char *kind, LLVMMetadataRef *what, size_t count)
{
	LLVMMetadataRef node = LLVMMDNodeInContext2(lowering->context, what, count);
	LLVMSetMetadata(instruction, LLVMGetMDKindIDInContext(lowering->context, kind, (unsigned)strlen(kind)),
		LLVMMetadataAsValue(lowering->context, node));
}

/* At the builder: the test that chooses. The optimizer knows that it has the same result everywhere. */
static void choose(struct lowering *lowering, LLVMBasicBlockRef general, LLVMBasicBlockRef plain)
{
	const char *name = lowering->options->inst ? "__upcrt_general" : "__upcrt_far";
	LLVMValueRef variable = LLVMGetNamedGlobal(lowering->module, name);
	if (!variable) {
		variable = LLVMAddGlobal(lowering->module, lowering->i32, name);
		LLVMSetGlobalConstant(variable, true);
	}
	LLVMValueRef load = LLVMBuildLoad2(lowering->builder, lowering->i32, variable, "");
	note(lowering, load, "invariant.load", NULL, 0);
	LLVMValueRef test = LLVMBuildICmp(lowering->builder, LLVMIntNE, load, LLVMConstNull(lowering->i32), "");
	LLVMValueRef branch = LLVMBuildCondBr(lowering->builder, test, general, plain);
	if (lowering->options->inst)
		return; /* with a tool, the general version should be fast */
	LLVMMetadataRef weights[] = {LLVMMDStringInContext2(lowering->context, "branch_weights", 14),
		LLVMValueAsMetadata(LLVMConstInt(lowering->i32, 1, false)),
		LLVMValueAsMetadata(LLVMConstInt(lowering->i32, 2000, false))};
	note(lowering, branch, "prof", weights, 3);
}

/* Adds to the entry of FUNCTION, whose version has the name: calls OTHER instead, when that must run. */
static void add_choice(struct lowering *lowering, LLVMValueRef function, LLVMValueRef other)
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
	hand_on(lowering, function, other);
}

/* Without --inst, general versions run only in programs on several machines: they are kept small, and apart. */
static void make_rare(struct lowering *lowering, LLVMValueRef function)
{
	static const char *const kinds[] = {"cold", "optsize"};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
			LLVMCreateEnumAttribute(
				lowering->context, LLVMGetEnumAttributeKindForName(kinds[i], strlen(kinds[i])), 0));
}

static void finish(struct lowering *lowering, const struct versions *versions)
{
	bool inst = lowering->options->inst;
	for (int i = 0; i < versions->internal_count; i++)
		LLVMSetLinkage(versions->internals[i].value, versions->internals[i].linkage);
	for (int i = 0; i < versions->count; i++) {
		LLVMValueRef named = versions->functions[i];
		char *name = NULL;
		if (asprintf(&name, "%s%s", name_of(named), suffix(lowering)) < 0)
			exit(1);
		LLVMValueRef other = LLVMGetNamedFunction(lowering->module, name);
		free(name);
		LLVMSetLinkage(other, LLVMInternalLinkage);
		upc__mark(lowering, other, inst ? MARK_PLAIN : MARK_GENERAL);
		upc__mark(lowering, named, inst ? MARK_GENERAL : MARK_PLAIN);
		if (!inst)
			make_rare(lowering, other);
		add_choice(lowering, named, other);
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
		make_copy(lowering, copy, &versions);
		if (!lowering->options->inst)
			upc__keep_lines(lowering, copy);
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
