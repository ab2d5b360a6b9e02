/* SPDX-License-Identifier: BSD-3-Clause */
/* Gives each type and symbol a number, and writes its line before the first line that refers to it. */
#include "upc/source/names.h"

#include <stdlib.h>
#include <string.h>

#include "upc/translate/tokens.h"
#include "upc/typing/tree.h"

/* ---- positions ---- */

static int position_at(const struct upc_names *names, int row, int column)
{
	int token = upc__token_at(names->translation, row, column);
	return token < 0 ? -1 : names->seen->positions[token];
}

int upc__first_position(const struct upc_names *names, CXCursor cursor)
{
	struct upc_place place = upc__start_of(names->tree, cursor);
	return position_at(names, place.row, place.column);
}

int upc__last_position(const struct upc_names *names, CXCursor cursor)
{
	struct upc_place place = upc__end_of(names->tree, cursor);
	return position_at(names, place.row, place.column > 1 ? place.column - 1 : 1);
}

static int name_position(const struct upc_names *names, CXCursor cursor)
{
	unsigned row = 0, column = 0;
	clang_getSpellingLocation(clang_getCursorLocation(cursor), NULL, &row, &column, NULL);
	return position_at(names, (int)row - 1, (int)column);
}

/* ---- types ---- */

/* The spelling of a type without qualifiers, as in the declaration of a private variable; the caller frees it. */
static char *bare_name(CXType type)
{
	static const char *const words[] = {"const ", "volatile ", "restrict ", "_Nonnull ", NULL};
	static const char attribute[] = "__attribute__((address_space(";
	CXString spelling = clang_getTypeSpelling(type);
	char *name = upc__format("%s", clang_getCString(spelling)), *found;
	clang_disposeString(spelling);
	while ((found = strstr(name, attribute)) != NULL) {
		const char *end = strstr(found, ")))");
		size_t length = end ? (size_t)(end - found) + 3 : strlen(found);
		length += found[length] == ' ';
		memmove(found, found + length, strlen(found + length) + 1);
	}
	for (const char *const *word = words; *word; word++)
		while (strncmp(name, *word, strlen(*word)) == 0)
			memmove(name, name + strlen(*word), strlen(name + strlen(*word)) + 1);
	if ((found = strchr(name, '(')) != NULL) { /* struct (unnamed at ...) */
		found[0] = '{';
		found[1] = '\0';
	}
	return name;
}

static int space_of(CXType type)
{
	type = clang_getCanonicalType(type);
	int space = (int)clang_getAddressSpace(type);
	return space >= UPC_SPACE ? space : (int)clang_getAddressSpace(upc__innermost(type));
}

/* The type behind typedefs of shared types: a private variable cannot have such a typedef as its type. */
static CXType named_type(CXType type)
{
	while (type.kind == CXType_Typedef || type.kind == CXType_Elaborated || type.kind == CXType_Attributed) {
		CXType inner = type.kind == CXType_Elaborated ? clang_Type_getNamedType(type)
			       : type.kind == CXType_Attributed
				       ? clang_Type_getModifiedType(type)
				       : clang_getTypedefDeclUnderlyingType(clang_getTypeDeclaration(type));
		if (type.kind == CXType_Typedef && space_of(inner) < UPC_SPACE)
			return type;
		if (type.kind == CXType_Elaborated && inner.kind != CXType_Typedef)
			return type;
		type = inner;
	}
	return type;
}

static int find_type(const struct upc_names *names, CXType type)
{
	for (int i = 0; i < names->type_count; i++)
		if (clang_equalTypes(names->types[i], type))
			return i + 1;
	return 0;
}

struct members {
	struct upc_names *names;
	FILE *out; /* lines of members, which follow those of their types */
	int count;
};

static enum CXVisitorResult take_member(CXCursor member, CXClientData data)
{
	struct members *members = data;
	CXString name = clang_getCursorSpelling(member);
	int type = upc__type_number(members->names, clang_getCursorType(member));
	/* Some versions of clang spell the type of an anonymous member as its name. */
	bool anonymous = clang_Cursor_isAnonymousRecordDecl(clang_getTypeDeclaration(clang_getCursorType(member)));
	fprintf(members->out, "m %d %s\n", type, anonymous ? "" : clang_getCString(name));
	clang_disposeString(name);
	members->count++;
	return CXVisit_Continue;
}

/* Writes a structure or union, and its members. */
static void write_members(struct upc_names *names, int number, CXType record)
{
	char *lines = NULL;
	size_t size;
	struct members members = {.names = names, .out = open_memstream(&lines, &size)};
	if (!members.out)
		exit(1);
	clang_Type_visitFields(record, take_member, &members);
	fclose(members.out);
	fprintf(names->out, "r %d %d\n%s", number, members.count, lines);
	free(lines);
}

static void write_type(struct upc_names *names, int number, CXType type)
{
	CXType canonical = clang_getCanonicalType(type), element = clang_getArrayElementType(canonical), pointee;
	int space = space_of(type), of = 0, block = space >= UPC_SPACE ? space - UPC_SPACE : -1;
	long long elements = -1;
	char kind = 'b';
	if (upc__is_generic_type(type)) {
		fprintf(names->out, "y %d p - -1 0 0\n", number); /* to void; its other facts are not needed */
		return;
	}
	if (canonical.kind == CXType_Pointer) {
		kind = 'p';
		pointee = clang_getPointeeType(type);
		of = upc__type_number(
			names, pointee.kind == CXType_Invalid ? clang_getPointeeType(canonical) : pointee);
	} else if (element.kind != CXType_Invalid) {
		kind = 'a';
		CXType own = clang_getArrayElementType(type);
		of = upc__type_number(names, own.kind == CXType_Invalid ? element : own);
		elements = clang_getArraySize(canonical);
	} else if (canonical.kind == CXType_FunctionProto || canonical.kind == CXType_FunctionNoProto) {
		kind = 'f';
		of = upc__type_number(names, clang_getResultType(canonical));
	}
	CXCursor declaration = clang_getTypeDeclaration(canonical);
	bool is_own = canonical.kind == CXType_Record && upc__first_position(names, declaration) >= 0;
	fprintf(names->out, "y %d %c %s%s%s%s%s %d %lld %d", number, kind, space >= UPC_SPACE ? "s" : "-",
		clang_isConstQualifiedType(canonical) ? "c" : "", clang_isVolatileQualifiedType(canonical) ? "v" : "",
		declaration.kind == CXCursor_UnionDecl ? "u" : "", is_own ? "o" : "", block, elements, of);
	if (kind == 'b') {
		char *name = bare_name(named_type(type)), *basic = bare_name(canonical);
		fprintf(names->out, "\t%s\t%s", name, basic);
		free(name);
		free(basic);
	}
	fputc('\n', names->out);
	if (canonical.kind == CXType_Record && clang_Type_getSizeOf(canonical) >= 0)
		write_members(names, number, canonical);
}

int upc__type_number(struct upc_names *names, CXType type)
{
	if (type.kind == CXType_Invalid)
		return 0;
	int number = find_type(names, type);
	if (number > 0)
		return number;
	names->types = upc__grow(names->types, names->type_count, sizeof *names->types);
	names->types[names->type_count++] = type;
	number = names->type_count;
	write_type(names, number, type);
	return number;
}

/* ---- symbols ---- */

static int find_symbol(const struct upc_names *names, CXCursor symbol)
{
	for (int i = 0; i < names->symbol_count; i++)
		if (clang_equalCursors(names->symbols[i], symbol))
			return i + 1;
	return 0;
}

static int parameter_place(CXCursor parameter)
{
	CXCursor function = clang_getCursorSemanticParent(parameter);
	for (int i = 0; i < clang_Cursor_getNumArguments(function); i++)
		if (clang_equalCursors(clang_Cursor_getArgument(function, (unsigned)i), parameter))
			return i;
	return -1;
}

static bool is_global(CXCursor symbol)
{
	enum CXCursorKind parent = clang_getCursorKind(clang_getCursorSemanticParent(symbol));
	return parent == CXCursor_TranslationUnit;
}

static void write_symbol(const struct upc_names *names, int number, CXCursor symbol, int type, int position)
{
	enum CXCursorKind kind = symbol.kind;
	enum CX_StorageClass storage = clang_Cursor_getStorageClass(symbol);
	CXString name = clang_getCursorSpelling(symbol);
	const char *letter = kind == CXCursor_FunctionDecl       ? "f"
			     : kind == CXCursor_TypedefDecl      ? "t"
			     : kind == CXCursor_EnumConstantDecl ? "e"
								 : "v";
	fprintf(names->out, "s %d %s %d %d %s%s%s %d %s\n", number, letter, position, type,
		is_global(symbol) ? "g" : "-", storage == CX_SC_Static ? "s" : "", storage == CX_SC_Extern ? "x" : "",
		kind == CXCursor_ParmDecl ? parameter_place(symbol) : -1, clang_getCString(name));
	clang_disposeString(name);
}

int upc__symbol_number(struct upc_names *names, CXCursor declaration)
{
	CXCursor definition = clang_getCursorDefinition(declaration);
	CXCursor symbol = clang_Cursor_isNull(definition) ? clang_getCanonicalCursor(declaration) : definition;
	int number = find_symbol(names, symbol), position = name_position(names, symbol);
	struct upc_place place = upc__start_of(names->tree, symbol);
	bool own = place.row >= names->translation->prelude_rows;
	if (!own || (symbol.kind == CXCursor_FunctionDecl && position < 0))
		return 0;
	if (number > 0)
		return number;
	int type = upc__type_number(names, clang_getCursorType(symbol));
	names->symbols = upc__grow(names->symbols, names->symbol_count, sizeof *names->symbols);
	names->symbols[names->symbol_count++] = symbol;
	write_symbol(names, names->symbol_count, symbol, type, position);
	return names->symbol_count;
}
