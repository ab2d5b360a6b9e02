/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations: specifiers, declarators, members of structures, parameters. */
#include "cli/tune/syntax.h"

#include <string.h>

/* Types of standard headers. Others of headers are not known, and code that uses them may not be understood. */
static const char *const known_types[] = {"size_t", "ssize_t", "ptrdiff_t", "intptr_t", "uintptr_t", "int8_t",
	"int16_t", "int32_t", "int64_t", "uint8_t", "uint16_t", "uint32_t", "uint64_t", "intmax_t", "uintmax_t", "bool",
	"FILE", "time_t", "clock_t", "upc_lock_t", "upc_tick_t", "va_list", "off_t", "wchar_t", "uint_fast32_t",
	"uint_fast64_t", "int_fast32_t", "int_fast64_t", "upc_flag_t", "upc_op_t", "upc_type_t", "upc_handle_t", NULL};
static const char *const basic_types[] = {"void", "char", "short", "int", "long", "float", "double", "signed",
	"unsigned", "_Bool", "_Complex", "__int128", "__signed__", NULL};
static const char *const qualifiers[] = {"const", "volatile", "restrict", "__restrict", "__restrict__", "__const",
	"__volatile__", "strict", "relaxed", "shared", "register", "auto", "_Thread_local", "__thread", "inline",
	"__inline", "__inline__", "_Noreturn", "static", "extern", "typedef", "_Atomic", "__extension__", NULL};
static const char *const tagged[] = {"struct", "union", "enum", NULL};

static void skip_brackets(const struct tune_file *file, int *at)
{
	if (file->source.tokens[*at].partner < *at)
		heddle__tune_unparsable(file, *at);
	*at = file->source.tokens[*at].partner;
	heddle__tune_step(file, at);
}

static bool skip_attribute(const struct tune_file *file, int *at)
{
	static const char *const words[] = {"__attribute__", "__attribute", "_Alignas", "__declspec", NULL};
	if (!heddle__tune_at_any(file, *at, words))
		return false;
	heddle__tune_step(file, at);
	skip_brackets(file, at);
	return true;
}

bool heddle__tune_starts_type(const struct tune_file *file, int token)
{
	static const char *const others[] = {"typeof", "__typeof__", "__attribute__", "_Alignas", NULL};
	if (token >= file->source.count || file->source.tokens[token].kind != TUNE_WORD)
		return false;
	if (heddle__tune_at_any(file, token, basic_types) || heddle__tune_at_any(file, token, qualifiers) ||
		heddle__tune_at_any(file, token, tagged) || heddle__tune_at_any(file, token, others))
		return true;
	const struct tune_symbol *symbol = heddle__tune_find(file, file->scope, token);
	return symbol ? symbol->kind == TUNE_TYPEDEF : heddle__tune_at_any(file, token, known_types);
}

/* ---- structures and enumerations ---- */

static struct tune_symbol *find_tag(const struct tune_file *file, const char *name)
{
	for (const struct tune_scope *scope = file->scope; scope; scope = scope->outer)
		for (struct tune_symbol *symbol = scope->symbols; symbol; symbol = symbol->next)
			if (symbol->kind == TUNE_TAG && strcmp(symbol->name, name) == 0)
				return symbol;
	return NULL;
}

static void read_member(struct tune_file *file, struct tune_record *record, int *at)
{
	struct tune_specifiers specifiers = heddle__tune_specifiers(file, at);
	while (!heddle__tune_at(file, *at, ";")) {
		int name = -1;
		struct tune_type *type = specifiers.type;
		if (!heddle__tune_at(file, *at, ":"))
			type = heddle__tune_declarator(file, specifiers.type, at, &name);
		if (heddle__tune_at(file, *at, ":")) {
			heddle__tune_step(file, at);
			heddle__tune_assignment(file, at);
		}
		while (skip_attribute(file, at))
			;
		if (name >= 0) {
			struct tune_symbol *member = heddle__tune_take(file->work, sizeof(*member));
			*member = (struct tune_symbol){.kind = TUNE_VARIABLE,
				.name = heddle__tune_word(&file->source, name),
				.type = type,
				.token = name,
				.next = record->members};
			record->members = member;
		}
		if (!heddle__tune_at(file, *at, ","))
			break;
		heddle__tune_step(file, at);
	}
	heddle__tune_expect(file, at, ";");
}

static struct tune_record *read_members(struct tune_file *file, int *at)
{
	struct tune_record *record = heddle__tune_take(file->work, sizeof(*record));
	heddle__tune_step(file, at);
	while (!heddle__tune_at(file, *at, "}"))
		read_member(file, record, at);
	heddle__tune_step(file, at);
	return record;
}

static void read_enumerators(struct tune_file *file, int *at)
{
	struct tune_type *type = heddle__tune_take(file->work, sizeof(*type));
	type->name = "int";
	heddle__tune_step(file, at);
	while (!heddle__tune_at(file, *at, "}")) {
		if (file->source.tokens[*at].kind != TUNE_WORD)
			heddle__tune_unparsable(file, *at);
		heddle__tune_declare(file, TUNE_ENUMERATOR, *at, type);
		heddle__tune_step(file, at);
		if (heddle__tune_at(file, *at, "=")) {
			heddle__tune_step(file, at);
			heddle__tune_assignment(file, at);
		}
		if (!heddle__tune_at(file, *at, ","))
			break;
		heddle__tune_step(file, at);
	}
	heddle__tune_expect(file, at, "}");
}

static void read_tagged(struct tune_file *file, struct tune_type *type, int *at)
{
	bool enumeration = heddle__tune_at(file, *at, "enum");
	int keyword = *at, tag = -1;
	heddle__tune_step(file, at);
	while (skip_attribute(file, at))
		;
	if (file->source.tokens[*at].kind == TUNE_WORD) {
		tag = *at;
		heddle__tune_step(file, at);
	}
	const char *word = heddle__tune_word(&file->source, keyword);
	type->name = heddle__tune_format(
		file->work, "%s %s", word, tag >= 0 ? heddle__tune_word(&file->source, tag) : "{...}");
	struct tune_symbol *known = tag >= 0 ? find_tag(file, heddle__tune_word(&file->source, tag)) : NULL;
	type->record = known ? known->type->record : NULL;
	if (!heddle__tune_at(file, *at, "{"))
		return;
	if (enumeration) {
		read_enumerators(file, at);
		return;
	}
	heddle__tune_enter(file, *at);
	type->record = read_members(file, at);
	file->depth--;
	if (tag >= 0)
		heddle__tune_declare(file, TUNE_TAG, tag, type);
}

/* ---- specifiers ---- */

static void read_qualifier(struct tune_file *file, struct tune_type *type, int *at)
{
	bool shared = heddle__tune_at(file, *at, "shared");
	type->shared |= shared;
	type->strict |= heddle__tune_at(file, *at, "strict");
	type->is_const |= heddle__tune_at(file, *at, "const");
	type->is_volatile |= heddle__tune_at(file, *at, "volatile");
	heddle__tune_step(file, at);
	if (shared && heddle__tune_at(file, *at, "[")) {
		int end = file->source.tokens[*at].partner;
		type->layout = heddle__tune_line(&file->source, *at, end);
		*at = end;
		heddle__tune_step(file, at);
	}
}

static void append_word(struct tune_file *file, struct tune_type *type, int token)
{
	const char *word = heddle__tune_word(&file->source, token);
	type->name = type->name ? heddle__tune_format(file->work, "%s %s", type->name, word) : word;
}

/* A typedef's name: its type, with the qualifiers beside it. */
static void take_typedef(struct tune_file *file, struct tune_type *type, int at)
{
	const struct tune_symbol *symbol = heddle__tune_find(file, file->scope, at);
	struct tune_type beside = *type;
	append_word(file, type, at);
	if (!symbol)
		return;
	*type = *symbol->type;
	if (type->kind == TUNE_BASE)
		type->basic = type->basic ? type->basic : type->name;
	if (type->kind == TUNE_BASE && !type->shared)
		type->name = symbol->name;
	type->shared |= beside.shared;
	type->strict |= beside.strict;
	type->is_const |= beside.is_const;
	type->is_volatile |= beside.is_volatile;
	if (beside.layout)
		type->layout = beside.layout;
}

struct tune_specifiers heddle__tune_specifiers(struct tune_file *file, int *at)
{
	struct tune_specifiers result = {.type = heddle__tune_take(file->work, sizeof(*result.type))};
	struct tune_type *type = result.type;
	bool named = false;
	for (;;) {
		if (skip_attribute(file, at))
			continue;
		if (heddle__tune_at_any(file, *at, qualifiers)) {
			result.is_typedef |= heddle__tune_at(file, *at, "typedef");
			result.is_static |= heddle__tune_at(file, *at, "static");
			result.is_extern |= heddle__tune_at(file, *at, "extern");
			read_qualifier(file, type, at);
		} else if (heddle__tune_at_any(file, *at, basic_types)) {
			append_word(file, type, *at);
			named = true;
			heddle__tune_step(file, at);
		} else if (!named && heddle__tune_at_any(file, *at, tagged)) {
			read_tagged(file, type, at);
			named = true;
		} else if (!named &&
			   (heddle__tune_at(file, *at, "typeof") || heddle__tune_at(file, *at, "__typeof__"))) {
			type->kind = TUNE_UNKNOWN;
			named = true;
			heddle__tune_step(file, at);
			skip_brackets(file, at);
		} else if (!named && heddle__tune_starts_type(file, *at)) {
			take_typedef(file, type, *at);
			named = true;
			heddle__tune_step(file, at);
		} else {
			break;
		}
	}
	if (!named && !type->shared)
		heddle__tune_unparsable(file, *at);
	if (!type->name)
		type->name = "int";
	return result;
}

/* ---- declarators ---- */

static struct tune_type *derived(struct tune_file *file, enum tune_type_kind kind, struct tune_type *of)
{
	struct tune_type *type = heddle__tune_take(file->work, sizeof(*type));
	type->kind = kind;
	type->of = of;
	type->shared = kind == TUNE_ARRAY && of->shared;
	return type;
}

static struct tune_type *take_pointers(struct tune_file *file, struct tune_type *type, int *at)
{
	while (heddle__tune_at(file, *at, "*")) {
		type = derived(file, TUNE_POINTER, type);
		heddle__tune_step(file, at);
		while (heddle__tune_at_any(file, *at, qualifiers))
			read_qualifier(file, type, at);
		while (skip_attribute(file, at))
			;
	}
	return type;
}

/* [a][b] is an array of arrays: the last bound is the innermost. */
static struct tune_type *take_bounds(struct tune_file *file, struct tune_type *type, int *at)
{
	if (!heddle__tune_at(file, *at, "["))
		return type;
	int open = *at, close = file->source.tokens[open].partner;
	skip_brackets(file, at);
	struct tune_type *of = take_bounds(file, type, at), *array = derived(file, TUNE_ARRAY, of);
	array->bound = heddle__tune_line(&file->source, open + 1, close - 1);
	return array;
}

struct tune_type *heddle__tune_declarator(struct tune_file *file, struct tune_type *base, int *at, int *name)
{
	struct tune_type *type = take_pointers(file, base, at);
	int inner = -1;
	*name = -1;
	if (heddle__tune_at(file, *at, "(") && !heddle__tune_starts_type(file, heddle__tune_next(&file->source, *at)) &&
		!heddle__tune_at(file, heddle__tune_next(&file->source, *at), ")")) {
		inner = heddle__tune_next(&file->source, *at);
		skip_brackets(file, at);
	} else if (file->source.tokens[*at].kind == TUNE_WORD) {
		*name = *at;
		heddle__tune_step(file, at);
	}
	if (heddle__tune_at(file, *at, "(")) {
		type = derived(file, TUNE_FUNCTION, type);
		skip_brackets(file, at);
	} else {
		type = take_bounds(file, type, at);
	}
	while (skip_attribute(file, at))
		;
	heddle__tune_enter(file, *at);
	if (inner >= 0)
		type = heddle__tune_declarator(file, type, &inner, name);
	file->depth--;
	return type;
}

struct tune_type *heddle__tune_type_name(struct tune_file *file, int *at)
{
	struct tune_specifiers specifiers = heddle__tune_specifiers(file, at);
	int name = -1;
	struct tune_type *type = heddle__tune_declarator(file, specifiers.type, at, &name);
	if (name >= 0)
		heddle__tune_unparsable(file, name);
	return type;
}

void heddle__tune_parameters(struct tune_file *file, int open)
{
	int at = heddle__tune_next(&file->source, open), end = file->source.tokens[open].partner;
	for (int position = 0; at < end && !heddle__tune_at(file, at, "..."); position++) {
		struct tune_specifiers specifiers = heddle__tune_specifiers(file, &at);
		int name = -1;
		struct tune_type *type = heddle__tune_declarator(file, specifiers.type, &at, &name);
		if (type->kind == TUNE_ARRAY) {
			type = derived(file, TUNE_POINTER, type->of);
		}
		if (name >= 0) {
			struct tune_symbol *symbol = heddle__tune_declare(file, TUNE_VARIABLE, name, type);
			symbol->parameter = true;
			symbol->position = position;
		}
		if (at < end && !heddle__tune_at(file, at, ","))
			heddle__tune_unparsable(file, at);
		if (at < end)
			heddle__tune_step(file, &at);
	}
}

struct tune_symbol *heddle__tune_declared(struct tune_file *file, const struct tune_specifiers *specifiers, int *at)
{
	int name = -1;
	struct tune_type *type = heddle__tune_declarator(file, specifiers->type, at, &name);
	if (name < 0)
		heddle__tune_unparsable(file, *at);
	enum tune_symbol_kind kind = specifiers->is_typedef        ? TUNE_TYPEDEF
				     : type->kind == TUNE_FUNCTION ? TUNE_ROUTINE
								   : TUNE_VARIABLE;
	struct tune_symbol *symbol = heddle__tune_declare(file, kind, name, type);
	symbol->is_static = specifiers->is_static;
	symbol->is_extern = specifiers->is_extern;
	return symbol;
}

static void read_declarator(
	struct tune_file *file, const struct tune_specifiers *specifiers, struct tune_node *node, int *at)
{
	struct tune_node *declarator = heddle__tune_node(file, TUNE_DECLARATOR, *at);
	struct tune_symbol *symbol = heddle__tune_declared(file, specifiers, at);
	declarator->op = symbol->token;
	declarator->symbol = symbol;
	declarator->type = symbol->type;
	if (heddle__tune_at(file, *at, "=")) {
		heddle__tune_step(file, at);
		heddle__tune_adopt(declarator, heddle__tune_initializer(file, at));
	}
	declarator->last = heddle__tune_before(&file->source, *at);
	heddle__tune_adopt(node, declarator);
}

struct tune_node *heddle__tune_declaration(struct tune_file *file, int *at)
{
	struct tune_node *node = heddle__tune_node(file, TUNE_DECLARATION, *at);
	struct tune_specifiers specifiers = heddle__tune_specifiers(file, at);
	while (!heddle__tune_at(file, *at, ";")) {
		read_declarator(file, &specifiers, node, at);
		if (!heddle__tune_at(file, *at, ","))
			break;
		heddle__tune_step(file, at);
	}
	heddle__tune_expect(file, at, ";");
	node->last = heddle__tune_before(&file->source, *at);
	return node;
}
