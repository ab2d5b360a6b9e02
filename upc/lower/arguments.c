/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Structures in shared memory that are passed by value. Those that are passed in memory, clang copies from the original
 * where it takes that for a private one: with `*p`, `p->member` and `a[i].member`, it does not see the address space.
 * The call then reads memory by itself. Those that are passed in registers are read in parts. Here, the original is
 * copied to private memory first: one access, like all others.
 *
 * Before anything else is lowered, and before functions get a second version.
 */
#include <llvm-c/DebugInfo.h>
#include <string.h>

#include "upc/lower/debug_types.h"
#include "upc/lower/lowering.h"
#include "upc/translate/tokens.h"

static bool same_place(LLVMValueRef a, LLVMValueRef b)
{
	LLVMMetadataRef at = LLVMInstructionGetDebugLoc(a), other = LLVMInstructionGetDebugLoc(b);
	if (!at || !other)
		return at == other;
	return LLVMDILocationGetLine(at) == LLVMDILocationGetLine(other) &&
	       LLVMDILocationGetColumn(at) == LLVMDILocationGetColumn(other);
}

LLVMAttributeRef upc__argument_attribute(LLVMValueRef call, unsigned argument, const char *kind)
{
	unsigned number = LLVMGetEnumAttributeKindForName(kind, strlen(kind));
	return LLVMGetCallSiteEnumAttribute(call, argument + 1, number);
}

/*
 * Whether an argument is the address of shared memory that clang made a private one. A cast of the program has a place
 * of its own, in the argument; clang's has that of the call.
 */
static bool is_shared_original(LLVMValueRef call, unsigned argument)
{
	LLVMValueRef cast = LLVMGetArgOperand(call, argument);
	return LLVMIsAAddrSpaceCastInst(cast) && upc__is_shared(LLVMTypeOf(LLVMGetOperand(cast, 0))) &&
	       upc__argument_attribute(call, argument, "byval") && same_place(call, cast);
}

/* Whether a word of the program, outside of system headers, makes a type strict. */
static bool names_strict(struct lowering *lowering)
{
	static const char *const words[] = {"strict", "volatile", "__volatile", "__volatile__", NULL};
	const struct tokens *tokens = lowering->options->translation->tokens;
	if (lowering->strict_named == 0) {
		lowering->strict_named = -1;
		for (int i = 0; i < tokens->count && lowering->strict_named < 0; i++)
			if (!tokens->list[i].system && upc__token_in(tokens, i, words))
				lowering->strict_named = 1;
	}
	return lowering->strict_named > 0;
}

enum strictness { RELAXED, STRICT, UNKNOWN };

/*
 * Whether the object at ORIGINAL is strict, or a part of one that is. clang has not said it at the call, and the
 * pointer's type does not tell; the declaration of the variable that the object is reached from does.
 */
static enum strictness strictness_of(struct lowering *lowering, LLVMValueRef call, LLVMValueRef original)
{
	if (!names_strict(lowering))
		return RELAXED;
	while (LLVMIsAGetElementPtrInst(original) || LLVMIsACastInst(original) || LLVMIsAConstantExpr(original))
		original = LLVMGetOperand(original, 0);
	bool loaded = LLVMIsALoadInst(original);
	LLVMValueRef variable = loaded ? LLVMGetOperand(original, 0) : original;
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
	LLVMMetadataRef type = upc__declared_type(lowering, function, variable);
	if (type && loaded)
		type = upc__named_type(lowering, upc__strip_qualifiers(lowering, type));
	if (!type)
		return UNKNOWN;
	return upc__is_debug_volatile(lowering, type) ? STRICT : RELAXED;
}

/*
 * Copies a shared object to new private memory, before BEFORE. If it is not known to be relaxed, the access is strict:
 * that orders more than the program may ask for.
 */
static LLVMValueRef copy_object(
	struct lowering *lowering, LLVMValueRef before, LLVMValueRef original, LLVMTypeRef type, unsigned alignment)
{
	LLVMBuilderRef builder = lowering->builder;
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(before));
	unsigned usual = LLVMABIAlignmentOfType(lowering->layout, type);
	upc__before(lowering, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
	LLVMValueRef copy = LLVMBuildAlloca(builder, type, "");
	LLVMSetAlignment(copy, alignment > usual ? alignment : usual);
	upc__before(lowering, before);
	LLVMValueRef made = LLVMBuildMemCpy(builder, copy, LLVMGetAlignment(copy), original,
		alignment < usual ? alignment : usual, upc__constant(lowering, (int64_t)upc__size(lowering, type)));
	if (strictness_of(lowering, before, original) != RELAXED)
		LLVMSetOperand(made, 3, LLVMConstInt(LLVMInt1TypeInContext(lowering->context), 1, false));
	return copy;
}

static void copy_argument(struct lowering *lowering, LLVMValueRef call, unsigned argument)
{
	LLVMValueRef cast = LLVMGetArgOperand(call, argument), original = LLVMGetOperand(cast, 0);
	LLVMAttributeRef align = upc__argument_attribute(call, argument, "align");
	LLVMTypeRef type = LLVMGetTypeAttributeValue(upc__argument_attribute(call, argument, "byval"));
	unsigned usual = LLVMABIAlignmentOfType(lowering->layout, type);
	unsigned wanted = align ? (unsigned)LLVMGetEnumAttributeValue(align) : 0;
	LLVMSetOperand(call, argument, copy_object(lowering, call, original, type, wanted > usual ? wanted : usual));
	if (!LLVMGetFirstUse(cast))
		upc__erase(lowering, cast);
}

/* ---- small structures, which are passed in registers ---- */

/* Whether an argument is a load of shared memory that the call makes, not an expression of the program. */
static bool is_loaded_part(LLVMValueRef call, unsigned argument)
{
	LLVMValueRef load = LLVMGetArgOperand(call, argument);
	return LLVMIsALoadInst(load) && upc__is_shared(LLVMTypeOf(LLVMGetOperand(load, 0))) && same_place(call, load);
}

/* A structure in two registers, which clang takes for a pair: a structure type without a name. */
struct pair {
	LLVMTypeRef type;
	LLVMValueRef pointer;
};

/* The pair whose member NUMBER an argument is; its pointer is NULL if it is none. */
static struct pair pair_of(LLVMValueRef call, unsigned argument, unsigned long long number)
{
	struct pair none = {NULL, NULL};
	LLVMValueRef member =
		is_loaded_part(call, argument) ? LLVMGetOperand(LLVMGetArgOperand(call, argument), 0) : NULL;
	bool constant = member && LLVMIsAConstantExpr(member) && LLVMGetConstOpcode(member) == LLVMGetElementPtr;
	if ((!constant && !(member && LLVMIsAGetElementPtrInst(member))) || LLVMGetNumOperands(member) != 3 ||
		LLVMConstIntGetZExtValue(LLVMGetOperand(member, 2)) != number)
		return none;
	LLVMTypeRef type = LLVMGetGEPSourceElementType(member);
	bool unnamed = LLVMGetTypeKind(type) == LLVMStructTypeKind && !LLVMGetStructName(type);
	return unnamed ? (struct pair){type, LLVMGetOperand(member, 0)} : none;
}

static void read_member(
	struct lowering *lowering, const struct pair *pair, LLVMValueRef copy, LLVMValueRef load, unsigned number)
{
	unsigned alignment = LLVMGetAlignment(load);
	upc__before(lowering, load);
	LLVMValueRef member = LLVMBuildStructGEP2(lowering->builder, pair->type, copy, number, "");
	LLVMValueRef made = LLVMBuildLoad2(lowering->builder, LLVMTypeOf(load), member, "");
	LLVMSetAlignment(made, alignment);
	upc__replace(lowering, load, made);
}

/*
 * A structure that is passed in two registers is read at once, as it is where it is assigned. Of a constant address,
 * the first member's is the same.
 */
static bool copy_pair(struct lowering *lowering, LLVMValueRef call, unsigned argument)
{
	if (argument + 1 >= LLVMGetNumArgOperands(call) || !is_loaded_part(call, argument))
		return false;
	struct pair pair = pair_of(call, argument + 1, 1), own = pair_of(call, argument, 0);
	LLVMValueRef first = LLVMGetArgOperand(call, argument), second = LLVMGetArgOperand(call, argument + 1);
	if (!pair.pointer || (LLVMGetOperand(first, 0) != pair.pointer && own.pointer != pair.pointer))
		return false;
	LLVMValueRef copy = copy_object(lowering, first, pair.pointer, pair.type, LLVMGetAlignment(first));
	read_member(lowering, &pair, copy, first, 0);
	read_member(lowering, &pair, copy, second, 1);
	return true;
}

/* One that fits into a register: clang has forgotten that the load is strict. */
static void order_part(struct lowering *lowering, LLVMValueRef call, unsigned argument)
{
	LLVMValueRef load = LLVMGetArgOperand(call, argument);
	if (strictness_of(lowering, call, LLVMGetOperand(load, 0)) != RELAXED)
		LLVMSetVolatile(load, true);
}

/* The same where it is copied first, because its size is not that of the registers. */
static void order_copy(struct lowering *lowering, LLVMValueRef call)
{
	if (strncmp(upc__called_name(call), "llvm.memcpy.", 12) == 0 &&
		upc__is_shared(LLVMTypeOf(LLVMGetArgOperand(call, 1))) &&
		strictness_of(lowering, call, LLVMGetArgOperand(call, 1)) == STRICT)
		LLVMSetOperand(call, 3, LLVMConstInt(LLVMInt1TypeInContext(lowering->context), 1, false));
}

void upc__copy_arguments(struct lowering *lowering, LLVMValueRef call)
{
	if (!LLVMIsACallInst(call) && !LLVMIsAInvokeInst(call))
		return;
	order_copy(lowering, call);
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		if (is_shared_original(call, i))
			copy_argument(lowering, call, i);
		else if (copy_pair(lowering, call, i))
			i++;
		else if (is_loaded_part(call, i))
			order_part(lowering, call, i);
	}
}
