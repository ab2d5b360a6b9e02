/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads declared types and variables from clang's debug information. Changes nothing. */
#include "upc/lower/debug_types.h"

#include <llvm-c/DebugInfo.h>
#include <string.h>

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

/* The declaration of a local variable that has memory of its own; NULL: not found. */
static LLVMMetadataRef local_variable(LLVMValueRef function, LLVMValueRef memory)
{
	for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
		for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
			size_t length;
			LLVMValueRef called = LLVMIsACallInst(at) ? LLVMGetCalledValue(at) : NULL, described = NULL;
			if (!called || !LLVMIsAFunction(called) ||
				strcmp(LLVMGetValueName2(called, &length), "llvm.dbg.declare") != 0)
				continue;
			if (LLVMGetMDNodeNumOperands(LLVMGetArgOperand(at, 0)) == 1)
				LLVMGetMDNodeOperands(LLVMGetArgOperand(at, 0), &described);
			if (described == memory)
				return LLVMValueAsMetadata(LLVMGetArgOperand(at, 1));
		}
	return NULL;
}

LLVMMetadataRef upc__declared_type(struct lowering *lowering, LLVMValueRef function, LLVMValueRef variable)
{
	LLVMMetadataRef declaration = NULL;
	if (LLVMIsAAllocaInst(variable))
		declaration = local_variable(function, variable);
	else if (LLVMIsAGlobalVariable(variable))
		declaration = upc__debug_variable(variable);
	return declaration ? upc__debug_type(lowering, declaration, OPERAND_VARIABLE_TYPE) : NULL;
}

/* LLVM-C has no function for a node's tag. Printing takes time in proportion to the unit: typedefs are not asked. */
static bool is_qualifier(struct lowering *lowering, LLVMMetadataRef node, const char *tag)
{
	size_t length = 0;
	if (LLVMDITypeGetName(node, &length) && length > 0)
		return false;
	char *text = LLVMPrintValueToString(LLVMMetadataAsValue(lowering->context, node));
	bool has = strstr(text, tag);
	LLVMDisposeMessage(text);
	return has;
}

bool upc__is_debug_volatile(struct lowering *lowering, LLVMMetadataRef type)
{
	while (type) {
		bool derived = LLVMGetMetadataKind(type) == LLVMDIDerivedTypeMetadataKind &&
			       LLVMDITypeGetSizeInBits(type) == 0;
		if (derived && is_qualifier(lowering, type, "DW_TAG_volatile_type"))
			return true;
		if (!derived && !upc__is_debug_array(lowering, type))
			return false;
		type = upc__debug_type(lowering, type, OPERAND_BASE_TYPE);
	}
	return false;
}
