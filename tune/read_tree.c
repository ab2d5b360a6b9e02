/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the compiler's output about a source (upc/source/README.md): its tokens, types, symbols, and the trees of its
 * functions. The compiler is Heddle's own: text of another form is refused, without further examination.
 */
#include "tune/compiler.h"
#include "tune/syntax.h"

#include "cli/base/exit_status.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NESTED 1000
/* The number that represents THREADS in the sizes of arrays, if it is not known when the program is compiled. */
#define THREADS_FACTOR 134217689L

struct reader {
	struct tune_file *file;
	const char *at;                /* in the compiler's output */
	const char *seen, *line_start; /* in the source, the place up to which lines were counted */
	int line;
	int room;               /* for tokens */
	int *tokens, positions; /* for each position, the token */
	struct tune_type **types;
	struct tune_symbol **symbols, *parameters;
	int type_count, symbol_count;
	struct tune_symbol *function; /* whose nodes follow; also a variable, with its initializer */
	struct tune_node *open[MOST_NESTED];
};

static _Noreturn void refuse_text(const struct reader *reader)
{
	heddle__tune_stop(reader->file->work, HEDDLE_EXIT_FAILED, reader->file->source.path, reader->line,
		"the UPC compiler's output cannot be parsed: its version may be another one");
}

static long number(struct reader *reader)
{
	char *end;
	long value = strtol(reader->at, &end, 10);
	if (end == reader->at)
		refuse_text(reader);
	reader->at = end;
	return value;
}

static int token_number(struct reader *reader)
{
	long position = number(reader);
	if (position >= reader->positions)
		refuse_text(reader);
	return position < 0 ? -1 : reader->tokens[position];
}

/* Returns a word or, if ENDS is a line end, the rest of the line. */
static char *text_until(struct reader *reader, const char *ends)
{
	while (*reader->at == ' ' || *reader->at == '\t')
		reader->at++;
	size_t length = strcspn(reader->at, ends);
	char *text = heddle__tune_copy(reader->file->work, reader->at, length);
	reader->at += length;
	return text;
}

/* Returns a larger copy of a list if its COUNT items fill it. */
static void *grown(struct reader *reader, void *list, int count, size_t size)
{
	if (count & (count - 1))
		return list;
	void *more = heddle__tune_take(reader->file->work, size * (size_t)(count ? 2 * count : 1));
	if (count)
		memcpy(more, list, size * (size_t)count);
	return more;
}

/* ---- tokens ---- */

static enum tune_token_kind kind_of(const char *text, int length)
{
	char last = text[length - 1];
	if (last == '"' || last == '\'')
		return TUNE_STRING;
	if (isdigit((unsigned char)*text) || (*text == '.' && length > 1 && isdigit((unsigned char)text[1])))
		return TUNE_NUMBER;
	bool word = isalpha((unsigned char)*text) || *text == '_' || *text == '$' || (unsigned char)*text >= 0x80;
	return word ? TUNE_WORD : TUNE_PUNCTUATION;
}

/* `at`: the place in the source of the token, or of the macro that it is from; not before that of the last token. */
static void add_token(struct reader *reader, struct tune_token token, const char *at)
{
	struct tune_source *source = &reader->file->source;
	for (; reader->seen < at; reader->seen++)
		if (*reader->seen == '\n') {
			reader->line++;
			reader->line_start = reader->seen + 1;
		}
	token.line = reader->line;
	token.column = (int)(at - reader->line_start) + 1;
	token.partner = -1;
	if (token.kind != TUNE_DIRECTIVE && token.kind != TUNE_END) {
		reader->tokens = grown(reader, reader->tokens, reader->positions, sizeof(*reader->tokens));
		reader->tokens[reader->positions++] = source->count;
	}
	source->tokens = grown(reader, source->tokens, source->count, sizeof(*source->tokens));
	source->tokens[source->count++] = token;
}

/* The part of the source that a line refers to. */
static const char *part_of_source(struct reader *reader, int *length)
{
	const struct tune_source *source = &reader->file->source;
	long offset = number(reader), bytes = number(reader);
	if (offset < 0 || bytes < 1 || (size_t)(offset + bytes) > source->length ||
		source->text + offset < reader->seen)
		refuse_text(reader);
	*length = (int)bytes;
	return source->text + offset;
}

static void read_token(struct reader *reader, bool directive)
{
	int length;
	const char *at = part_of_source(reader, &length);
	enum tune_token_kind kind = directive ? TUNE_DIRECTIVE : kind_of(at, length);
	add_token(reader, (struct tune_token){.kind = kind, .text = at, .length = length}, at);
}

static void end_line(struct reader *reader)
{
	reader->at += strcspn(reader->at, "\n");
	reader->at += *reader->at == '\n';
}

static void read_expansion(struct reader *reader)
{
	struct tune_source *source = &reader->file->source;
	struct tune_expansion *expansion = heddle__tune_take(source->work, sizeof(*expansion));
	expansion->at = part_of_source(reader, &expansion->length);
	expansion->first = source->count;
	source->expansions = grown(reader, source->expansions, source->expansion_count, sizeof(*source->expansions));
	source->expansions[source->expansion_count++] = expansion;
	end_line(reader);
	while (reader->at[0] == 'e' && reader->at[1] == ' ') {
		const char *text = reader->at + 2;
		int length = (int)strcspn(text, "\n");
		add_token(reader,
			(struct tune_token){
				.kind = kind_of(text, length), .text = text, .length = length, .expansion = expansion},
			expansion->at);
		end_line(reader);
	}
	expansion->last = source->count - 1;
}

static void pair_brackets(const struct reader *reader)
{
	struct tune_source *source = &reader->file->source;
	int *open = heddle__tune_take(source->work, sizeof(*open) * ((size_t)source->count + 1)), depth = 0;
	for (int i = 0; i < source->count; i++) {
		struct tune_token *token = &source->tokens[i];
		if (token->kind != TUNE_PUNCTUATION || token->length != 1)
			continue;
		if (strchr("([{", *token->text)) {
			open[depth++] = i;
		} else if (strchr(")]}", *token->text) && depth > 0) {
			token->partner = open[--depth];
			source->tokens[open[depth]].partner = i;
		}
	}
}

/* ---- types and symbols ---- */

static struct tune_type *type_at(struct reader *reader, long n)
{
	if (n < 0 || n > 1000000)
		refuse_text(reader);
	while (reader->type_count <= n) {
		reader->types = grown(reader, reader->types, reader->type_count, sizeof(struct tune_type *));
		reader->types[reader->type_count++] = heddle__tune_unknown_type(reader->file);
	}
	return reader->types[n];
}

static const char *bound_of(const struct reader *reader, long elements)
{
	struct tune_work *work = reader->file->work;
	if (elements == THREADS_FACTOR)
		return "THREADS";
	if (elements > 0 && elements % THREADS_FACTOR == 0)
		return heddle__tune_format(work, "%ld * THREADS", elements / THREADS_FACTOR);
	return elements < 0 ? "" : heddle__tune_format(work, "%ld", elements);
}

/* y NUMBER KIND QUALIFIERS BLOCK ELEMENTS OF, then, for KIND b, a NAME and a BASIC. */
static void read_type(struct reader *reader)
{
	struct tune_type *type = type_at(reader, number(reader));
	const char *kind = text_until(reader, " "), *qualifiers = text_until(reader, " ");
	long block = number(reader), elements = number(reader), of = number(reader);
	type->kind = *kind == 'p' ? TUNE_POINTER : *kind == 'a' ? TUNE_ARRAY : *kind == 'f' ? TUNE_FUNCTION : TUNE_BASE;
	type->shared = strchr(qualifiers, 's');
	type->is_volatile = strchr(qualifiers, 'v');
	type->is_union = strchr(qualifiers, 'u');
	type->is_own = strchr(qualifiers, 'o');
	type->strict = type->shared && type->is_volatile;
	type->block = (int)block;
	type->bound = bound_of(reader, elements);
	type->elements = elements % THREADS_FACTOR == 0 ? -1 : elements;
	type->of = type->kind == TUNE_BASE ? NULL : type_at(reader, of);
	if (type->kind == TUNE_BASE) {
		type->name = text_until(reader, "\t");
		type->basic = text_until(reader, "\n");
	}
}

/* r TYPE COUNT, and COUNT lines m TYPE NAME. */
static void read_record(struct reader *reader)
{
	struct tune_type *type = type_at(reader, number(reader));
	struct tune_symbol **end;
	long count = number(reader);
	type->record = heddle__tune_take(reader->file->work, sizeof(*type->record));
	end = &type->record->members;
	for (long i = 0; i < count; i++) {
		end_line(reader);
		if (*reader->at++ != 'm')
			refuse_text(reader);
		struct tune_symbol *member = heddle__tune_take(reader->file->work, sizeof(*member));
		member->type = type_at(reader, number(reader));
		member->name = text_until(reader, "\n");
		*end = member;
		end = &member->next;
	}
}

/* The type of a variable, with the bounds of an array as written after its name. */
static struct tune_type *declared_type(const struct reader *reader, struct tune_type *type, int name)
{
	const struct tune_source *source = &reader->file->source;
	struct tune_type *copy = type;
	int at = name < 0 ? source->count : heddle__tune_next(source, name);
	if (type->kind == TUNE_ARRAY) {
		copy = heddle__tune_take(reader->file->work, sizeof(*copy));
		*copy = *type;
		bool written = heddle__tune_is(source, at, "[") && source->tokens[at].partner > at + 1;
		if (written)
			copy->bound = heddle__tune_line(source, at + 1, source->tokens[at].partner - 1);
		copy->of = declared_type(reader, type->of, written ? source->tokens[at].partner : -1);
	}
	return copy;
}

static enum tune_symbol_kind symbol_kind(char letter)
{
	return letter == 'f'   ? TUNE_ROUTINE
	       : letter == 't' ? TUNE_TYPEDEF
	       : letter == 'e' ? TUNE_ENUMERATOR
			       : TUNE_VARIABLE;
}

/* s NUMBER KIND TOKEN TYPE FLAGS PARAMETER NAME */
static void read_symbol(struct reader *reader)
{
	struct tune_symbol *symbol = heddle__tune_take(reader->file->work, sizeof(*symbol));
	if (number(reader) != reader->symbol_count + 1)
		refuse_text(reader);
	symbol->kind = symbol_kind(*text_until(reader, " "));
	symbol->token = token_number(reader);
	struct tune_type *type = type_at(reader, number(reader));
	const char *flags = text_until(reader, " ");
	symbol->position = (int)number(reader);
	symbol->name = text_until(reader, "\n");
	symbol->type = symbol->kind == TUNE_VARIABLE ? declared_type(reader, type, symbol->token) : type;
	symbol->parameter = symbol->position >= 0;
	symbol->global = strchr(flags, 'g');
	symbol->is_static = strchr(flags, 's');
	symbol->is_extern = strchr(flags, 'x');
	struct tune_symbol **list = symbol->global ? &reader->file->globals : &reader->parameters;
	if (symbol->global || symbol->parameter) {
		symbol->next = *list;
		*list = symbol;
	}
	reader->symbols = grown(reader, reader->symbols, reader->symbol_count, sizeof(struct tune_symbol *));
	reader->symbols[reader->symbol_count++] = symbol;
}

static struct tune_symbol *symbol_at(struct reader *reader)
{
	long n = number(reader);
	if (n < 0 || n > reader->symbol_count)
		refuse_text(reader);
	return n ? reader->symbols[n - 1] : NULL;
}

/* ---- functions ---- */

/* f SYMBOL FIRST BODY, after its parameters */
static void read_function(struct reader *reader)
{
	const struct tune_source *source = &reader->file->source;
	struct tune_symbol *function = symbol_at(reader);
	if (!function)
		refuse_text(reader);
	function->first = token_number(reader);
	function->body = token_number(reader);
	function->parameters = heddle__tune_next(source, function->token);
	function->symbols = reader->parameters;
	reader->parameters = NULL;
	reader->function = function;
}

/* i SYMBOL, before the tree of its initializer */
static void read_initializer(struct reader *reader)
{
	reader->function = symbol_at(reader);
}

static const char *const kinds[] = {[TUNE_NAME] = "name",
	[TUNE_CONSTANT] = "constant",
	[TUNE_GROUP] = "group",
	[TUNE_INDEX] = "index",
	[TUNE_MEMBER] = "member",
	[TUNE_CALL] = "call",
	[TUNE_UNARY] = "unary",
	[TUNE_POSTFIX] = "postfix",
	[TUNE_BINARY] = "binary",
	[TUNE_ASSIGNMENT] = "assignment",
	[TUNE_CONDITIONAL] = "conditional",
	[TUNE_CAST] = "cast",
	[TUNE_SIZEOF] = "sizeof",
	[TUNE_LITERAL] = "literal",
	[TUNE_BRACES] = "braces",
	[TUNE_BLOCK] = "block",
	[TUNE_DECLARATION] = "declaration",
	[TUNE_DECLARATOR] = "declarator",
	[TUNE_EXPRESSION] = "expression",
	[TUNE_EMPTY] = "empty",
	[TUNE_IF] = "if",
	[TUNE_WHILE] = "while",
	[TUNE_DO] = "do",
	[TUNE_FOR] = "for",
	[TUNE_FORALL] = "forall",
	[TUNE_SWITCH] = "switch",
	[TUNE_CASE] = "case",
	[TUNE_LABEL] = "label",
	[TUNE_JUMP] = "jump",
	[TUNE_SYNCHRONIZE] = "synchronize",
	[TUNE_OTHER] = "other"};

static enum tune_node_kind node_kind(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(kinds[i], name) == 0)
			return (enum tune_node_kind)i;
	return TUNE_OTHER;
}

static void adopt(struct tune_node *parent, struct tune_node *child)
{
	struct tune_node **end = &parent->child;
	while (*end)
		end = &(*end)->next;
	*end = child;
	child->parent = parent;
}

/* n DEPTH KIND FIRST LAST OP SYMBOL TYPE */
static void read_node(struct reader *reader)
{
	long depth = number(reader);
	struct tune_node *node = heddle__tune_take(reader->file->work, sizeof(*node));
	node->kind = node_kind(text_until(reader, " "));
	node->first = token_number(reader);
	node->last = token_number(reader);
	node->op = token_number(reader);
	node->symbol = symbol_at(reader);
	long type = number(reader);
	node->type = type ? type_at(reader, type) : NULL;
	if (!reader->function || depth < 0 || !reader->function->tree != (depth == 0))
		refuse_text(reader);
	if (depth >= MOST_NESTED) {
		reader->open[MOST_NESTED - 1]->kind = TUNE_OTHER;
		return;
	}
	reader->open[depth] = node;
	if (depth == 0)
		reader->function->tree = node;
	else if (reader->open[depth - 1])
		adopt(reader->open[depth - 1], node);
	else
		refuse_text(reader);
}

/* q FIRST LAST: lines where accesses are strict by default. */
static void read_strict_lines(struct reader *reader)
{
	struct tune_lines *lines = heddle__tune_take(reader->file->work, sizeof(*lines));
	lines->first = (int)number(reader);
	lines->last = (int)number(reader);
	lines->next = reader->file->strict;
	reader->file->strict = lines;
}

/* p NAME CALLED... */
static void read_pure(struct reader *reader)
{
	struct tune_source *source = &reader->file->source;
	struct tune_pure *pure = heddle__tune_take(source->work, sizeof(*pure));
	*pure = (struct tune_pure){
		.next = source->pure, .names = heddle__tune_format(source->work, "%s ", text_until(reader, "\n"))};
	source->pure = pure;
}

/* Returns false at the end. */
static bool read_line(struct reader *reader)
{
	static const struct {
		char letter;
		void (*read)(struct reader *reader);
	} lines[] = {{'q', read_strict_lines}, {'y', read_type}, {'r', read_record}, {'s', read_symbol},
		{'f', read_function}, {'p', read_pure}, {'i', read_initializer}, {'n', read_node}};
	char letter = *reader->at;
	if (strcmp(reader->at, "end\n") == 0)
		return false;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		if (lines[i].letter == letter) {
			reader->at++;
			lines[i].read(reader);
			end_line(reader);
			return true;
		}
	refuse_text(reader);
}

static void read_tokens(struct reader *reader)
{
	struct tune_source *source = &reader->file->source;
	for (char letter; (letter = *reader->at) == 't' || letter == 'd' || letter == 'x';) {
		reader->at++;
		if (letter == 'x') {
			read_expansion(reader);
		} else {
			read_token(reader, letter == 'd');
			end_line(reader);
		}
	}
	const char *end = source->text + source->length;
	add_token(reader, (struct tune_token){.kind = TUNE_END, .text = end}, end);
	source->count--;
	pair_brackets(reader);
}

void heddle__tune_read_file(struct tune_file *file, const char *const *flags, bool quiet)
{
	static const char first[] = "heddle-source-tree 1\n";
	struct reader *reader = heddle__tune_take(file->work, sizeof(*reader));
	*reader = (struct reader){.file = file, .line = 1, .seen = file->source.text, .line_start = file->source.text};
	reader->at = heddle__tune_ask_compiler(file->work, file->source.path, flags, quiet);
	if (sscanf(reader->at, "unmatched %d", &reader->line) == 1)
		heddle__tune_stop(file->work, HEDDLE_EXIT_REFUSED, file->source.path, reader->line,
			"the preprocessor changes the text here in a way that is not supported: a digraph, #line, or a "
			"word or "
			"string over several lines");
	if (strncmp(reader->at, first, sizeof first - 1) != 0)
		refuse_text(reader);
	reader->at += sizeof first - 1;
	read_tokens(reader);
	while (read_line(reader))
		;
	heddle__tune_unify_elements(file);
	heddle__tune_name_members(file);
}
