/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the arguments of GASP events from a va_list. The compiler makes one function for each kind from its letters,
 * since interpreting the letters at run time takes longer than the rest of an event. Must follow no pointer.
 */
#include "models/upc/upc_arguments.h"

/* A GASP client may pass fewer arguments than the tables say; then values beyond them are read from the stack. */
#define DECODER __attribute__((no_sanitize("address")))

DECODER __attribute__((always_inline)) static inline void decode_one(
	char letter, va_list *list, struct heddle_upc_arguments *to)
{
	switch (letter) {
#define X(letter, type, field)                   \
	case letter:                             \
		to->field = va_arg(*list, type); \
		break;
		HEDDLE_UPC_LETTERS(X)
#undef X
	}
}

/* `letters` is a literal, so only the reads remain after optimization. */
DECODER __attribute__((always_inline)) static inline void decode(
	const char *letters, size_t count, va_list *list, struct heddle_upc_arguments *to)
{
#define STEP(n)          \
	if (count > (n)) \
	decode_one(letters[n], list, to)
	STEP(0);
	STEP(1);
	STEP(2);
	STEP(3);
	STEP(4);
	STEP(5);
	STEP(6);
	STEP(7);
#undef STEP
}

#define DECODE(letters, list, to)                                                          \
	do {                                                                               \
		_Static_assert(sizeof(letters) <= 9, "decode has a step for each letter"); \
		decode(letters, sizeof(letters) - 1, list, to);                            \
	} while (0)

#define X(key, name, label, category, effect, arguments, more, gnu, berkeley)           \
	DECODER static void start_##key(va_list *list, struct heddle_upc_arguments *to) \
	{                                                                               \
		(void)list, (void)to;                                                   \
		DECODE(arguments, list, to);                                            \
	}                                                                               \
	DECODER static void whole_##key(va_list *list, struct heddle_upc_arguments *to) \
	{                                                                               \
		(void)list, (void)to;                                                   \
		DECODE(arguments more, list, to);                                       \
	}
HEDDLE_UPC_EVENTS(X)
#undef X

const struct heddle_upc_decoder heddle__upc_decoders[HEDDLE_UPC_KIND_COUNT] = {
#define X(key, name, label, category, effect, arguments, more, gnu, berkeley) \
	[HEDDLE_UPC_##key] = {start_##key, whole_##key},
	HEDDLE_UPC_EVENTS(X)
#undef X
};

DECODER void heddle__upc_decode_static(va_list *list, struct heddle_upc_arguments *to)
{
	DECODE("eFT", list, to);
}

/* Berkeley UPC passes the address of the symbol first. */
DECODER void heddle__upc_decode_static_of_berkeley(va_list *list, struct heddle_upc_arguments *to)
{
	DECODE("aeFT", list, to);
}
