/* SPDX-License-Identifier: BSD-3-Clause */
/* Refuses what the C compiler accepts and UPC does not. Runs before anything is lowered; changes nothing. */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "upc/abi.h"
#include "upc/lower/lowering.h"

static void check_block(struct lowering *lowering, LLVMValueRef instruction)
{
	LLVMTypeRef type = LLVMTypeOf(instruction);
	if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
		return;
	unsigned space = LLVMGetPointerAddressSpace(type);
	if (space > LAST_OTHER_SPACE && space < UPC_SPACE)
		upc__refuse_at(lowering, instruction, "block size is negative");
	else if (upc__is_shared(type) && upc__block(type) > UPCRT_MAX_BLOCK_SIZE)
		upc__refuse_at(lowering, instruction, "block size %u is more than UPC_MAX_BLOCK_SIZE (%d)",
			upc__block(type), UPCRT_MAX_BLOCK_SIZE);
}

/*
 * Where clang loses an address space, the bitcode reader inserts two casts, the first without a position. Casts of the
 * program have a position.
 */
static void check_renamed(struct lowering *lowering, LLVMValueRef cast)
{
	LLVMValueRef integer = LLVMGetOperand(cast, 0);
	if (!LLVMIsAPtrToIntInst(integer) || !upc__is_shared(LLVMTypeOf(LLVMGetOperand(integer, 0))) ||
		LLVMInstructionGetDebugLoc(integer))
		return;
	upc__refuse_at(lowering, cast,
		"this use of shared memory is not supported; copy the object to a private variable first");
}

#define FORK_TASK 2 /* the argument of __kmpc_fork_call etc. that is the region's function; its arguments follow */
#define FORK_OWN 2  /* the first of that function's parameters that the caller passes */

#define NO_COPY "a clause of OpenMP cannot make a copy of a shared variable; copy it to a private variable first"

/* OpenMP's copy of a shared variable is private, and clang passes its private address to the region's function. */
static void check_region(struct lowering *lowering, LLVMValueRef call)
{
	unsigned count = LLVMGetNumArgOperands(call);
	if (!upc__is_call_of(call, "__kmpc_fork_") || count <= FORK_TASK)
		return;
	LLVMValueRef region = LLVMGetArgOperand(call, FORK_TASK);
	while (LLVMIsAConstantExpr(region))
		region = LLVMGetOperand(region, 0);
	for (unsigned i = FORK_TASK + 1; i < count && LLVMIsAFunction(region); i++) {
		unsigned parameter = i - FORK_TASK - 1 + FORK_OWN;
		if (parameter < LLVMCountParams(region) && upc__is_shared(LLVMTypeOf(LLVMGetArgOperand(call, i))) &&
			!upc__is_shared(LLVMTypeOf(LLVMGetParam(region, parameter)))) {
			upc__refuse_at(lowering, call, NO_COPY);
			return;
		}
	}
}

/*
 * A task obtains the addresses of its copies from a function that is called by address. The copies are private, even
 * those of a shared variable.
 */
static void check_task(struct lowering *lowering, LLVMValueRef call)
{
	if (!LLVMIsALoadInst(LLVMGetCalledValue(call)))
		return;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMValueRef place = LLVMGetArgOperand(call, i);
		size_t length;
		LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
		if (LLVMIsAAllocaInst(place) && upc__is_shared(LLVMGetAllocatedType(place)) &&
			strstr(LLVMGetValueName2(function, &length), ".omp_"))
			upc__refuse_at(lowering, call, NO_COPY);
	}
}

void upc__check_aliases(struct lowering *lowering)
{
	for (LLVMValueRef alias = LLVMGetFirstGlobalAlias(lowering->module); alias;
		alias = LLVMGetNextGlobalAlias(alias)) {
		size_t length;
		LLVMValueRef object = LLVMAliasGetAliasee(alias);
		while (LLVMIsAConstantExpr(object))
			object = LLVMGetOperand(object, 0);
		if (upc__is_shared(LLVMTypeOf(object)))
			upc__refuse_at(lowering, object,
				"a shared variable cannot have an alias ('%s'); use a pointer to it",
				LLVMGetValueName2(alias, &length));
	}
}

void upc__check(struct lowering *lowering, LLVMValueRef instruction)
{
	check_block(lowering, instruction);
	switch (LLVMGetInstructionOpcode(instruction)) {
	case LLVMCall:
		check_region(lowering, instruction);
		check_task(lowering, instruction);
		break;
	case LLVMIntToPtr:
		check_renamed(lowering, instruction);
		break;
	default:
		break;
	}
}
