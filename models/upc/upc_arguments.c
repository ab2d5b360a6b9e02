/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the arguments of GASP events from a va_list. Must follow no pointer. */
#include "models/upc/upc_arguments.h"

/* A client may pass less than the tables say: what stands behind on the stack is read then. */
__attribute__((no_sanitize("address"))) static void decode(
	const char *letters, va_list *list, struct heddle_upc_arguments *to)
{
	for (; *letters; letters++) {
		switch (*letters) {
#define X(letter, type, field)                   \
	case letter:                             \
		to->field = va_arg(*list, type); \
		break;
			HEDDLE_UPC_LETTERS(X)
#undef X
		}
	}
}

void heddle__upc_decode_static(va_list *list, struct heddle_upc_arguments *to)
{
	decode("eFT", list, to);
}

/* The address of the symbol comes first. */
void heddle__upc_decode_static_of_berkeley(va_list *list, struct heddle_upc_arguments *to)
{
	decode("aeFT", list, to);
}

void heddle__upc_decode(const struct heddle_upc_kind *kind, bool whole, va_list *list, struct heddle_upc_arguments *to)
{
	decode(kind->arguments, list, to);
	if (whole)
		decode(kind->more, list, to);
}
