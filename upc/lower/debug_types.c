/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads declared types and variables from clang's debug information. Changes nothing. */
#include "upc/lower/debug_types.h"

#include <llvm-c/DebugInfo.h>

LLVMValueRef upc__debug_operand(struct lowering *lowering, LLVMMetadataRef node, unsigned index)
{
	LLVMValueRef value = LLVMMetadataAsValue(lowering->context, node);
	LLVMValueRef operands[64] = {NULL};
	unsigned count = LLVMGetMDNodeNumOperands(value);
	if (count > 64 || index >= count)
		return NULL;
	LLVMGetMDNodeOperands(value, operands);
	return operands[index];
}

LLVMMetadataRef upc__debug_type(struct lowering *lowering, LLVMMetadataRef node, unsigned index)
{
	LLVMValueRef value = node ? upc__debug_operand(lowering, node, index) : NULL;
	return value ? LLVMValueAsMetadata(value) : NULL;
}

bool upc__is_debug_array(struct lowering *lowering, LLVMMetadataRef type)
{
	if (LLVMGetMetadataKind(type) != LLVMDICompositeTypeMetadataKind ||
		(LLVMDITypeGetFlags(type) & LLVMDIFlagVector) != 0)
		return false;
	LLVMMetadataRef elements = upc__debug_type(lowering, type, OPERAND_ELEMENTS);
	LLVMMetadataRef first = elements ? upc__debug_type(lowering, elements, 0) : NULL;
	return first && LLVMGetMetadataKind(first) == LLVMDISubrangeMetadataKind;
}

/* Typedefs, const and volatile are derived types without a size of their own. */
LLVMMetadataRef upc__strip_qualifiers(struct lowering *lowering, LLVMMetadataRef type)
{
	while (type && LLVMGetMetadataKind(type) == LLVMDIDerivedTypeMetadataKind && LLVMDITypeGetSizeInBits(type) == 0)
		type = upc__debug_type(lowering, type, OPERAND_BASE_TYPE);
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
