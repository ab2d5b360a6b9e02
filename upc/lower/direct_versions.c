/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each function that accesses shared memory, or with --inst can report an event, gets two versions: direct, and checked
 * (upc/abi.h). Which one must run is known before main: one test chooses (entry.c). Calls in one version go directly to
 * the same version of other functions.
 *
 * With --inst, the checked version keeps the name, which tools show, and tests at its entry. Without --inst, a separate
 * function tests and jumps to a version, so the direct version is compiled as if it were alone. The direct version
 * keeps the name if that is local.
 *
 * The other version is made in a second copy of the module, read again, in which everything else is only declared; then
 * both modules are linked.
 */
#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upc/lower/lowering.h"

/* The suffix of the other version's name; Heddle's reports remove it. */
static const char *suffix(const struct lowering *lowering)
{
	return lowering->options->inst ? ".direct" : ".checked";
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

/* Returns true for a call of the UPC library, or one that the translator made from a statement. */
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

/* Returns true if the address of a block is taken: such constants name one function. */
static bool has_address(LLVMBasicBlockRef block)
{
	for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use))
		if (LLVMIsABlockAddress(LLVMGetUser(use)))
			return true;
	return false;
}

/* Returns true if another unit may define the function that is called. */
static bool can_be_replaced(LLVMValueRef function)
{
	LLVMLinkage linkage = LLVMGetLinkage(function);
	return linkage == LLVMWeakAnyLinkage || linkage == LLVMLinkOnceAnyLinkage;
}

static bool can_have_versions(LLVMValueRef function)
{
	if (LLVMIsDeclaration(function) || LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)) ||
		can_be_replaced(function))
		return false;
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
		if (has_address(block))
			return false;
	return true;
}

/* Returns true if the versions of FUNCTION would differ: in an access, an event, or a call of such a function. */
static bool differs(const struct lowering *lowering, LLVMValueRef function)
{
	if (lowering->options->inst_functions)
		return true;
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
			if (touches_shared(lowering, at) ||
				(LLVMIsACallInst(at) && upc__is_marked(lowering, LLVMGetCalledValue(at), MARK_CHOSEN)))
				return true;
	return false;
}

struct chosen {
	LLVMValueRef *functions; /* functions of the module that get a second version */
	int count;
	struct internal { /* symbols made visible while the modules are linked */
		LLVMValueRef value;
		LLVMLinkage linkage;
	} * internals;
	int internal_count;
};

static void show(struct chosen *chosen, LLVMValueRef value)
{
	LLVMLinkage linkage = LLVMGetLinkage(value);
	if (linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage)
		return;
	chosen->internals = upc__grow(chosen->internals, chosen->internal_count, sizeof *chosen->internals);
	chosen->internals[chosen->internal_count++] = (struct internal){value, linkage};
	LLVMSetLinkage(value, LLVMExternalLinkage);
}

/* Chooses functions whose versions differ. Returns true if it chose any: their callers may now differ, too. */
static bool choose_more(struct lowering *lowering, struct chosen *chosen)
{
	int before = chosen->count;
	for (LLVMValueRef at = LLVMGetFirstFunction(lowering->module); at; at = LLVMGetNextFunction(at)) {
		if (upc__is_marked(lowering, at, MARK_CHOSEN) || !can_have_versions(at) || !differs(lowering, at))
			continue;
		upc__mark(lowering, at, MARK_CHOSEN);
		chosen->functions = upc__grow(chosen->functions, chosen->count, sizeof *chosen->functions);
		chosen->functions[chosen->count++] = at;
	}
	return chosen->count > before;
}

static void collect(struct lowering *lowering, struct chosen *chosen)
{
	while (choose_more(lowering, chosen))
		;
	for (LLVMValueRef at = LLVMGetFirstFunction(lowering->module); at; at = LLVMGetNextFunction(at))
		if (!LLVMIsDeclaration(at))
			show(chosen, at);
	for (LLVMValueRef at = LLVMGetFirstGlobal(lowering->module); at; at = LLVMGetNextGlobal(at))
		show(chosen, at);
}

/* Renames a static variable `direct` of main: clang names it main.direct, like a version of main. */
static void leave_to_functions(LLVMValueRef variable)
{
	static const char *const suffixes[] = {".direct", ".checked", ".entry"};
	char *name = strdup(name_of(variable)), *other = NULL;
	if (!name || asprintf(&other, "%s.0", name) < 0)
		exit(1);
	const char *last = strrchr(name, '.');
	for (size_t i = 0; last && i < sizeof suffixes / sizeof *suffixes; i++)
		if (strcmp(last, suffixes[i]) == 0)
			LLVMSetValueName2(variable, other, strlen(other));
	free(name);
	free(other);
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
		leave_to_functions(at);
	}
}

/* In the copy: renames FUNCTION. Calls in the copy go to it; its address becomes that of the version with the name. */
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

static bool is_chosen(const struct chosen *chosen, const char *name)
{
	for (int i = 0; i < chosen->count; i++)
		if (strcmp(name_of(chosen->functions[i]), name) == 0)
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

static void make_copy(const struct lowering *lowering, LLVMModuleRef copy, const struct chosen *chosen)
{
	declare_variables(copy);
	LLVMValueRef last = LLVMGetLastFunction(copy);
	for (LLVMValueRef at = LLVMGetFirstFunction(copy), next; at; at = next) {
		next = at == last ? NULL : LLVMGetNextFunction(at);
		if (LLVMIsDeclaration(at))
			continue;
		if (is_chosen(chosen, name_of(at)))
			make_other(lowering, copy, at);
		else
			only_declare(copy, at);
	}
}

/*
 * Without --inst, checked versions run only in programs on several machines, so they get a section of their own. They
 * are not marked as cold: the optimizer would then treat their callers as cold, too.
 */
static void keep_apart(LLVMValueRef function)
{
	char *section = NULL;
	if (LLVMGetSection(function) && *LLVMGetSection(function))
		return;
	if (asprintf(&section, ".text.unlikely.%s", name_of(function)) < 0)
		exit(1);
	LLVMSetSection(function, section);
	free(section);
}

/* Returns true if a call with the same arguments at a function's end can be a jump: none is copied to the stack. */
static bool can_jump(LLVMValueRef function)
{
	static const char *const kinds[] = {"byval", "sret"};
	for (unsigned i = 1; i <= LLVMCountParams(function); i++)
		for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
			if (LLVMGetEnumAttributeAtIndex(
				    function, i, LLVMGetEnumAttributeKindForName(kinds[k], strlen(kinds[k]))))
				return false;
	return true;
}

static void finish(struct lowering *lowering, const struct chosen *chosen)
{
	bool inst = lowering->options->inst;
	LLVMValueRef *others = calloc((size_t)chosen->count + 1, sizeof *others);
	if (!others)
		exit(1);
	for (int i = 0; i < chosen->internal_count; i++)
		LLVMSetLinkage(chosen->internals[i].value, chosen->internals[i].linkage);
	for (int i = 0; i < chosen->count; i++) {
		LLVMValueRef named = chosen->functions[i];
		char *name = NULL;
		if (asprintf(&name, "%s%s", name_of(named), suffix(lowering)) < 0)
			exit(1);
		LLVMValueRef other = LLVMGetNamedFunction(lowering->module, name);
		free(name);
		LLVMSetLinkage(other, LLVMInternalLinkage);
		upc__mark(lowering, inst ? other : named, MARK_DIRECT);
		if (inst)
			upc__mark(lowering, named, MARK_INSTRUMENTED);
		else
			keep_apart(other);
		others[i] = other;
	}
	for (int i = 0; i < chosen->count; i++)
		if (!inst && can_jump(chosen->functions[i]))
			upc__choose_in_entry(lowering, chosen->functions[i], others[i]);
		else
			upc__choose_at_entry(lowering, chosen->functions[i], others[i]);
	free(others);
}

bool upc__make_direct_versions(struct lowering *lowering, LLVMModuleRef copy)
{
	struct chosen chosen = {0};
	bool linked = true;
	name_all(lowering->module);
	name_all(copy);
	if (!LLVMGetFirstGlobalAlias(copy) && !LLVMGetFirstGlobalIFunc(copy))
		collect(lowering, &chosen);
	if (chosen.count > 0) {
		make_copy(lowering, copy, &chosen);
		if (!lowering->options->inst)
			upc__keep_lines(lowering, copy);
		linked = LLVMLinkModules2(lowering->module, copy) == 0;
	} else {
		LLVMDisposeModule(copy);
	}
	if (linked)
		finish(lowering, &chosen);
	free(chosen.functions);
	free(chosen.internals);
	return linked;
}
