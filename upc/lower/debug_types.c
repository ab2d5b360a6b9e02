/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads declared types and variables from clang's debug information. Changes nothing. */
#include "upc/lower/debug_types.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

/*
 * The first operand of NODE that IS accepts; NULL: there is none. Operands are found by kind because their order
 * differs between versions of LLVM, and LLVM-C has functions for few of them.
 */
static LLVMValueRef find_operand(struct lowering *lowering, LLVMMetadataRef node, bool (*is)(LLVMValueRef))
{
	LLVMValueRef value = LLVMMetadataAsValue(lowering->context, node), operands[64] = {NULL};
	unsigned count = LLVMGetMDNodeNumOperands(value);
	if (count > 64)
		return NULL;
	LLVMGetMDNodeOperands(value, operands);
	for (unsigned i = 0; i < count; i++)
		if (operands[i] && is(operands[i]))
			return operands[i];
	return NULL;
}

static LLVMMetadataRef find_node(struct lowering *lowering, LLVMMetadataRef node, bool (*is)(LLVMValueRef))
{
	LLVMValueRef value = find_operand(lowering, node, is);
	return value ? LLVMValueAsMetadata(value) : NULL;
}

static LLVMMetadataKind kind_of(LLVMValueRef operand)
{
	return LLVMGetMetadataKind(LLVMValueAsMetadata(operand));
}

static bool is_type(LLVMValueRef operand)
{
	LLVMMetadataKind kind = kind_of(operand);
	return kind == LLVMDIBasicTypeMetadataKind || kind == LLVMDIDerivedTypeMetadataKind ||
	       kind == LLVMDICompositeTypeMetadataKind || kind == LLVMDISubroutineTypeMetadataKind;
}

static bool is_list(LLVMValueRef operand)
{
	return kind_of(operand) == LLVMMDTupleMetadataKind;
}

static bool is_subrange(LLVMValueRef operand)
{
	return kind_of(operand) == LLVMDISubrangeMetadataKind;
}

static bool is_string(LLVMValueRef operand)
{
	return kind_of(operand) == LLVMMDStringMetadataKind;
}

LLVMMetadataRef upc__named_type(struct lowering *lowering, LLVMMetadataRef node)
{
	return find_node(lowering, node, is_type);
}

const char *upc__debug_name(struct lowering *lowering, LLVMMetadataRef variable, unsigned *length)
{
	LLVMValueRef name = find_operand(lowering, variable, is_string);
	return name ? LLVMGetMDString(name, length) : NULL;
}

bool upc__is_debug_array(struct lowering *lowering, LLVMMetadataRef type)
{
	if (LLVMGetMetadataKind(type) != LLVMDICompositeTypeMetadataKind ||
		(LLVMDITypeGetFlags(type) & LLVMDIFlagVector) != 0)
		return false;
	LLVMMetadataRef elements = find_node(lowering, type, is_list);
	return elements && find_node(lowering, elements, is_subrange);
}

/* Typedefs, const and volatile are derived types without a size of their own. */
LLVMMetadataRef upc__strip_qualifiers(struct lowering *lowering, LLVMMetadataRef type)
{
	while (type && LLVMGetMetadataKind(type) == LLVMDIDerivedTypeMetadataKind && LLVMDITypeGetSizeInBits(type) == 0)
		type = upc__named_type(lowering, type);
	return type;
}

LLVMMetadataRef upc__debug_variable(LLVMValueRef global)
{
	size_t count = 0;
	LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
	LLVMMetadataRef found = NULL;
	for (unsigned i = 0; i < count && !found; i++) {
		LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(entries, i);
		if (LLVMGetMetadataKind(node) == LLVMDIGlobalVariableExpressionMetadataKind)
			found = LLVMDIGlobalVariableExpressionGetVariable(node);
	}
	LLVMDisposeValueMetadataEntries(entries);
	return found;
}
