/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Distinguishes the allocations on one source line, so that reports can name the variable that each is assigned to.
 * They are numbered by their columns. Macros and the translator change columns, but not their order.
 */
#include <stdlib.h>
#include <string.h>

#include "upc/lower/lowering.h"

/* A call in the source. It may occur in two versions of a function. */
struct source_call {
	const char *function;
	char *file;
	unsigned line, column;
};

/* The allocation function that CALL calls; NULL: CALL calls another function. */
static const char *allocation_of(LLVMValueRef call)
{
	static const char *const names[][2] = {{"upc_alloc", "upc_alloc"}, {"upc_local_alloc", "upc_alloc"},
		{"upc_global_alloc", "upc_global_alloc"}, {"upc_all_alloc", "upc_all_alloc"}};
	size_t length;
	LLVMValueRef function = LLVMIsACallInst(call) ? LLVMGetCalledValue(call) : NULL;
	while (function && LLVMIsAConstantExpr(function) && LLVMGetConstOpcode(function) == LLVMBitCast)
		function = LLVMGetOperand(function, 0);
	if (!function || !LLVMIsAFunction(function))
		return NULL;
	const char *name = LLVMGetValueName2(function, &length);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(name, names[i][0]) == 0)
			return names[i][1];
	return NULL;
}

/* Returns false if INSTRUCTION is not an allocation or its place is not known. The caller frees `file`. */
static bool find_call(LLVMValueRef instruction, struct source_call *call)
{
	unsigned length = 0;
	const char *function = allocation_of(instruction);
	const char *file = function ? LLVMGetDebugLocFilename(instruction, &length) : NULL;
	if (!file)
		return false;
	*call = (struct source_call){
		function, strndup(file, length), LLVMGetDebugLocLine(instruction), LLVMGetDebugLocColumn(instruction)};
	if (!call->file)
		exit(1);
	return true;
}

static bool is_on_line(const struct source_call *a, const struct source_call *b)
{
	return a->line == b->line && a->function == b->function && strcmp(a->file, b->file) == 0;
}

void upc__note_line_call(struct lowering *lowering, LLVMValueRef instruction)
{
	struct source_call call;
	bool noted = false;
	if (!find_call(instruction, &call))
		return;
	for (int i = 0; i < lowering->call_count && !noted; i++)
		noted = lowering->calls[i].column == call.column && is_on_line(&lowering->calls[i], &call);
	if (noted) {
		free(call.file);
		return;
	}
	lowering->calls = upc__grow(lowering->calls, lowering->call_count, sizeof *lowering->calls);
	lowering->calls[lowering->call_count++] = call;
}

unsigned upc__line_call(const struct lowering *lowering, LLVMValueRef instruction, unsigned *count)
{
	struct source_call call;
	unsigned number = 1;
	*count = 0;
	if (!find_call(instruction, &call))
		return 0;
	for (int i = 0; i < lowering->call_count; i++) {
		if (!is_on_line(&lowering->calls[i], &call))
			continue;
		++*count;
		number += lowering->calls[i].column < call.column;
	}
	free(call.file);
	return number;
}

void upc__free_line_calls(struct lowering *lowering)
{
	for (int i = 0; i < lowering->call_count; i++)
		free(lowering->calls[i].file);
	free(lowering->calls);
}
