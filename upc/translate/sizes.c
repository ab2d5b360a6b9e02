/* SPDX-License-Identifier: BSD-3-Clause */
/* upc_blocksizeof, upc_elemsizeof, upc_localsizeof: constants where the tokens show the type, else calls. */
#include "upc/translate/declarators.h"

#include <stdlib.h>
#include <string.h>

#include "upc/translate/members.h"

/*
 * Whether the operand is a member, or an element of a member array: these have no block size. An array of pointers has
 * dimensions; further indices leave the structure.
 */
static bool is_member(const struct tokens *tokens, int first, int last)
{
	upc__strip_parentheses(tokens, &first, &last);
	int second = upc__token_next(tokens, first);
	bool index = upc__token_is(tokens, last, "]") && tokens->list[last].partner > first;
	if (index && upc__is_inner_address(tokens, first, upc__token_previous(tokens, tokens->list[last].partner)))
		return true;
	if (upc__token_is(tokens, first, "*") && upc__is_inner_address(tokens, second, last))
		return true;
	int indices = upc__token_is(tokens, first, "*");
	if (indices > 0) {
		first = second;
		if (upc__token_is(tokens, first, "(") && tokens->list[first].partner != last)
			return false; /* a cast */
		while (upc__token_is(tokens, first, "(") && tokens->list[first].partner == last) {
			first = upc__token_next(tokens, first);
			last = upc__token_previous(tokens, last);
		}
	}
	int member = upc__last_member(tokens, first, last);
	if (member < 0)
		return false;
	return indices + upc__indices_after(tokens, member) <= upc__member_dimensions(tokens, member);
}

static void append(char **text, const char *separator, const char *more)
{
	char *made = *text ? upc__format("%s%s%s", *text, separator, more) : upc__format("%s", more);
	free(*text);
	*text = made;
}

#define MOST_INDICES 16

/* P.m[2], *P.m, (*(P.m[3])): a member of a postfix expression, and the elements that its indices choose. */
struct element {
	int first, member; /* tokens: P.m */
	int indices;       /* 0: not of this form */
};

/* The member that the postfix expression from FIRST to LAST ends with, except for INDICES; -1: none. */
static int postfix_member(const struct tokens *tokens, int first, int last, int *indices)
{
	int member = -1;
	if (tokens->list[first].kind != TOKEN_WORD && !upc__token_is(tokens, first, "("))
		return -1;
	for (int i = first; i <= last; i = upc__token_next(tokens, i)) {
		bool index = upc__token_is(tokens, i, "["), bracket = index || upc__token_is(tokens, i, "(");
		if (upc__token_is(tokens, i, ".") || upc__token_is(tokens, i, "->")) {
			i = member = upc__token_next(tokens, i);
			*indices = 0;
		} else if (i != first && !bracket) {
			return -1;
		} else if (!index && bracket && i != first) {
			member = -1; /* a call */
		}
		*indices += index;
		if (bracket && tokens->list[i].partner > i)
			i = tokens->list[i].partner;
	}
	return member;
}

static struct element find_element(const struct tokens *tokens, int first, int last)
{
	int stars = 0, indices = 0;
	for (;;) {
		int second = upc__token_next(tokens, first);
		bool star = upc__token_is(tokens, first, "*"), nothing = star && upc__token_is(tokens, second, "&");
		if (upc__token_is(tokens, first, "(") && tokens->list[first].partner == last)
			last = upc__token_previous(tokens, last);
		else if (!star)
			break;
		stars += star && !nothing;
		first = nothing ? upc__token_next(tokens, second) : second;
	}
	int member = first <= last ? postfix_member(tokens, first, last, &indices) : -1;
	indices += stars;
	return (struct element){first, member, member < 0 || indices > MOST_INDICES ? 0 : indices};
}

/*
 * Names don't tell whether t.m[0] is in the structure or where a pointer in it points: the C compiler chooses by the
 * member's type. It differs from the type of the address of an element only if it is an array.
 */
static void choose_by_type(struct rewriter *rewriter, int i, int last, const struct element *element)
{
	struct tokens *tokens = rewriter->tokens;
	const struct token *token = &tokens->list[i];
	char *at = upc__format("(*(__upc_member *)0)"), *pointer = upc__format("0");
	for (int k = 0; k < element->indices; k++) {
		char *more = upc__format(
			"%s || __builtin_types_compatible_p(__typeof__(%s), __typeof__(&%s[0]))", pointer, at, at);
		free(pointer);
		pointer = more;
		append(&at, "", "[0]");
	}
	char *end = upc__format(
		") __upc_member; __builtin_choose_expr(%s, __%.*s, __%.*s_member)(((__typeof__(%s) *)0)); })", pointer,
		token->length, token->text, token->length, token->text, at);
	for (int k = i; k <= last; k++)
		if ((k < element->first || k > element->member) && tokens->list[k].kind != TOKEN_DIRECTIVE)
			upc__token_replace(tokens, k, k == i ? "__extension__({ typedef __typeof__(" : "");
	upc__token_after(tokens, element->member, end);
	free(end);
	free(at);
	free(pointer);
}

/*
 * A name in any number of parentheses: its block size is known without the compiler, so the result can be a constant.
 * Outside of blocks, where no other variable of that name can be meant, also *NAME of a pointer.
 */
static const struct array_name *plain_name(const struct rewriter *rewriter, int first, int last)
{
	const struct tokens *tokens = rewriter->tokens;
	upc__strip_parentheses(tokens, &first, &last);
	bool pointer = upc__token_is(tokens, first, "*") && !upc__is_in_block(tokens, first);
	if (pointer) {
		first = upc__token_next(tokens, first);
		upc__strip_parentheses(tokens, &first, &last);
	}
	const struct array_name *name = first == last ? upc__array_name(rewriter, first) : NULL;
	return name && name->block && name->is_pointer == pointer ? name : NULL;
}

/*
 * The result for a variable as a constant expression; NULL: the translator cannot know it. sizeof counts the factor for
 * THREADS once: the expression divides by it for one thread's share.
 */
static char *constant_size(const struct rewriter *rewriter, const struct array_name *name, char kind)
{
	if (kind == 'b')
		return upc__format("((__SIZE_TYPE__)(%s)", name->block);
	if (!name->has_plain_base || name->is_typedef)
		return NULL;
	char *object = upc__format(name->is_pointer ? "(*%s)" : "%s", name->name);
	char *element = upc__format("%s", object);
	for (int i = 0; i < name->dimensions; i++)
		append(&element, "", "[0]");
	int threads = rewriter->options->static_threads;
	long factor = threads == 0 && name->has_threads ? UPC_THREADS_FACTOR : 1;
	char *size;
	if (kind == 'e')
		size = upc__format("(sizeof %s", element);
	else if (name->dimensions == 0)
		size = upc__format("(sizeof %s", object);
	else
		size = upc__format("((%s) == 0 ? sizeof %s : (((sizeof %s / sizeof %s / %ldL + (%s) - 1) / ((%s) + "
				   "!(%s)) + %d) / %d)"
				   " * (%s) * sizeof %s",
			name->block, object, object, element, factor, name->block, name->block, name->block,
			threads == 0 ? 0 : threads - 1, threads == 0 ? 1 : threads, name->block, element);
	free(element);
	free(object);
	return size;
}

/* What the tokens of a type, an operand in parentheses, show. */
struct type_words {
	char *element;  /* without its bounds */
	char *block;    /* NULL: not known to be shared */
	char *elements; /* product of the bounds; NULL: none */
	bool has_threads;
	bool unknown; /* contains a name that may be a typedef of an array */
};

/* The text of a bound or a layout; NULL: it contains something that is rewritten later. */
static char *bracket_text(const struct rewriter *rewriter, int open, struct type_words *words)
{
	const struct tokens *tokens = rewriter->tokens;
	char *text = NULL;
	int close = tokens->list[open].partner;
	for (int i = upc__token_next(tokens, open); i < close; i = upc__token_next(tokens, i)) {
		bool threads = upc__token_is(tokens, i, "THREADS") && rewriter->options->static_threads == 0;
		char *own = threads ? upc__format("%ldL", UPC_THREADS_FACTOR) : upc__tokens_text(tokens, i, i);
		bool rewritten = upc__token_is(tokens, i, "sizeof") || strncmp(own, "upc_", 4) == 0;
		words->has_threads = words->has_threads || threads;
		append(&text, " ", own);
		free(own);
		if (rewritten) {
			free(text);
			return NULL;
		}
	}
	return text ? text : upc__format("%s", "");
}

/* A typedef in a type name: adds what is known of it to WORDS. */
static bool take_typedef(const struct array_name *name, struct type_words *words)
{
	if (!name->has_plain_base || (name->dimensions > 0 && !name->elements) || (name->block && words->block))
		return false;
	if (name->block)
		words->block = upc__format("%s", name->block);
	char *element = upc__format("(*(%s *)0)", name->name);
	for (int i = 0; i < name->dimensions; i++)
		append(&element, "", "[0]");
	char *type = upc__format("__typeof__(%s)", element);
	append(&words->element, " ", type);
	free(element);
	free(type);
	if (name->elements)
		append(&words->elements, " * ", name->elements);
	words->has_threads = words->has_threads || name->has_threads;
	return true;
}

static bool take_word(const struct rewriter *rewriter, int *at, struct type_words *words)
{
	static const char *const plain[] = {"char", "short", "int", "long", "float", "double", "signed", "unsigned",
		"_Bool", "_Complex", "__int128", NULL};
	static const char *const dropped[] = {"strict", "relaxed", "const", "volatile", NULL};
	static const char *const tags[] = {"struct", "union", "enum", NULL};
	const struct tokens *tokens = rewriter->tokens;
	int i = *at, next = upc__token_next(tokens, i);
	const struct array_name *name = upc__array_name(rewriter, i);
	if (upc__token_is(tokens, i, "shared")) {
		bool layout = upc__token_is(tokens, next, "[");
		bool again = words->block || (layout && upc__token_is(tokens, upc__token_next(tokens, next), "*"));
		char *block = again ? NULL : layout ? bracket_text(rewriter, next, words) : upc__format("1");
		words->block = block && *block == '\0' ? upc__format("0")
			       : block                 ? upc__format("%s", block)
						       : words->block;
		*at = layout ? tokens->list[next].partner : i;
		free(block);
		return !again && block && !words->has_threads;
	}
	if (upc__token_in(tokens, i, dropped))
		return true;
	if (upc__token_is(tokens, i, "[")) {
		char *bound = bracket_text(rewriter, i, words);
		char *factor = bound ? upc__format("(%s)", bound) : NULL;
		bool known = bound && *bound != '\0';
		if (known)
			append(&words->elements, " * ", factor);
		*at = tokens->list[i].partner;
		free(bound);
		free(factor);
		return known;
	}
	if (tokens->list[i].kind != TOKEN_WORD || upc__token_is(tokens, i, "typeof") ||
		upc__token_is(tokens, i, "__typeof__") || upc__token_is(tokens, i, "void"))
		return false;
	if (name)
		return name->is_typedef && take_typedef(name, words);
	bool tag = upc__token_in(tokens, i, tags);
	words->unknown = words->unknown || (!tag && !upc__token_in(tokens, i, plain));
	char *text = upc__tokens_text(tokens, i, tag ? next : i);
	append(&words->element, " ", text);
	free(text);
	*at = tag ? next : i;
	return true;
}

/*
 * The result for a shared type as a constant expression with an open parenthesis; NULL: not known. With dynamic
 * THREADS, an array without it in its bounds may be one thread's alone: upc_localsizeof is an upper bound.
 */
static char *constant_of_words(const struct rewriter *rewriter, const struct type_words *words, char kind)
{
	int threads = rewriter->options->static_threads;
	if (!words->block || !words->element)
		return NULL;
	if (kind == 'b')
		return upc__format("((__SIZE_TYPE__)(%s)", words->block);
	if (kind == 'e' || !words->elements)
		return upc__format("(sizeof(%s)", words->element);
	/* The bounds may be of type int, their product is not. */
	return upc__format(
		"((%s) == 0 ? (__SIZE_TYPE__)%s * sizeof(%s) : (((__SIZE_TYPE__)%s / %ldL + (%s) - 1) / ((%s) + !(%s)) "
		"+ %d) / %d * (%s) * sizeof(%s)",
		words->block, words->elements, words->element, words->elements,
		threads == 0 && words->has_threads ? UPC_THREADS_FACTOR : 1L, words->block, words->block, words->block,
		threads == 0 ? 0 : threads - 1, threads == 0 ? 1 : threads, words->block, words->element);
}

/* The same for an operand, the tokens from FIRST to LAST. */
static char *constant_type(const struct rewriter *rewriter, int first, int last, char kind)
{
	const struct tokens *tokens = rewriter->tokens;
	struct type_words words = {0};
	bool known = upc__token_is(tokens, first, "(") && tokens->list[first].partner == last;
	for (int i = upc__token_next(tokens, first); i < last && known; i = upc__token_next(tokens, i))
		known = take_word(rewriter, &i, &words);
	char *constant = known ? constant_of_words(rewriter, &words, kind) : NULL;
	if (constant && words.unknown && kind != 'b') {
		/* Arrays become pointers there. The chosen operand is a constant if it is one by itself. */
		char *own = constant;
		const char *name = kind == 'e' ? "elem" : "local";
		constant = upc__format("(__builtin_choose_expr(__extension__ _Generic(*(%s *)0, %s: 1, default: 0), "
				       "%s), __upc_%ssizeof((%s "
				       "__attribute__((address_space(%d + (%s)))) *)0))",
			words.element, words.element, own, name, words.element, UPC_SPACE, words.block);
		free(own);
	}
	free(words.element);
	free(words.block);
	free(words.elements);
	return constant;
}

/*
 * upc_blocksizeof, upc_elemsizeof, upc_localsizeof. If the translator does not know the result, the lowering takes it
 * from the operand's type.
 */
void upc__rewrite_upc_sizeof(struct rewriter *rewriter, int i)
{
	struct tokens *tokens = rewriter->tokens;
	const struct token *token = &tokens->list[i];
	int first = upc__token_next(tokens, i);
	int last = upc__operand_end(tokens, first);
	if (last < first)
		return;
	const struct array_name *name = plain_name(rewriter, first, last);
	char *constant = name ? constant_size(rewriter, name, token->text[strlen("upc_")]) : NULL;
	if (constant) {
		char *open = upc__format("%s + 0 * sizeof", constant);
		upc__token_replace(tokens, i, open);
		upc__token_after(tokens, last, ")");
		free(open);
		free(constant);
		return;
	}
	constant = constant_type(rewriter, first, last, token->text[strlen("upc_")]);
	if (constant) {
		char *open = upc__format("%s + 0 * sizeof(__typeof__", constant);
		upc__token_replace(tokens, i, open);
		upc__token_after(tokens, last, " *))");
		free(open);
		free(constant);
		return;
	}
	struct element element = find_element(tokens, first, last);
	if (element.indices > 0 && upc__is_in_block(tokens, i)) {
		choose_by_type(rewriter, i, last, &element);
		return;
	}
	const char *kind = is_member(tokens, first, last) ? "_member" : "";
	char *open = upc__format("__%.*s%s(((__typeof__", token->length, token->text, kind);
	upc__token_replace(tokens, i, open);
	free(open);
	/* upc_localsizeof of an array of variable length: the lowering sees its size only here. */
	bool sized = *kind == '\0' && upc__token_is(tokens, i, "upc_localsizeof") && upc__is_in_block(tokens, i) &&
		     upc__is_plain_operand(tokens, first, last);
	char *operand = sized ? upc__tokens_text(tokens, first, last) : NULL;
	bool parenthesized = upc__token_is(tokens, first, "(") && tokens->list[first].partner == last;
	if (!parenthesized)
		upc__token_before(tokens, first, "(");
	char *end = sized ? upc__format("%s *)0), sizeof %s)", parenthesized ? "" : ")", operand)
			  : upc__format("%s *)0))", parenthesized ? "" : ")");
	upc__token_after(tokens, last, end);
	free(operand);
	free(end);
}
