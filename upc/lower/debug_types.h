/* SPDX-License-Identifier: BSD-3-Clause */
/* Types and variables as clang's debug information describes them; LLVM's own types do not show these facts. */
#ifndef UPC_LOWER_DEBUG_TYPES_H
#define UPC_LOWER_DEBUG_TYPES_H

#include "upc/lower/lowering.h"

/* The type that a variable, or a type such as a pointer or an array, refers to; NULL: none. */
LLVMMetadataRef upc__named_type(struct lowering *lowering, LLVMMetadataRef node);
/* A variable's name in the source, with its length in *LENGTH: it does not end with '\0'; NULL: none. */
const char *upc__debug_name(struct lowering *lowering, LLVMMetadataRef variable, unsigned *length);
bool upc__is_debug_array(struct lowering *lowering, LLVMMetadataRef type);
/* TYPE without typedefs, const and volatile. */
LLVMMetadataRef upc__strip_qualifiers(struct lowering *lowering, LLVMMetadataRef type);
/* The debug information of a global variable; NULL: it has none. */
LLVMMetadataRef upc__debug_variable(LLVMValueRef global);

#endif
