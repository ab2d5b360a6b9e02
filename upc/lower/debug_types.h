/* SPDX-License-Identifier: BSD-3-Clause */
/* What clang's debug information says of types and variables, which LLVM's own types do not show. */
#ifndef UPC_LOWER_DEBUG_TYPES_H
#define UPC_LOWER_DEBUG_TYPES_H

#include "upc/lower/lowering.h"

/* The type that a type, such as that of a pointer or an array, or a variable names; NULL: none. */
LLVMMetadataRef upc__named_type(struct lowering *lowering, LLVMMetadataRef node);
/* A variable's name in the source, which ends behind *LENGTH characters; NULL: none. */
const char *upc__debug_name(struct lowering *lowering, LLVMMetadataRef variable, unsigned *length);
bool upc__is_debug_array(struct lowering *lowering, LLVMMetadataRef type);
/* TYPE without typedefs, const and volatile. */
LLVMMetadataRef upc__strip_qualifiers(struct lowering *lowering, LLVMMetadataRef type);
/* The declaration of a global variable; NULL: it has none. */
LLVMMetadataRef upc__debug_variable(LLVMValueRef global);

#endif
