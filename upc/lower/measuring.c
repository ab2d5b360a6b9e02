/* SPDX-License-Identifier: BSD-3-Clause */
/* Instrumentation for --inst: which events are wanted where; source positions of library calls; user functions. */
#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <string.h>

#include "upc/lower/lowering.h"

/* Returns true if EVENT is a line of the list. */
static bool is_listed(const char *list, const char *event)
{
	size_t length = strlen(event);
	for (const char *at = list; (at = strstr(at, event)) != NULL; at += length) {
		bool begins = at == list || strchr(" \t\r\n", at[-1]);
		if (begins && (at[length] == '\0' || strchr(" \t\r\n", at[length])))
			return true;
	}
	return false;
}

static bool is_in_direct(const struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMBasicBlockRef block = LLVMIsAInstruction(instruction) ? LLVMGetInstructionParent(instruction) : NULL;
	return block && upc__is_marked(lowering, LLVMGetBasicBlockParent(block), MARK_DIRECT);
}

bool upc__wants_event(const struct lowering *lowering, LLVMValueRef instruction, const char *event)
{
	const struct upc_lower_options *options = lowering->options;
	return options->inst && !is_in_direct(lowering, instruction) &&
	       (!options->inst_only || is_listed(options->inst_only, event)) &&
	       !upc__within(instruction, &options->translation->pupc_off);
}

void upc__mark_site(struct lowering *lowering, LLVMValueRef call, const char *event)
{
	/* User events depend neither on the selection nor on pragmas. */
	bool user = strncmp(event, "GASP_PUPC_", 10) == 0;
	if (is_in_direct(lowering, call) || !(user ? lowering->options->inst : upc__wants_event(lowering, call, event)))
		return;
	unsigned count, number = upc__line_call(lowering, call, &count);
	LLVMValueRef arguments[4] = {
		NULL, NULL, LLVMConstInt(lowering->i32, number, false), LLVMConstInt(lowering->i32, count, false)};
	upc__position(lowering, call, &arguments[0], &arguments[1]);
	if (count > 1)
		upc__call(lowering, "__upci_site_of_call", arguments, 4);
	else
		upc__call(lowering, "__upci_site", arguments, 2);
}

static void report_access(
	struct lowering *lowering, LLVMValueRef before, LLVMValueRef name, const char *function, LLVMValueRef where)
{
	LLVMValueRef arguments[3] = {name};
	upc__position(lowering, where, &arguments[1], &arguments[2]);
	upc__before(lowering, before);
	upc__call(lowering, function, arguments, 3);
}

static void instrument(struct lowering *lowering, LLVMValueRef function)
{
	LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
	while (LLVMIsAAllocaInst(first))
		first = LLVMGetNextInstruction(first);
	size_t length;
	const char *symbol = LLVMGetValueName2(function, &length);
	LLVMValueRef name = upc__string(lowering, symbol);
	/* The position is that of the function's declaration. */
	if (!upc__wants_event(lowering, function, "GASP_C_FUNC"))
		return;
	report_access(lowering, first, name, "__upci_function_start", function);
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
		if (last && LLVMIsAReturnInst(last))
			report_access(lowering, last, name, "__upci_function_end", last);
	}
}

/* Returns true if a function is the user's: not outlined from OpenMP, not inlined from heddle.h or pupc.h. */
static bool is_users(LLVMValueRef function)
{
	size_t length;
	const char *name = LLVMGetValueName2(function, &length);
	bool local = LLVMGetLinkage(function) == LLVMInternalLinkage;
	return name[0] != '.' && !strstr(name, ".omp_") && !(local && strncmp(name, "heddle_", 7) == 0);
}

void upc__instrument_functions(struct lowering *lowering)
{
	for (LLVMValueRef function = LLVMGetFirstFunction(lowering->module); function;
		function = LLVMGetNextFunction(function))
		if (!LLVMIsDeclaration(function) && LLVMGetSubprogram(function) &&
			!upc__is_marked(lowering, function, MARK_DIRECT) && is_users(function))
			instrument(lowering, function);
}
