/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dynamic THREADS in the bounds of arrays. In the text it is replaced by a factor, by which clang's sizes can be
 * divided: no other bound of the array may vary, and only one may have the factor.
 */
#include <string.h>

#include "upc/translate/tokens.h"
#include "upc/typing/pass.h"

static bool is_array(CXType type)
{
	return clang_getArrayElementType(type).kind != CXType_Invalid;
}

bool upc__varies(CXType type)
{
	type = clang_getCanonicalType(type);
	while (type.kind == CXType_Pointer)
		type = clang_getCanonicalType(clang_getPointeeType(type));
	for (; is_array(type); type = clang_getArrayElementType(type))
		if (type.kind == CXType_VariableArray)
			return true;
	return false;
}

void upc__keep_threads(struct pass *pass, CXCursor literal)
{
	static const char factor[] = UPC_THREADS_TEXT;
	struct upc_place start = upc__start_of(pass->tree, literal);
	if (strncmp(start.at, factor, strlen(factor)) == 0)
		upc__overwrite_place(pass, start, "THREADS   ");
}

/* The number of factors for THREADS in the bounds of an array. */
static int count_factors(CXType array)
{
	int count = 0;
	for (; is_array(array); array = clang_getArrayElementType(array))
		for (long long bound = clang_getArraySize(array); bound > 0 && bound % UPC_THREADS_FACTOR == 0;
			bound /= UPC_THREADS_FACTOR)
			count++;
	return count;
}

void upc__check_bounds(struct pass *pass, CXCursor declaration)
{
	CXType array = clang_getCanonicalType(clang_getCursorType(declaration));
	if (pass->static_threads != 0 || !is_array(array) || !upc__is_shared_place(array) || upc__varies(array))
		return;
	int factors = count_factors(array);
	bool indefinite = upc__block_of(array) == 0, variable = declaration.kind == CXCursor_VarDecl;
	const char *problem = NULL;
	if (indefinite && factors > 0)
		problem = "with dynamic THREADS, the bounds of an indefinitely blocked array cannot contain THREADS";
	else if (factors > 1)
		problem = UPC_THREADS_ONCE;
	else if (variable && !indefinite && factors == 0 && clang_Type_getSizeOf(array) > 0)
		problem = "with dynamic THREADS, a shared array that isn't indefinitely blocked needs THREADS as a "
			  "factor of a bound";
	if (problem)
		upc__refuse_place(pass, upc__name_of(pass->tree, declaration), problem);
}
