/* SPDX-License-Identifier: BSD-3-Clause */
/* Refuses what the C compiler accepts and UPC does not. Runs before anything is lowered; changes nothing. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "upc/abi.h"
#include "upc/lower/lowering.h"
#include "upc/translate/tokens.h"

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

/* An instruction or a constant expression of this kind. */
static bool is(LLVMValueRef value, LLVMOpcode opcode)
{
	if (LLVMIsAConstantExpr(value))
		return LLVMGetConstOpcode(value) == opcode;
	return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == opcode;
}

static bool steps_into_structure(LLVMValueRef chain)
{
	LLVMTypeRef at = LLVMGetElementType(LLVMTypeOf(LLVMGetOperand(chain, 0)));
	for (int i = 2; i < LLVMGetNumOperands(chain); i++) {
		if (LLVMGetTypeKind(at) == LLVMStructTypeKind)
			return true;
		at = LLVMGetElementType(at);
	}
	return false;
}

/* Whether a pointer is the address of a member, which has an indefinite block size. */
static bool is_member(LLVMValueRef pointer, int depth)
{
	if (depth > 16)
		return false;
	if (is(pointer, LLVMGetElementPtr) && steps_into_structure(pointer))
		return true;
	bool chosen = is(pointer, LLVMPHI) || is(pointer, LLVMSelect);
	int count = chosen ? LLVMGetNumOperands(pointer) : is(pointer, LLVMGetElementPtr) || is(pointer, LLVMBitCast);
	for (int i = 0; i < count; i++)
		if (is_member(LLVMGetOperand(pointer, (unsigned)i), depth + 1))
			return true;
	return false;
}

static unsigned effective_block(LLVMValueRef pointer)
{
	return is_member(pointer, 0) ? 0 : upc__block(LLVMTypeOf(pointer));
}

/* The token that an instruction was compiled from; -1: unknown. */
static int token_of(const struct lowering *lowering, LLVMValueRef instruction)
{
	struct upc_translation *translation = lowering->options->translation;
	unsigned length = 0;
	const char *name = LLVMGetDebugLocFilename(instruction, &length);
	if (!name || length == 0)
		return -1;
	char *file = strndup(name, length);
	int column = (int)LLVMGetDebugLocColumn(instruction);
	int row = file ? upc__row_of(translation, file, (int)LLVMGetDebugLocLine(instruction), column) : -1;
	free(file);
	return row < 0 ? -1 : upc__token_at(translation, row, column);
}

static const char *const comparisons[] = {"==", "!=", "<", ">", "<=", ">=", NULL};
static const char *const ends[] = {"&&", "||", "?", ":", ",", ";", "==", "!=", "=", "&", "|", "^", NULL};

/* Whether the parentheses from OPEN are a cast: a type before an operand. */
static bool is_cast(const struct tokens *tokens, int open)
{
	if (!upc__token_is(tokens, open, "(") || tokens->list[open].partner < 0)
		return false;
	int close = tokens->list[open].partner, next = upc__token_next(tokens, close);
	if (next >= tokens->count || tokens->list[upc__token_next(tokens, open)].kind != TOKEN_WORD)
		return false;
	return tokens->list[next].kind == TOKEN_WORD || tokens->list[next].kind == TOKEN_NUMBER ||
	       upc__token_is(tokens, next, "(") || upc__token_is(tokens, next, "&") || upc__token_is(tokens, next, "*");
}

/* Whether the right operand of a comparison contains a cast. */
static bool right_has_cast(const struct tokens *tokens, int operator)
{
	int limit = tokens->list[operator].outer >= 0 ? tokens->list[tokens->list[operator].outer].partner : tokens->count;
	for (int i = upc__token_next(tokens, operator); i < tokens->count && i != limit;
		i = upc__token_next(tokens, i)) {
		if (is_cast(tokens, i))
			return true;
		bool own = tokens->list[i].outer == tokens->list[operator].outer;
		bool unary = i == upc__token_next(tokens, operator);
		if (own && !unary && upc__token_in(tokens, i, ends))
			return false;
	}
	return false;
}

/* In a comparison, the C compiler converts the right pointer to the type of the left one; UPC does not. */
static void check_comparison(struct lowering *lowering, LLVMValueRef comparison)
{
	LLVMValueRef left = LLVMGetOperand(comparison, 0), right = LLVMGetOperand(comparison, 1);
	if (!is(right, LLVMAddrSpaceCast))
		return;
	LLVMValueRef from = LLVMGetOperand(right, 0);
	bool private = !upc__is_shared(LLVMTypeOf(left));
	if (!upc__is_shared(LLVMTypeOf(from)))
		return;
	if (!private && is(left, LLVMAddrSpaceCast) && is_member(LLVMGetOperand(left, 0), 0))
		return;
	if (!private && effective_block(left) == effective_block(from))
		return;
	const struct tokens *tokens = lowering->options->translation->tokens;
	int operator= token_of(lowering, comparison);
	if (upc__token_in(tokens, operator, comparisons) && !right_has_cast(tokens, operator))
		upc__refuse_at(lowering, comparison,
			private ? "comparison of a private pointer and a pointer-to-shared, without a cast"
				: "comparison of pointers-to-shared with different block sizes, without a cast");
}

static bool same_place(LLVMValueRef a, LLVMValueRef b)
{
	return LLVMGetDebugLocLine(a) == LLVMGetDebugLocLine(b) && LLVMGetDebugLocColumn(a) == LLVMGetDebugLocColumn(b);
}

/*
 * Whether USER uses CONVERTED, a widened shared void *, as a number. Uses as a pointer, or as an argument or result of
 * type shared void *, are no numbers: these are converted at the call or at the end of the function.
 */
static bool takes_number(LLVMValueRef converted, LLVMValueRef user)
{
	if (LLVMIsAIntToPtrInst(user) || LLVMIsAReturnInst(user))
		return false;
	return (!LLVMIsACallInst(user) && !LLVMIsAInvokeInst(user)) || !same_place(converted, user);
}

/* The C compiler sees shared void * as an integer and converts it to other integers silently. */
static void check_number(struct lowering *lowering, LLVMValueRef instruction)
{
	if (!upc__is_generic(LLVMTypeOf(LLVMGetOperand(instruction, 0))))
		return;
	LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
	bool number = opcode != LLVMZExt; /* results and arguments are only widened */
	for (LLVMUseRef use = LLVMGetFirstUse(instruction); use && !number; use = LLVMGetNextUse(use))
		number = takes_number(instruction, LLVMGetUser(use));
	int token = token_of(lowering, instruction);
	const struct tokens *tokens = lowering->options->translation->tokens;
	bool cast = upc__token_is(tokens, token, "(");
	if (number && (!cast || opcode == LLVMUIToFP) && token >= 0)
		upc__refuse_at(lowering, instruction, "a pointer-to-shared cannot be converted to %s",
			opcode == LLVMUIToFP || opcode == LLVMSwitch ? "a number" : "an integer without a cast");
}

static bool calls_atomic_library(LLVMValueRef user)
{
	return LLVMIsACallInst(user) && strncmp(upc__called_name(user), "__atomic_", 9) == 0;
}

/* Whether a private pointer was made of a pointer-to-shared by way of an integer. */
static bool is_renamed_shared(LLVMValueRef pointer)
{
	while (is(pointer, LLVMBitCast) || is(pointer, LLVMGetElementPtr))
		pointer = LLVMGetOperand(pointer, 0);
	LLVMValueRef integer = is(pointer, LLVMIntToPtr) ? LLVMGetOperand(pointer, 0) : NULL;
	return integer && is(integer, LLVMPtrToInt) && upc__is_shared(LLVMTypeOf(LLVMGetOperand(integer, 0)));
}

/* Larger atomic objects, which clang hands to a library, whose locks are those of one process. */
static void check_atomic_call(struct lowering *lowering, LLVMValueRef call)
{
	for (unsigned i = 0; calls_atomic_library(call) && i < LLVMGetNumArgOperands(call); i++)
		if (is_renamed_shared(LLVMGetArgOperand(call, i))) {
			upc__refuse_at(lowering, call, UPC_ATOMIC_SIZES);
			return;
		}
}

/*
 * Where clang forgets an address space, the bitcode reader puts two casts, the first without a position. Casts of the
 * program have one.
 */
static void check_renamed(struct lowering *lowering, LLVMValueRef cast)
{
	if (!is_renamed_shared(cast) || LLVMInstructionGetDebugLoc(LLVMGetOperand(cast, 0)))
		return;
	for (LLVMUseRef use = LLVMGetFirstUse(cast); use; use = LLVMGetNextUse(use))
		if (calls_atomic_library(LLVMGetUser(use)))
			return;
	upc__refuse_at(
		lowering, cast, "shared memory cannot be used like this; copy the object to a private variable first");
}

#define FORK_TASK 2 /* the argument of __kmpc_fork_call and the like that is the region's function; its own follow */
#define FORK_OWN 2  /* the first of that function's parameters that the caller passes */

/* OpenMP's copy of a shared variable is private, and the region's function is given its address as a private one. */
static void check_region(struct lowering *lowering, LLVMValueRef call)
{
	unsigned count = LLVMGetNumArgOperands(call);
	if (strncmp(upc__called_name(call), "__kmpc_fork_", 12) != 0 || count <= FORK_TASK)
		return;
	LLVMValueRef region = LLVMGetArgOperand(call, FORK_TASK);
	while (LLVMIsAConstantExpr(region))
		region = LLVMGetOperand(region, 0);
	for (unsigned i = FORK_TASK + 1; i < count && LLVMIsAFunction(region); i++) {
		unsigned parameter = i - FORK_TASK - 1 + FORK_OWN;
		if (parameter < LLVMCountParams(region) && upc__is_shared(LLVMTypeOf(LLVMGetArgOperand(call, i))) &&
			!upc__is_shared(LLVMTypeOf(LLVMGetParam(region, parameter)))) {
			upc__refuse_at(lowering, call,
				"a clause of OpenMP cannot make a copy of a shared variable; copy it to a private "
				"variable first");
			return;
		}
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
		check_atomic_call(lowering, instruction);
		check_region(lowering, instruction);
		break;
	case LLVMIntToPtr:
		check_renamed(lowering, instruction);
		break;
	case LLVMICmp:
		check_comparison(lowering, instruction);
		break;
	case LLVMZExt:
	case LLVMTrunc:
	case LLVMUIToFP:
	case LLVMSwitch:
		check_number(lowering, instruction);
		break;
	default:
		break;
	}
}
