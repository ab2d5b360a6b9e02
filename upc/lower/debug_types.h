/* SPDX-License-Identifier: BSD-3-Clause */
/* What clang's debug information says of types and variables, which LLVM's own types do not show. */
#ifndef UPC_LOWER_DEBUG_TYPES_H
#define UPC_LOWER_DEBUG_TYPES_H

#include "upc/lower/lowering.h"

/* Operand numbers of debug information nodes: LLVM-C has names for few of them. */
enum {
	OPERAND_VARIABLE_NAME = 1,
	OPERAND_VARIABLE_TYPE = 3,
	OPERAND_BASE_TYPE = 3,
	OPERAND_ELEMENTS = 4,
};

/* Operand INDEX of NODE; NULL: there is none. */
LLVMValueRef upc__debug_operand(struct lowering *lowering, LLVMMetadataRef node, unsigned index);
LLVMMetadataRef upc__debug_type(struct lowering *lowering, LLVMMetadataRef node, unsigned index);
bool upc__is_debug_array(struct lowering *lowering, LLVMMetadataRef type);
/* TYPE without typedefs, const and volatile. */
LLVMMetadataRef upc__strip_qualifiers(struct lowering *lowering, LLVMMetadataRef type);
/* The declaration of a global variable; NULL: it has none. */
LLVMMetadataRef upc__debug_variable(LLVMValueRef global);
/* The type that VARIABLE, a global one or one of FUNCTION with memory of its own, was declared with; NULL: unknown. */
LLVMMetadataRef upc__declared_type(struct lowering *lowering, LLVMValueRef function, LLVMValueRef variable);
/* Whether TYPE, or its elements' type, is volatile. */
bool upc__is_debug_volatile(struct lowering *lowering, LLVMMetadataRef type);

#endif
