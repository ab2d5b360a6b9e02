/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constants that contain addresses of shared variables. These addresses are known only at program start: code loads
 * them from slots; the unit's start function completes static initializers.
 */
#include <stdlib.h>

#include "upc/abi.h"
#include "upc/lower/lowering.h"

/* Returns true if a private address or an integer becomes a pointer-to-shared: materializing it reports the error. */
static bool mixes_private(LLVMValueRef constant)
{
	LLVMTypeRef to = LLVMTypeOf(constant);
	if (!LLVMIsAConstantExpr(constant) || (!upc__is_shared(to) && !upc__is_generic(to)))
		return false;
	LLVMOpcode opcode = LLVMGetConstOpcode(constant);
	LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(constant, 0));
	if (opcode == LLVMAddrSpaceCast)
		return !upc__is_shared(from) && !upc__is_generic(from);
	return opcode == LLVMIntToPtr && LLVMIsAConstantInt(LLVMGetOperand(constant, 0));
}

static bool is_integer(LLVMValueRef constant)
{
	return LLVMGetConstOpcode(constant) == LLVMIntToPtr;
}

bool upc__mentions_shared(LLVMValueRef constant)
{
	if (mixes_private(constant))
		return true;
	if (LLVMIsAGlobalVariable(constant))
		return upc__is_shared(LLVMTypeOf(constant));
	if (LLVMIsAGlobalValue(constant) || !LLVMIsAConstant(constant) || LLVMIsABlockAddress(constant))
		return false;
	int count = LLVMGetNumOperands(constant);
	for (int i = 0; i < count; i++)
		if (upc__mentions_shared(LLVMGetOperand(constant, (unsigned)i)))
			return true;
	return false;
}

/* The number of bytes that a constant chain of indices adds, as in private memory. */
static int64_t element_offset(struct lowering *lowering, LLVMValueRef chain)
{
	LLVMTypeRef at = LLVMGetGEPSourceElementType(chain);
	int64_t offset = 0;
	for (int i = 1; i < LLVMGetNumOperands(chain); i++) {
		LLVMValueRef index = LLVMGetOperand(chain, (unsigned)i);
		if (i > 1 && LLVMGetTypeKind(at) == LLVMStructTypeKind) {
			unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
			offset += (int64_t)LLVMOffsetOfElement(lowering->layout, at, member);
			at = LLVMStructGetTypeAtIndex(at, member);
			continue;
		}
		if (i > 1)
			at = LLVMGetElementType(at);
		offset += LLVMConstIntGetSExtValue(index) * (int64_t)upc__size(lowering, at);
	}
	return offset;
}

static bool has_constant_indices(LLVMValueRef chain)
{
	for (int i = 1; i < LLVMGetNumOperands(chain); i++)
		if (!LLVMIsAConstantInt(LLVMGetOperand(chain, (unsigned)i)))
			return false;
	return true;
}

/*
 * The shared variable that a static initializer points into, and the byte offset from its start; NULL: the initializer
 * does not have this simple form. The C compiler has folded all indices and casts.
 */
static LLVMValueRef base_of(struct lowering *lowering, LLVMValueRef constant, int64_t *offset)
{
	*offset = 0;
	while (LLVMIsAConstantExpr(constant) && upc__is_shared(LLVMTypeOf(constant))) {
		LLVMOpcode opcode = LLVMGetConstOpcode(constant);
		if (opcode == LLVMGetElementPtr && has_constant_indices(constant))
			*offset += element_offset(lowering, constant);
		else if (opcode != LLVMAddrSpaceCast)
			return NULL;
		constant = LLVMGetOperand(constant, 0);
	}
	return LLVMIsAGlobalVariable(constant) && upc__is_shared(LLVMTypeOf(constant)) ? constant : NULL;
}

/*
 * Loads a variable's pointer. Metadata informs the optimizer that variables start on thread 0 with phase 0, and are
 * never null.
 */
static LLVMValueRef load_slot(struct lowering *lowering, LLVMValueRef global)
{
	LLVMValueRef load = LLVMBuildLoad2(lowering->builder, lowering->i64, upc__slot(lowering, global), "");
	LLVMMetadataRef range[] = {LLVMValueAsMetadata(upc__constant(lowering, 1)),
		LLVMValueAsMetadata(upc__constant(lowering, INT64_C(1) << UPCRT_OFFSET_BITS))};
	upc__note(lowering, load, "invariant.load", NULL, 0);
	upc__note(lowering, load, "range", range, 2);
	upc__mark(lowering, load, MARK_BEGIN);
	return load;
}

/* The number of elements of a row, the smallest array with THREADS in its bounds. */
static int64_t row_of(struct lowering *lowering, LLVMTypeRef type)
{
	int64_t row = UPC_THREADS_FACTOR;
	for (; LLVMGetTypeKind(type) == LLVMArrayTypeKind; type = LLVMGetElementType(type))
		if (upc__has_threads(upc__elements(lowering, type)))
			row = (int64_t)upc__elements(lowering, type);
	return row;
}

/* Splits a number of elements to which the C compiler added whole rows of an array into rows and at most half a row. */
static LLVMValueRef unfold(struct lowering *lowering, LLVMValueRef global, int64_t elements)
{
	if (lowering->options->static_threads != 0)
		return upc__constant(lowering, elements);
	int64_t row = row_of(lowering, LLVMGlobalGetValueType(global));
	int64_t rows = (elements + (elements < 0 ? -row : row) / 2) / row;
	LLVMValueRef rest = upc__constant(lowering, elements - rows * row);
	if (rows == 0)
		return rest;
	return LLVMBuildAdd(lowering->builder, rest, upc__number(lowering, (uint64_t)(rows * row)), "");
}

/*
 * Computes the pointer of a static initializer. The C compiler has folded the indices to bytes, as if the variable were
 * private. They are recovered from the element size: whole elements follow the layout over the threads. The rest is
 * inside an element if that is a structure.
 */
static LLVMValueRef place(struct lowering *lowering, LLVMValueRef constant, LLVMValueRef global, int64_t offset)
{
	unsigned block = upc__block(LLVMTypeOf(global)), to_block = upc__block(LLVMTypeOf(constant));
	LLVMTypeRef declared;
	int64_t size = (int64_t)upc__element_size(lowering, global, &declared);
	LLVMValueRef pointer = load_slot(lowering, global);
	if (size <= 0)
		size = 1;
	int64_t inside = ((offset % size) + size) % size;
	int64_t elements = (offset - inside) / size;
	if (block == 0) {
		elements = 0;
		inside = offset;
	}
	if (elements != 0)
		pointer = upc__add(lowering, pointer, unfold(lowering, global, elements), (uint64_t)size, block);
	bool member = LLVMGetTypeKind(declared) == LLVMStructTypeKind && inside != 0;
	if (to_block != block && block > 1 && elements != 0)
		pointer = LLVMBuildAnd(lowering->builder, pointer, upc__constant(lowering, UPCRT_ADDRESS_MASK), "");
	if (inside != 0)
		pointer = LLVMBuildAdd(lowering->builder, pointer, upc__constant(lowering, inside), "");
	pointer = upc__as_pointer(lowering, pointer, LLVMTypeOf(constant));
	if (member)
		upc__mark(lowering, pointer, MARK_INSIDE);
	return pointer;
}

/* An instruction for a constant expression; LLVM-C has no function for this. */
static LLVMValueRef instruction_for(struct lowering *lowering, LLVMValueRef constant, LLVMValueRef *operands)
{
	LLVMBuilderRef builder = lowering->builder;
	LLVMTypeRef type = LLVMTypeOf(constant);
	LLVMOpcode opcode = LLVMGetConstOpcode(constant);
	switch (opcode) {
	case LLVMBitCast:
	case LLVMAddrSpaceCast:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMSIToFP:
	case LLVMUIToFP:
		return LLVMBuildCast(builder, opcode, operands[0], type, "");
	case LLVMICmp:
		return LLVMBuildICmp(builder, LLVMGetICmpPredicate(constant), operands[0], operands[1], "");
	case LLVMSelect:
		return LLVMBuildSelect(builder, operands[0], operands[1], operands[2], "");
	case LLVMSDiv:
		return LLVMBuildExactSDiv(builder, operands[0], operands[1], ""); /* of pointer differences only */
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMUDiv:
	case LLVMURem:
	case LLVMSRem:
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
		return LLVMBuildBinOp(builder, opcode, operands[0], operands[1], "");
	default:
		return NULL;
	}
}

LLVMValueRef upc__materialize(struct lowering *lowering, LLVMValueRef constant)
{
	if (!upc__mentions_shared(constant))
		return constant;
	if (mixes_private(constant)) {
		upc__refuse_at(lowering, lowering->at, "%s cannot be converted to a pointer-to-shared",
			is_integer(constant) ? "an integer" : "a private address");
		return LLVMConstNull(LLVMTypeOf(constant));
	}
	if (LLVMIsAGlobalVariable(constant))
		return upc__as_pointer(lowering, load_slot(lowering, constant), LLVMTypeOf(constant));
	int64_t offset;
	LLVMValueRef global = base_of(lowering, constant, &offset);
	if (global)
		return place(lowering, constant, global, offset);
	LLVMValueRef operands[16] = {NULL}, made = NULL;
	int count = LLVMGetNumOperands(constant);
	if (LLVMIsAConstantExpr(constant) && count <= 16) {
		for (int i = 0; i < count; i++)
			operands[i] = upc__materialize(lowering, LLVMGetOperand(constant, (unsigned)i));
		made = instruction_for(lowering, constant, operands);
	}
	if (!made) {
		upc__refuse_at(lowering, lowering->at,
			"this use of a shared variable's address in a constant isn't supported");
		return LLVMConstNull(LLVMTypeOf(constant));
	}
	return made;
}

/* The position of a part of an initializer. */
struct path {
	LLVMValueRef variable; /* of the source, for messages */
	LLVMValueRef global;
	LLVMValueRef indices[32];
	unsigned depth;
};

static LLVMValueRef without_shared(struct lowering *lowering, LLVMValueRef constant, struct path *path);

static LLVMValueRef aggregate(struct lowering *lowering, LLVMValueRef constant, struct path *path)
{
	LLVMTypeRef type = LLVMTypeOf(constant);
	unsigned count = (unsigned)LLVMGetNumOperands(constant);
	LLVMValueRef *parts = calloc(count, sizeof(LLVMValueRef));
	if (!parts)
		exit(1);
	for (unsigned i = 0; i < count; i++) {
		path->indices[path->depth++] = LLVMConstInt(lowering->i32, i, false);
		parts[i] = without_shared(lowering, LLVMGetOperand(constant, i), path);
		path->depth--;
	}
	LLVMValueRef made;
	if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
		made = LLVMConstArray(LLVMGetElementType(type), parts, count);
	else if (LLVMGetStructName(type))
		made = LLVMConstNamedStruct(type, parts, count);
	else
		made = LLVMConstStructInContext(lowering->context, parts, count, LLVMIsPackedStruct(type));
	free(parts);
	return made;
}

static LLVMValueRef without_shared(struct lowering *lowering, LLVMValueRef constant, struct path *path)
{
	if (!upc__mentions_shared(constant))
		return constant;
	LLVMTypeRef type = LLVMTypeOf(constant);
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	if ((kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind) && !LLVMIsAConstantExpr(constant) &&
		path->depth < 31)
		return aggregate(lowering, constant, path);
	lowering->at = path->variable;
	upc__at_start(lowering);
	LLVMValueRef value = upc__materialize(lowering, constant);
	LLVMValueRef to = path->global;
	if (path->depth > 1)
		to = LLVMBuildGEP2(lowering->builder, LLVMGlobalGetValueType(to), to, path->indices, path->depth, "");
	LLVMBuildStore(lowering->builder, value, to);
	return LLVMConstNull(type);
}

LLVMValueRef upc__initializer(
	struct lowering *lowering, LLVMValueRef variable, LLVMValueRef global, LLVMValueRef initializer)
{
	struct path path = {
		.variable = variable, .global = global, .indices = {LLVMConstInt(lowering->i32, 0, false)}, .depth = 1};
	return without_shared(lowering, initializer, &path);
}
