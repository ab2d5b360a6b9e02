/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of GASP events, decoded from the va_list by the tables of GASP 1.5, section 5.4. */
#ifndef HEDDLE_MODELS_UPC_ARGUMENTS_H
#define HEDDLE_MODELS_UPC_ARGUMENTS_H

#include <stdarg.h>
#include <stddef.h>

#include "models/upc/upc_names.h"

/*
 * Letter, type, field. Pointers to data, locks and functions are stored, never followed; shared ones are valid during
 * the event only.
 */
#define HEDDLE_UPC_LETTERS(X)                                                                   \
	X('F', const char *, function)    /* signature of a function; may be NULL */            \
	X('D', const void *, destination) /* shared; also the only pointer of alloc and free */ \
	X('S', const void *, source)      /* shared */                                          \
	X('p', const void *, permutation) /* shared */                                          \
	X('L', const void *, lock)                                                              \
	X('a', const void *, private_side)                                                      \
	X('h', const void *, handle)                                                            \
	X('n', size_t, size)                                                                    \
	X('b', size_t, blocks) /* number of blocks; a reduction's block size */                 \
	X('e', size_t, elements)                                                                \
	X('l', size_t, line_size)                                                               \
	X('x', int, status)                                                                     \
	X('N', int, named)                                                                      \
	X('E', int, expression)                                                                 \
	X('r', int, relaxed)                                                                    \
	X('R', int, result)                                                                     \
	X('c', int, fill)                                                                       \
	X('o', int, operation)                                                                  \
	X('f', int, flags)                                                                      \
	X('t', int, type)                                                                       \
	X('T', const char *, type_name) /* of an element, of a static variable */

struct heddle_upc_arguments {
#define X(letter, type_, field) type_ field;
	HEDDLE_UPC_LETTERS(X)
#undef X
};

/* Decodes the arguments of a Start event, and those of an End or Atomic event. */
struct heddle_upc_decoder {
	void (*start)(va_list *list, struct heddle_upc_arguments *to);
	void (*whole)(va_list *list, struct heddle_upc_arguments *to);
};

extern const struct heddle_upc_decoder heddle__upc_decoders[HEDDLE_UPC_KIND_COUNT]; /* by enum heddle_upc_key */

/*
 * Decodes the arguments of an End or Atomic event, or (`whole` false) of a Start event; other fields are unchanged.
 * The kind is one of heddle__upc_kinds: others have no arguments.
 */
static inline void heddle__upc_decode(
	const struct heddle_upc_kind *kind, bool whole, va_list *list, struct heddle_upc_arguments *to)
{
	const struct heddle_upc_decoder *decoder = &heddle__upc_decoders[kind - heddle__upc_kinds];
	(whole ? decoder->whole : decoder->start)(list, to);
}

/*
 * Decode what Berkeley UPC and the bundled compiler pass for a static variable after its other arguments: its element's
 * size (`elements`), its name (`function`) and its `type_name`.
 */
void heddle__upc_decode_static(va_list *list, struct heddle_upc_arguments *to);
void heddle__upc_decode_static_of_berkeley(va_list *list, struct heddle_upc_arguments *to);

#endif
