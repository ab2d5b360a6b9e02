/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sizes that are derived from types: upc_blocksizeof, upc_elemsizeof and upc_localsizeof, and sizes that depend on
 * THREADS. For each of these operators, the translator writes a number of a fixed width and a pointer to the operand's
 * type: (NUMBER + TAG * sizeof((__typeof__(OPERAND) *)0)), with tags that are 0. Other types may depend on these
 * numbers, so the text is parsed again until none changes.
 */
#include <stdlib.h>
#include <string.h>

#include "upc/translate/tokens.h"
#include "upc/typing/pass.h"

/* A use of upc_blocksizeof or a similar operator. */
struct upc_size {
	const char *name;        /* blocksize, elemsize or localsize */
	struct upc_place number; /* the position of its value in the text */
	CXCursor null;           /* the null pointer to the operand's type */
	bool is_shared;          /* otherwise the following members are not set */
	CXType type;             /* of the operand */
	int block;               /* 0 for a part of an element */
	long long element;       /* in bytes; -1: incomplete type */
	bool is_open;            /* an array without a bound */
	long long count;         /* of elements, with the factor for THREADS; 0: not known, -1: not constant */
};

/* The tag that begins the product CURSOR; NULL: another product. */
static const char *tag_of(CXCursor cursor, const struct upc_operands *operands)
{
	static const char *const tags[] = {"__upc_blocksize", "__upc_elemsize", "__upc_localsize"};
	const char *found = NULL;
	if (cursor.kind != CXCursor_BinaryOperator || operands->count != 2)
		return NULL;
	CXCursor tag = upc__bare(operands->list[0]);
	if (tag.kind != CXCursor_DeclRefExpr)
		return NULL;
	CXString name = clang_getCursorSpelling(tag);
	for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
		if (strcmp(clang_getCString(name), tags[i]) == 0)
			found = tags[i] + strlen("__upc_");
	clang_disposeString(name);
	return found;
}

/* Returns true if CURSOR is a use of such an operator; sets SIZE. */
static bool read_size(const struct upc_tree *tree, CXCursor cursor, struct upc_size *size)
{
	struct upc_operands operands = upc__operands_of(cursor), operand;
	*size = (struct upc_size){.name = tag_of(cursor, &operands)};
	if (!size->name)
		return false;
	size->number = upc__start_of(tree, cursor);
	size->number.at -= UPC_NUMBER_LENGTH + strlen(" + ");
	size->number.column -= UPC_NUMBER_LENGTH + (int)strlen(" + ");
	operand = upc__operands_of(upc__bare(operands.list[1])); /* of sizeof */
	size->null = upc__bare(operand.list[0]);
	if (operand.count != 1 || size->null.kind != CXCursor_CStyleCastExpr ||
		!upc__points_to_shared(clang_getCursorType(size->null), &size->type))
		return true;
	size->is_shared = true;
	operand = upc__operands_of(size->null);
	bool is_expression =
		operand.count == 2 && clang_equalTypes(clang_getCanonicalType(size->type),
					      clang_getCanonicalType(clang_getCursorType(operand.list[0])));
	size->block = is_expression && upc__is_inner(tree, operand.list[0]) ? 0 : upc__block_of(size->type);
	size->element = upc__element_bytes(size->type);
	long long whole = clang_Type_getSizeOf(size->type);
	size->is_open = clang_getCanonicalType(size->type).kind == CXType_IncompleteArray;
	size->count = size->is_open || size->element <= 0 ? 0 : whole < 0 ? -1 : whole / size->element;
	return true;
}

/* Returns true if the operand's type is complete enough for the value. */
static bool is_complete(const struct upc_size *size)
{
	return *size->name == 'b' || (size->element >= 0 && !(size->is_open && *size->name == 'l'));
}

/* Returns true if the value is a constant; else it depends on the dynamic THREADS, or on the bounds of an array. */
static bool is_constant(const struct upc_size *size)
{
	return *size->name != 'l' ||
	       (size->count >= 0 && (size->block > 0 || size->count == 0 || size->count % UPC_THREADS_FACTOR != 0));
}

/*
 * The largest share of a thread, in whole blocks. With dynamic THREADS, an array without THREADS in its bounds may
 * belong to one thread: the result is an upper bound.
 */
static long long local_size(const struct upc_size *size, int static_threads)
{
	bool has_factor = static_threads == 0 && size->count % UPC_THREADS_FACTOR == 0;
	long long elements = has_factor ? size->count / UPC_THREADS_FACTOR : size->count;
	if (size->block == 0 || size->count == 1)
		return elements * size->element;
	long long blocks = (elements + size->block - 1) / size->block;
	if (static_threads > 0)
		blocks = (blocks + static_threads - 1) / static_threads;
	return blocks * size->block * size->element;
}

static long long value_of(const struct upc_size *size, int static_threads)
{
	if (!size->is_shared || !is_complete(size) || !is_constant(size))
		return 0;
	return *size->name == 'b' ? size->block : *size->name == 'e' ? size->element : local_size(size, static_threads);
}

struct resolver {
	const struct upc_tree *tree;
	struct upc_translation *translation;
	int static_threads;
	const char *spread; /* the last number of a `[*]`: that of the first declarator is for all */
	bool changed;
};

static void write_number(struct resolver *resolver, struct upc_place place, long long value)
{
	char *text = upc__format(UPC_NUMBER_FORMAT, (unsigned long long)value);
	if (place.at && strncmp(place.at, text, strlen(text)) != 0) {
		upc__overwrite(resolver->translation, place.row, place.column, text);
		resolver->changed = true;
	}
	free(text);
}

static void resolve_spread(struct resolver *resolver, CXCursor cursor)
{
	struct upc_place number;
	long long block;
	if (!upc__read_spread(resolver->tree, cursor, resolver->static_threads, &number, &block) ||
		number.at == resolver->spread)
		return;
	resolver->spread = number.at;
	write_number(resolver, number, block);
}

static enum CXChildVisitResult visit(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct resolver *resolver = data;
	struct upc_size size;
	(void)parent;
	if (cursor.kind == CXCursor_VarDecl || cursor.kind == CXCursor_TypedefDecl ||
		cursor.kind == CXCursor_CStyleCastExpr)
		resolve_spread(resolver, cursor);
	else if (read_size(resolver->tree, cursor, &size))
		write_number(resolver, size.number, value_of(&size, resolver->static_threads));
	return CXChildVisit_Recurse;
}

bool upc__resolve_constants(const struct upc_tree *tree, struct upc_translation *translation, int static_threads)
{
	struct resolver resolver = {.tree = tree, .translation = translation, .static_threads = static_threads};
	if (translation->has_constants)
		upc__walk(tree, visit, &resolver);
	return resolver.changed;
}

void upc__complete_upc_size(struct pass *pass, CXCursor cursor)
{
	struct upc_size size;
	if (!read_size(pass->tree, cursor, &size))
		return;
	if (clang_getCursorType(size.null).kind != CXType_Pointer)
		return; /* clang reports an error there */
	char *message = !size.is_shared ? upc__format("the operand of 'upc_%sof' must be shared", size.name)
			: !is_complete(&size)
				? upc__format("the operand of 'upc_%sof' has an incomplete type", size.name)
				: NULL;
	if (message) {
		upc__refuse_place(pass, size.number, message);
	} else if (!is_constant(&size)) {
		char *null = upc__text_of(pass->tree, size.null);
		bool varies = size.count < 0;
		char *whole = varies ? upc__format(", sizeof *(%s)", null) : upc__format("%s", "");
		upc__append(pass, cursor,
			upc__format(" + __upc_localsizeof(%s, %lldL, %lldL%s)", null, size.element,
				varies ? 1 : size.count, whole));
		free(whole);
		free(null);
	}
	free(message);
}

/* clang's tree does not show attributes, so their text is searched. */
void upc__refuse_unknown_sizes(struct pass *pass)
{
	static const char spread[] = " + __upc_spread";
	struct upc_place place = {0, 1, pass->tree->text};
	for (; *place.at != '\0'; place.at++) {
		if (strncmp(place.at, "0X", 2) == 0 &&
			strncmp(place.at + UPC_NUMBER_LENGTH, " + __upc_", strlen(" + __upc_")) == 0)
			upc__refuse_place(pass, place,
				strncmp(place.at + UPC_NUMBER_LENGTH, spread, strlen(spread)) == 0
					? "'[*]' needs a declared array"
					: "the operand's type is not known here");
		place.row += *place.at == '\n';
		place.column = *place.at == '\n' ? 1 : place.column + 1;
	}
}

bool upc__complete_size(struct pass *pass, CXCursor cursor)
{
	if (!pass->has_factor || strncmp(upc__start_of(pass->tree, cursor).at, "sizeof", strlen("sizeof")) != 0)
		return false;
	CXEvalResult result = clang_Cursor_Evaluate(cursor);
	bool known = result && clang_EvalResult_getKind(result) == CXEval_Int;
	unsigned long long size = known ? clang_EvalResult_getAsUnsigned(result) : 0;
	if (!known || (size != 0 && size % UPC_THREADS_FACTOR == 0))
		upc__wrap(pass, cursor, upc__format("__upc_size("), upc__format(")"));
	clang_EvalResult_dispose(result);
	return !known;
}
