/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Indices into cyclic arrays that reach the same thread in all iterations of a loop: they are congruent modulo THREADS.
 * Each term of a sum is a multiple of THREADS, or a variable that the loop changes only by multiples of THREADS, if at
 * all. Sums that wrap around are not congruent, so the language must exclude wrapping; in front of the loop, sums are
 * computed with more bits.
 */
#include <string.h>

#include "upc/lower/loop_tests.h"

#define MOST_DEPTH 8
/* The limit of 64-bit numbers that are read in front of the loop: sums of a few such numbers are exact. */
#define RANGE (INT64_C(1) << 35)

LLVMValueRef upc__read_from(LLVMValueRef value)
{
	bool private = LLVMIsALoadInst(value) && !LLVMGetVolatile(value) &&
		       LLVMGetOrdering(value) == LLVMAtomicOrderingNotAtomic &&
		       !upc__is_shared(LLVMTypeOf(LLVMGetOperand(value, 0)));
	return private ? LLVMGetOperand(value, 0) : NULL;
}

bool upc__understand_variable(const struct tested_loop *loop, LLVMValueRef variable, struct loop_variable *found)
{
	int all = 0;
	*found = (struct loop_variable){.count = 0};
	if (!LLVMIsAAllocaInst(variable))
		return false;
	for (LLVMUseRef use = LLVMGetFirstUse(variable); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		bool inside = upc__is_inside_loop(loop, user);
		bool lifetime = upc__is_call_of(user, "llvm.lifetime.");
		found->renewed = found->renewed || (lifetime && inside);
		if (upc__read_from(user) || lifetime)
			continue;
		if (!LLVMIsAStoreInst(user) || LLVMGetOperand(user, 1) != variable || LLVMGetVolatile(user))
			return false;
		found->only = all++ == 0 ? user : NULL;
		if (inside && found->count == MOST_STORES)
			return false;
		if (inside)
			found->stores[found->count++] = user;
	}
	return true;
}

bool upc__is_set_inside(const struct loop_variable *variable)
{
	return variable->renewed && variable->only && variable->count == 1;
}

static bool is_operation(LLVMValueRef value, LLVMOpcode opcode)
{
	return LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == opcode;
}

static bool is_sum(LLVMValueRef value)
{
	return is_operation(value, LLVMAdd) || is_operation(value, LLVMSub);
}

/*
 * Returns true if an operation must not overflow. LLVM 14's C interface reports this only as text. The text is made
 * from a copy that is in no function, which is faster.
 */
static bool is_exact(LLVMValueRef operation)
{
	LLVMBasicBlockRef here = LLVMGetInstructionParent(operation);
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(here)));
	LLVMBasicBlockRef block = LLVMCreateBasicBlockInContext(context, "");
	LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
	LLVMValueRef copy = LLVMInstructionClone(operation);
	LLVMPositionBuilderAtEnd(builder, block);
	LLVMInsertIntoBuilder(builder, copy);
	char *text = LLVMPrintValueToString(copy);
	bool exact = strstr(text, " nsw ");
	LLVMDisposeMessage(text);
	LLVMInstructionEraseFromParent(copy);
	LLVMDisposeBuilder(builder);
	LLVMAppendExistingBasicBlock(LLVMGetBasicBlockParent(here), block);
	LLVMDeleteBasicBlock(block);
	return exact;
}

static bool has_index_type(LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	return LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
	       (LLVMGetIntTypeWidth(type) == 32 || LLVMGetIntTypeWidth(type) == 64);
}

static bool is_constant_round(const struct lowering *lowering, LLVMValueRef constant)
{
	int threads = lowering->options->static_threads;
	int64_t value = LLVMConstIntGetSExtValue(constant);
	return threads > 0 ? value % threads == 0 : value == 0;
}

bool upc__is_round(const struct lowering *lowering, LLVMValueRef index, int depth)
{
	if (depth > MOST_DEPTH || !has_index_type(index))
		return false;
	if (LLVMIsAConstantInt(index))
		return is_constant_round(lowering, index);
	LLVMValueRef threads = LLVMGetNamedGlobal(lowering->module, "THREADS");
	if (threads && upc__read_from(index) == threads)
		return true;
	if (LLVMIsASExtInst(index))
		return upc__is_round(lowering, LLVMGetOperand(index, 0), depth + 1);
	if (!is_sum(index) && !is_operation(index, LLVMMul))
		return false;
	LLVMValueRef left = LLVMGetOperand(index, 0), right = LLVMGetOperand(index, 1);
	if (is_operation(index, LLVMSub) && LLVMIsAConstantInt(left) && LLVMIsNull(left) && LLVMIsASExtInst(right))
		return upc__is_round(lowering, right, depth + 1); /* clang's `pointer - index` */
	bool first = upc__is_round(lowering, left, depth + 1), second = upc__is_round(lowering, right, depth + 1);
	return (is_sum(index) ? first && second : first || second) && is_exact(index);
}

/* `variable += N * THREADS` and the like. */
static bool is_round_step(const struct lowering *lowering, LLVMValueRef store, LLVMValueRef variable)
{
	LLVMValueRef sum = LLVMGetOperand(store, 0);
	if (!is_sum(sum))
		return false;
	LLVMValueRef left = LLVMGetOperand(sum, 0), right = LLVMGetOperand(sum, 1);
	bool steps = upc__read_from(left) == variable && upc__is_round(lowering, right, 0);
	if (!steps && is_operation(sum, LLVMAdd))
		steps = upc__read_from(right) == variable && upc__is_round(lowering, left, 0);
	return steps && is_exact(sum);
}

/* Returns true if the loop changes a local variable by multiples of THREADS only. */
static bool steps_by_rounds(const struct lowering *lowering, const struct loop_variable *found, LLVMValueRef variable)
{
	for (int i = 0; i < found->count; i++)
		if (!is_round_step(lowering, found->stores[i], variable))
			return false;
	return true;
}

static bool is_global_constant(LLVMValueRef variable)
{
	return LLVMIsAGlobalVariable(variable) && LLVMIsGlobalConstant(variable) &&
	       LLVMGetLinkage(variable) != LLVMExternalWeakLinkage;
}

static bool is_dealt_variable(const struct tested_loop *loop, LLVMValueRef variable)
{
	return loop->dealt && loop->dealt->variable == variable;
}

/* VALUE was read from VARIABLE. */
static bool is_congruent_variable(
	const struct lowering *lowering, struct tested_loop *loop, LLVMValueRef value, LLVMValueRef variable, int depth)
{
	struct loop_variable found;
	if (is_dealt_variable(loop, variable)) {
		loop->as_dealt = true;
		return loop->dealt->is_signed || LLVMTypeOf(value) == lowering->i64;
	}
	if (is_global_constant(variable))
		return true;
	if (!upc__understand_variable(loop, variable, &found) || LLVMGetAllocatedType(variable) != LLVMTypeOf(value))
		return false;
	if (!found.renewed && steps_by_rounds(lowering, &found, variable))
		return true;
	return upc__is_set_inside(&found) &&
	       upc__is_congruent(lowering, loop, LLVMGetOperand(found.only, 0), depth + 1);
}

bool upc__is_congruent(const struct lowering *lowering, struct tested_loop *loop, LLVMValueRef index, int depth)
{
	if (depth > MOST_DEPTH || !has_index_type(index))
		return false;
	if (upc__is_round(lowering, index, 0))
		return true;
	if (LLVMIsAConstantInt(index)) {
		int64_t value = LLVMConstIntGetSExtValue(index);
		return value > -RANGE && value < RANGE;
	}
	LLVMValueRef variable = upc__read_from(index);
	if (variable)
		return is_congruent_variable(lowering, loop, index, variable, depth);
	if (LLVMIsASExtInst(index))
		return upc__is_congruent(lowering, loop, LLVMGetOperand(index, 0), depth + 1);
	if (LLVMIsAZExtInst(index)) {
		variable = upc__read_from(LLVMGetOperand(index, 0));
		loop->as_dealt = loop->as_dealt || (variable && is_dealt_variable(loop, variable));
		return variable && is_dealt_variable(loop, variable) && !loop->dealt->is_signed &&
		       has_index_type(LLVMGetOperand(index, 0));
	}
	return is_sum(index) && upc__is_congruent(lowering, loop, LLVMGetOperand(index, 0), depth + 1) &&
	       upc__is_congruent(lowering, loop, LLVMGetOperand(index, 1), depth + 1) && is_exact(index);
}

/* Reads an index and adds a test that it is not extreme. The variable may have no value yet: the result is frozen. */
static LLVMValueRef read_index(
	struct lowering *lowering, struct tested_loop *loop, LLVMValueRef variable, bool is_signed)
{
	LLVMBuilderRef builder = lowering->builder;
	LLVMTypeRef type =
		LLVMIsAAllocaInst(variable) ? LLVMGetAllocatedType(variable) : LLVMGlobalGetValueType(variable);
	LLVMValueRef value = LLVMBuildFreeze(builder, LLVMBuildLoad2(builder, type, variable, ""), "");
	if (type != lowering->i64)
		return is_signed ? LLVMBuildSExt(builder, value, lowering->i64, "")
				 : LLVMBuildZExt(builder, value, lowering->i64, "");
	LLVMValueRef above = LLVMBuildAdd(builder, value, upc__constant(lowering, RANGE), "");
	upc__add_loop_test(
		lowering, loop, LLVMBuildICmp(builder, LLVMIntULT, above, upc__constant(lowering, 2 * RANGE), ""));
	return value;
}

static LLVMValueRef congruent_to_variable(struct lowering *lowering, struct tested_loop *loop, LLVMValueRef variable)
{
	struct loop_variable found;
	if (is_dealt_variable(loop, variable))
		return read_index(lowering, loop, variable, loop->dealt->is_signed);
	if (upc__understand_variable(loop, variable, &found) && upc__is_set_inside(&found))
		return upc__congruent(lowering, loop, LLVMGetOperand(found.only, 0));
	return read_index(lowering, loop, variable, true);
}

LLVMValueRef upc__congruent(struct lowering *lowering, struct tested_loop *loop, LLVMValueRef index)
{
	if (upc__is_round(lowering, index, 0))
		return upc__constant(lowering, 0);
	if (LLVMIsAConstantInt(index))
		return upc__constant(lowering, LLVMConstIntGetSExtValue(index));
	LLVMValueRef variable = upc__read_from(index);
	if (variable)
		return congruent_to_variable(lowering, loop, variable);
	LLVMValueRef left = upc__congruent(lowering, loop, LLVMGetOperand(index, 0));
	if (!is_sum(index))
		return left;
	LLVMValueRef right = upc__congruent(lowering, loop, LLVMGetOperand(index, 1));
	return is_operation(index, LLVMAdd) ? LLVMBuildAdd(lowering->builder, left, right, "")
					    : LLVMBuildSub(lowering->builder, left, right, "");
}
