/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads specifiers and declarators only as far as needed: where the specifiers begin, the base type, and which names
 * become arrays with which bounds.
 */
#include "upc/translate/declarators.h"

#include <stdlib.h>

static const char *const qualifiers[] = {"const", "volatile", "restrict", "strict", "relaxed", "shared", "static",
	"extern", "register", "inline", "typedef", "__const", "__const__", "__volatile", "__volatile__", "__restrict",
	"__restrict__", "__inline", "__inline__", "__extension__", NULL};
static const char *const tags[] = {"struct", "union", "enum", NULL};
static const char *const builtin_types[] = {"char", "short", "int", "long", "float", "double", "signed", "unsigned",
	"_Bool", "_Complex", "void", "__int128", NULL};
/* Words whose parentheses are not part of a declarator. */
static const char *const extensions[] = {
	"__attribute__", "__attribute", "_Alignas", "__asm__", "__asm", "asm", "__declspec", NULL};
static const char *const not_functions[] = {"sizeof", "typeof", "__typeof__", "__typeof", "_Alignof", "__alignof__",
	"if", "while", "switch", "return", "for", "upc_forall", "upc_localsizeof", "upc_blocksizeof", "upc_elemsizeof",
	"case", "_Generic", NULL};

enum place upc__place_of(const struct tokens *tokens, int i)
{
	int outer = tokens->list[i].outer;
	if (tokens->list[i].old_style)
		return PLACE_PARAMETER;
	if (outer < 0 || upc__token_is(tokens, outer, "{"))
		return PLACE_DECLARATION;
	/* int (*shared f[3])(int): the parentheses are the declarator's. */
	if (upc__token_is(tokens, outer, "(") && upc__token_is(tokens, upc__token_next(tokens, outer), "*"))
		return upc__place_of(tokens, outer);
	int before = upc__token_previous(tokens, outer);
	if (upc__token_is(tokens, before, "for") || upc__token_is(tokens, before, "upc_forall"))
		return PLACE_DECLARATION;
	if (before < 0 || upc__token_in(tokens, before, not_functions))
		return PLACE_TYPE_NAME;
	if (tokens->list[before].kind == TOKEN_WORD || upc__token_is(tokens, before, ")"))
		return PLACE_PARAMETER;
	return PLACE_TYPE_NAME;
}

void upc__blank(struct tokens *tokens, int first, int last)
{
	for (int i = first; i <= last; i++) {
		if (tokens->list[i].kind == TOKEN_DIRECTIVE)
			continue;
		upc__token_replace(tokens, i, "");
		free(tokens->list[i].before);
		free(tokens->list[i].after);
		tokens->list[i].before = tokens->list[i].after = NULL;
	}
}

bool upc__is_qualifier(const struct tokens *tokens, int i)
{
	return upc__token_in(tokens, i, qualifiers);
}

int upc__skip_qualifiers(const struct tokens *tokens, int i)
{
	while (upc__token_in(tokens, i, qualifiers)) {
		bool shared = upc__token_is(tokens, i, "shared");
		i = upc__token_next(tokens, i);
		if (shared && upc__token_is(tokens, i, "[") && tokens->list[i].partner > 0)
			i = upc__token_next(tokens, tokens->list[i].partner);
	}
	return i;
}

int upc__specifiers_start(const struct tokens *tokens, int i)
{
	return tokens->list[i].first_word;
}

/* The token before the attributes in GNU C's notation that end at token I. */
static int before_attributes(const struct tokens *tokens, int i)
{
	static const char *const words[] = {"__attribute__", "__attribute", NULL};
	while (upc__token_is(tokens, i, ")") && tokens->list[i].partner > 0) {
		int word = upc__token_previous(tokens, tokens->list[i].partner);
		if (!upc__token_in(tokens, word, words))
			break;
		i = upc__token_previous(tokens, word);
	}
	return i;
}

bool upc__is_tag(const struct tokens *tokens, int i)
{
	return upc__token_in(tokens, before_attributes(tokens, upc__token_previous(tokens, i)), tags);
}

int upc__definition_before(const struct tokens *tokens, int i)
{
	int close = before_attributes(tokens, upc__token_previous(tokens, upc__specifiers_start(tokens, i)));
	if (!upc__token_is(tokens, close, "}") || tokens->list[close].partner < 0)
		return -1;
	int tag = before_attributes(tokens, upc__token_previous(tokens, tokens->list[close].partner));
	if (!upc__token_in(tokens, tag, tags))
		tag = before_attributes(tokens, upc__token_previous(tokens, tag));
	return upc__token_in(tokens, tag, tags) ? tag : -1;
}

int upc__declarator_end(const struct tokens *tokens, int i)
{
	bool value = false; /* in an initializer, which cannot contain a declarator */
	while (i < tokens->count && !upc__token_is(tokens, i, ",") && !upc__token_is(tokens, i, ";") &&
		!upc__token_is(tokens, i, "{") && !(value && upc__token_is(tokens, i, "shared"))) {
		value = value || upc__token_is(tokens, i, "=");
		int partner = tokens->list[i].partner;
		if (partner >= 0 && partner < i)
			return i;
		/* The braces of an initializer follow `=`. */
		if (upc__token_is(tokens, i, "=") && upc__token_is(tokens, upc__token_next(tokens, i), "{"))
			partner = tokens->list[upc__token_next(tokens, i)].partner;
		i = upc__token_next(tokens, partner > i ? partner : i);
	}
	return i;
}

static void take_bound(struct rewriter *rewriter, struct declarator *found, int open, bool is_shared)
{
	if (is_shared && rewriter->options->static_threads == 0)
		found->threads += upc__rewrite_bound(rewriter, open);
	if (found->dimensions++ == 0)
		found->first_bound = open;
}

/* int (a)[3]: the name between the parenthesis at I and its counterpart; -1: none. */
static int bracketed_name(const struct tokens *tokens, int i)
{
	int name = upc__token_next(tokens, i), close = tokens->list[i].partner;
	bool alone = close > i && upc__token_next(tokens, name) == close && tokens->list[name].kind == TOKEN_WORD;
	return alone && upc__token_is(tokens, upc__token_next(tokens, close), "[") ? name : -1;
}

int upc__read_declarator(struct rewriter *rewriter, int i, bool is_shared, struct declarator *found)
{
	struct tokens *tokens = rewriter->tokens;
	int first = i;
	*found = (struct declarator){.name = -1, .first_bound = -1};
	static const char *const ends[] = {",", ";", "=", "{", ":", ")", "]", "}", NULL};
	while (i < tokens->count && !upc__token_in(tokens, i, ends)) {
		const struct token *token = &tokens->list[i];
		if (upc__token_in(tokens, i, tags)) {
			i = upc__token_next(tokens, i);
			if (tokens->list[i].kind == TOKEN_WORD)
				i = upc__token_next(tokens, i);
			if (upc__token_is(tokens, i, "{"))
				i = upc__token_next(tokens, tokens->list[i].partner > 0 ? tokens->list[i].partner : i);
			continue;
		}
		bool layout = upc__token_is(tokens, i, "shared") &&
			      upc__token_is(tokens, upc__token_next(tokens, i), "["); /* a layout is not a bound */
		/* _Atomic int, _Atomic(int) */
		bool atomic = upc__token_is(tokens, i, "_Atomic");
		bool in_brackets = atomic && upc__token_is(tokens, upc__token_next(tokens, i), "(");
		if (layout || in_brackets || upc__token_in(tokens, i, extensions) ||
			upc__token_in(tokens, i, not_functions))
			i = upc__token_next(tokens, i);
		else if (token->kind == TOKEN_WORD && !atomic && !upc__token_in(tokens, i, qualifiers) &&
			 !upc__token_in(tokens, i, builtin_types))
			found->name = i;
		else if (upc__token_is(tokens, i, "*"))
			found->pointer = found->private = true;
		else if (upc__token_is(tokens, i, "(") && upc__token_is(tokens, upc__token_next(tokens, i), "*"))
			found->pointer = true;
		else if (upc__token_is(tokens, i, "(") && bracketed_name(tokens, i) >= 0)
			found->name = bracketed_name(tokens, i);
		else if (upc__token_is(tokens, i, "("))
			found->function = found->function || found->name >= 0;
		else if (upc__token_is(tokens, i, "[") && token->partner > 0)
			take_bound(rewriter, found, i, is_shared && !found->private);
		int partner = tokens->list[i].partner;
		i = upc__token_next(tokens, partner > i ? partner : i);
	}
	if (found->threads > 1 && first >= 0 && upc__place_of(tokens, first) != PLACE_PARAMETER)
		upc__refuse(rewriter, found->name < 0 || found->pointer ? found->first_bound : found->name, "%s",
			UPC_THREADS_ONCE);
	return i;
}

bool upc__is_in_block(const struct tokens *tokens, int i)
{
	while (i >= 0 && !upc__token_is(tokens, i, "{"))
		i = tokens->list[i].outer;
	return i >= 0;
}

bool upc__is_shared_list(const struct tokens *tokens, int first, int last)
{
	for (int i = first; i < last; i = upc__token_next(tokens, i))
		if (upc__token_is(tokens, i, "shared"))
			return true;
	return false;
}
