/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Translates `shared` in declarations, casts and parameters to an address space. Parses a declarator only as far as
 * needed: where the layout stands, what the base type is, which names become arrays with which bounds.
 */
#include "upc/translate/rewriter.h"

#include <stdlib.h>
#include <string.h>

static const char *const qualifiers[] = {"const", "volatile", "restrict", "strict", "relaxed", "shared", "static",
	"extern", "register", "inline", "typedef", "__const", "__volatile__", "__restrict", "__inline", "__inline__",
	"__extension__", NULL};
static const char *const tags[] = {"struct", "union", "enum", NULL};
static const char *const builtin_types[] = {"char", "short", "int", "long", "float", "double", "signed", "unsigned",
	"_Bool", "_Complex", "void", "__int128", NULL};
/* Words whose parentheses belong to no declarator. */
static const char *const extensions[] = {
	"__attribute__", "__attribute", "_Alignas", "__asm__", "__asm", "asm", "__declspec", NULL};
static const char *const upc_sizes[] = {"upc_blocksizeof", "upc_elemsizeof", "upc_localsizeof", NULL};
static const char *const not_functions[] = {"sizeof", "typeof", "__typeof__", "__typeof", "_Alignof", "__alignof__",
	"if", "while", "switch", "return", "for", "upc_forall", "upc_localsizeof", "upc_blocksizeof", "upc_elemsizeof",
	"case", "_Generic", NULL};

/* The context of a `shared`. */
enum place {
	PLACE_DECLARATION, /* of variables, types, members: several declarators may follow */
	PLACE_PARAMETER,
	PLACE_TYPE_NAME, /* a cast, sizeof's operand */
};

static bool is_old_parameter(const struct tokens *tokens, int i)
{
	return tokens->list[i].old_style;
}

static enum place place_of(const struct tokens *tokens, int i)
{
	int outer = tokens->list[i].outer;
	if (is_old_parameter(tokens, i))
		return PLACE_PARAMETER;
	if (outer < 0 || upc__token_is(tokens, outer, "{"))
		return PLACE_DECLARATION;
	/* int (*shared f[3])(int): the parentheses are the declarator's. */
	if (upc__token_is(tokens, outer, "(") && upc__token_is(tokens, upc__token_next(tokens, outer), "*"))
		return place_of(tokens, outer);
	int before = upc__token_previous(tokens, outer);
	if (upc__token_is(tokens, before, "for") || upc__token_is(tokens, before, "upc_forall"))
		return PLACE_DECLARATION;
	if (before < 0 || upc__token_in(tokens, before, not_functions))
		return PLACE_TYPE_NAME;
	if (tokens->list[before].kind == TOKEN_WORD || upc__token_is(tokens, before, ")"))
		return PLACE_PARAMETER;
	return PLACE_TYPE_NAME;
}

static void blank(struct tokens *tokens, int first, int last)
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

/* The token after the qualifiers from I on, layouts included. */
static int skip_qualifiers(const struct tokens *tokens, int i)
{
	while (upc__token_in(tokens, i, qualifiers)) {
		bool shared = upc__token_is(tokens, i, "shared");
		i = upc__token_next(tokens, i);
		if (shared && upc__token_is(tokens, i, "[") && tokens->list[i].partner > 0)
			i = upc__token_next(tokens, tokens->list[i].partner);
	}
	return i;
}

/* The first token of the specifiers that contain I. */
static int specifiers_start(const struct tokens *tokens, int i)
{
	return tokens->list[i].first_word;
}

/* The token before the attributes, in GNU C's notation, that end at token I. */
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

/*
 * `struct s {...} shared x`: if the specifiers around I follow a structure's, union's or enumeration's definition, its
 * first word; else -1. The C compiler would take attributes at I for the definition's.
 */
static int definition_before(const struct tokens *tokens, int i)
{
	int close = before_attributes(tokens, upc__token_previous(tokens, specifiers_start(tokens, i)));
	if (!upc__token_is(tokens, close, "}") || tokens->list[close].partner < 0)
		return -1;
	int tag = before_attributes(tokens, upc__token_previous(tokens, tokens->list[close].partner));
	if (!upc__token_in(tokens, tag, tags))
		tag = before_attributes(tokens, upc__token_previous(tokens, tag));
	return upc__token_in(tokens, tag, tags) ? tag : -1;
}

/* The token `void` if it is the base type of the specifiers around I; -1: another base type. */
static int void_base(const struct tokens *tokens, int i)
{
	int after = skip_qualifiers(tokens, i);
	if (upc__token_is(tokens, after, "void"))
		return after;
	int before = upc__token_previous(tokens, i);
	while (upc__token_in(tokens, before, qualifiers))
		before = upc__token_previous(tokens, before);
	return upc__token_is(tokens, before, "void") ? before : -1;
}

/*
 * The type name that replaces `shared void *` already includes the pointer: removes the star nearest to the base type.
 * `(*f)(int)` has it before the parenthesis, `(*p)` and `(*p)[3]` have it inside.
 */
static void drop_star(struct rewriter *rewriter, int i)
{
	struct tokens *tokens = rewriter->tokens;
	while (upc__token_is(tokens, i, "(") && tokens->list[i].partner > 0)
		i = upc__token_next(tokens, i);
	if (!upc__token_is(tokens, i, "*")) {
		upc__refuse(rewriter, i < tokens->count ? i : tokens->count - 1,
			"'shared void' is an incomplete type: only pointers to it can be declared");
		return;
	}
	blank(tokens, i, i);
	for (i = upc__token_next(tokens, i);
		upc__token_is(tokens, i, "restrict") || upc__token_is(tokens, i, "__restrict");
		i = upc__token_next(tokens, i))
		blank(tokens, i, i);
}

/* The comma, semicolon or bracket that ends the declarator at I. */
static int declarator_end(const struct tokens *tokens, int i)
{
	bool value = false; /* in an initializer, where no declarator can begin */
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

static void rewrite_void(struct rewriter *rewriter, int shared, int base)
{
	struct tokens *tokens = rewriter->tokens;
	int first = specifiers_start(tokens, shared < base ? shared : base);
	int i = first;
	/* A const of the pointed-to type is dropped: an integer type has no place for it. */
	static const char *const storage[] = {
		"static", "extern", "register", "inline", "typedef", "__inline", "__inline__", "__extension__", NULL};
	for (;;) {
		int next = skip_qualifiers(tokens, i);
		for (int j = i; j < next; j++)
			if (!upc__token_in(tokens, j, storage))
				blank(tokens, j, j);
		if (next != base)
			break;
		i = upc__token_next(tokens, base);
	}
	upc__token_replace(tokens, base, UPC_GENERIC);
	int declarator = skip_qualifiers(tokens, upc__token_next(tokens, base));
	drop_star(rewriter, declarator);
	int name = upc__token_next(tokens, declarator);
	if (upc__token_is(tokens, first, "typedef") && upc__token_is(tokens, upc__token_next(tokens, name), ";"))
		upc__note_generic(rewriter, name);
	if (place_of(tokens, shared) != PLACE_DECLARATION)
		return;
	for (int end = declarator_end(tokens, declarator);
		upc__token_is(tokens, end, ",") && !upc__token_is(tokens, upc__token_next(tokens, end), "shared");
		end = declarator_end(tokens, upc__token_next(tokens, end)))
		drop_star(rewriter, upc__token_next(tokens, end));
}

/* What read_declarator finds in one declarator. */
struct declarator {
	int name;        /* a token, or -1 */
	int first_bound; /* `[` of the first bound after the name, or -1 */
	int dimensions;
	bool pointer; /* a pointer or function stands between the base type and the name */
	bool private; /* further bounds belong to pointers, which are private */
	bool function;
	bool has_threads;
	bool has_more_threads; /* in more than one bound */
	char *elements;        /* product of the bounds; NULL: no bounds, or an empty one */
	size_t length;         /* of that string */
};

static void take_bound(struct rewriter *rewriter, struct declarator *found, int open, bool is_shared)
{
	struct tokens *tokens = rewriter->tokens;
	int threads = is_shared && rewriter->options->static_threads == 0 ? upc__rewrite_bound(rewriter, open) : 0;
	found->has_more_threads = found->has_more_threads || threads > 1 || (threads == 1 && found->has_threads);
	found->has_threads = found->has_threads || threads > 0;
	if (found->dimensions++ == 0)
		found->first_bound = open;
	char *bound = upc__tokens_text(
		tokens, upc__token_next(tokens, open), upc__token_previous(tokens, tokens->list[open].partner));
	bool first = found->dimensions == 1;
	size_t more = strlen(bound) + sizeof " * ()";
	if (*bound == '\0' || (!first && !found->elements)) {
		free(found->elements);
		found->elements = NULL;
	} else {
		found->elements = realloc(found->elements, found->length + more);
		if (!found->elements)
			exit(1);
		char *end = found->elements + found->length;
		found->length += (size_t)snprintf(end, more, first ? "(%s)" : " * (%s)", bound);
	}
	free(bound);
}

/* Reads one declarator from I; returns the token that ends it (`,` `;` `=` `{` `:` or the closing bracket). */
static int read_declarator(struct rewriter *rewriter, int i, bool is_shared, struct declarator *found)
{
	struct tokens *tokens = rewriter->tokens;
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
			      upc__token_is(tokens, upc__token_next(tokens, i), "["); /* a layout is no bound */
		if (layout || upc__token_in(tokens, i, extensions) || upc__token_in(tokens, i, not_functions))
			i = upc__token_next(tokens, i);
		else if (token->kind == TOKEN_WORD && !upc__token_in(tokens, i, qualifiers) &&
			 !upc__token_in(tokens, i, builtin_types))
			found->name = i;
		else if (upc__token_is(tokens, i, "*"))
			found->pointer = found->private = true;
		else if (upc__token_is(tokens, i, "(") && upc__token_is(tokens, upc__token_next(tokens, i), "*"))
			found->pointer = true;
		else if (upc__token_is(tokens, i, "("))
			found->function = found->function || found->name >= 0;
		else if (upc__token_is(tokens, i, "[") && token->partner > 0)
			take_bound(rewriter, found, i, is_shared && !found->private);
		int partner = tokens->list[i].partner;
		i = upc__token_next(tokens, partner > i ? partner : i);
	}
	return i;
}

static unsigned hash(const char *text, size_t length)
{
	unsigned value = 5381;
	for (size_t i = 0; i < length; i++)
		value = 33 * value + (unsigned char)text[i];
	return value;
}

const struct array_name *upc__array_name(const struct rewriter *rewriter, int i)
{
	const struct token *token = &rewriter->tokens->list[i];
	if (i >= rewriter->tokens->count || token->kind != TOKEN_WORD || rewriter->name_count == 0)
		return NULL;
	unsigned bucket = hash(token->text, (size_t)token->length) & (rewriter->bucket_count - 1);
	for (int n = rewriter->newest[bucket]; n > 0; n = rewriter->names[n - 1].same_hash) {
		const char *name = rewriter->names[n - 1].name;
		if (strncmp(name, token->text, (size_t)token->length) == 0 && name[token->length] == '\0')
			return &rewriter->names[n - 1];
	}
	return NULL;
}

/*
 * Whether the specifiers before a name contain a basic type or a tag. Names of one declaration have the same
 * specifiers: the result for the previous name serves this one.
 */
static bool has_plain_base(const struct tokens *tokens, int name)
{
	int outer = tokens->list[name].outer;
	bool plain = false;
	for (int i = upc__token_previous(tokens, name); i >= 0 && !plain; i = upc__token_previous(tokens, i)) {
		if (upc__token_is(tokens, i, ";") || upc__token_is(tokens, i, "{") || tokens->list[i].outer != outer)
			break;
		plain = upc__token_in(tokens, i, builtin_types) || upc__token_in(tokens, i, tags);
		if (!plain && tokens->list[i].plain != 0) {
			plain = tokens->list[i].plain > 0;
			break;
		}
		if (tokens->list[i].partner >= 0 && tokens->list[i].partner < i)
			i = tokens->list[i].partner;
	}
	tokens->list[name].plain = plain ? 1 : -1;
	return plain;
}

static void refuse_function(struct rewriter *rewriter, const struct declarator *found)
{
	if (found->function && !found->pointer && found->name >= 0)
		upc__refuse(rewriter, found->name, "a function cannot return a shared type");
}

static void grow_names(struct rewriter *rewriter)
{
	unsigned count = rewriter->bucket_count > 0 ? 4 * rewriter->bucket_count : 1024;
	struct array_name *names = realloc(rewriter->names, count * sizeof *names);
	int *newest = calloc(count, sizeof *newest);
	if (!names || !newest)
		exit(1);
	free(rewriter->newest);
	rewriter->names = names;
	rewriter->newest = newest;
	rewriter->bucket_count = count;
	for (int n = 1; n <= rewriter->name_count; n++) {
		unsigned bucket = hash(names[n - 1].name, strlen(names[n - 1].name)) & (count - 1);
		names[n - 1].same_hash = newest[bucket];
		newest[bucket] = n;
	}
}

/*
 * Checks the bounds of a declared array or typedef, with dynamic THREADS; the lowering sees only variables that are
 * defined and used.
 */
static void check_bounds(struct rewriter *rewriter, const struct declarator *found, const char *block, bool is_typedef)
{
	if (rewriter->options->static_threads != 0 || found->name < 0 || found->pointer || found->function)
		return;
	char *end;
	bool indefinite = strtol(block, &end, 0) == 0;
	if (*block == '\0' || *end != '\0')
		return;
	if (found->has_threads && indefinite)
		upc__refuse(rewriter, found->name,
			"with dynamic THREADS, the bounds of an indefinitely blocked array cannot contain THREADS");
	else if (found->has_more_threads)
		upc__refuse(
			rewriter, found->name, "with dynamic THREADS, THREADS may stand in one bound of an array only");
	/* A name in a bound may be no constant: the C compiler reports that. */
	bool numbers = found->elements && found->elements[strspn(found->elements, "0123456789 ()*+-")] == '\0';
	if (numbers && !found->has_threads && !indefinite && !is_typedef &&
		has_plain_base(rewriter->tokens, found->name))
		upc__refuse(rewriter, found->name,
			"with dynamic THREADS, a shared array that isn't indefinitely blocked needs THREADS as "
			"a factor of a bound");
}

/* The typedef of an array that begins the declaration of token NAME, before all its declarators; NULL: none. */
static const struct array_name *base_typedef(const struct rewriter *rewriter, int name)
{
	const struct tokens *tokens = rewriter->tokens;
	const struct array_name *first = NULL;
	int outer = tokens->list[name].outer;
	for (int i = upc__token_previous(tokens, name); i >= 0; i = upc__token_previous(tokens, i)) {
		if (upc__token_is(tokens, i, ";") || upc__token_is(tokens, i, "{") || tokens->list[i].outer != outer)
			break;
		const struct array_name *base = upc__array_name(rewriter, i);
		if (base && base->is_typedef)
			first = base;
		if (tokens->list[i].base != 0) {
			first = tokens->list[i].base > 0 ? &rewriter->names[tokens->list[i].base - 1] : first;
			break;
		}
		if (tokens->list[i].partner >= 0 && tokens->list[i].partner < i)
			i = tokens->list[i].partner;
	}
	tokens->list[name].base = first ? (int)(first - rewriter->names) + 1 : -1;
	return first;
}

static void remember(struct rewriter *rewriter, const struct declarator *found, const char *block, bool is_typedef)
{
	const struct token *token = &rewriter->tokens->list[found->name];
	int consistency = is_typedef ? upc__consistency(rewriter, found->name) : 0;
	const struct array_name *base = base_typedef(rewriter, found->name);
	char *elements = found->elements ? upc__format("%s", found->elements) : NULL;
	if (base && base->elements && (found->elements || found->dimensions == 0)) {
		free(elements);
		elements = upc__format(
			"%s%s%s", found->elements ? found->elements : "", found->elements ? " * " : "", base->elements);
	}
	int dimensions = found->dimensions + (base ? base->dimensions : 0);
	bool plain = base ? base->has_plain_base : has_plain_base(rewriter->tokens, found->name);
	bool has_threads = found->has_threads || (base && base->has_threads);
	if ((unsigned)rewriter->name_count >= rewriter->bucket_count)
		grow_names(rewriter);
	unsigned bucket = hash(token->text, (size_t)token->length) & (rewriter->bucket_count - 1);
	rewriter->names[rewriter->name_count++] = (struct array_name){
		.name = upc__format("%.*s", token->length, token->text),
		.block = block ? upc__format("%s", block) : NULL,
		.elements = elements,
		.dimensions = dimensions,
		.has_threads = has_threads,
		.is_typedef = is_typedef,
		.has_plain_base = plain,
		.consistency = consistency,
		.same_hash = rewriter->newest[bucket],
	};
	rewriter->newest[bucket] = rewriter->name_count;
}

/* A typedef of an array before the first declarator, whose bounds count as well; -1: none. */
static int base_array(const struct rewriter *rewriter, int first, int end)
{
	for (int i = first; i < end; i = upc__token_next(rewriter->tokens, i)) {
		const struct array_name *name = upc__array_name(rewriter, i);
		if (name && !name->block && name->elements)
			return i;
	}
	return -1;
}

/* Whether `shared` is among the tokens from FIRST to LAST. */
static bool is_shared_list(const struct tokens *tokens, int first, int last)
{
	for (int i = first; i < last; i = upc__token_next(tokens, i))
		if (upc__token_is(tokens, i, "shared"))
			return true;
	return false;
}

/* The number of elements that an initializer gives to an array without a bound, as an expression; NULL: none. */
static char *initial_elements(struct rewriter *rewriter, int shared, const struct declarator *found)
{
	struct tokens *tokens = rewriter->tokens;
	int inner = upc__token_next(tokens, tokens->list[found->first_bound].partner), after = inner;
	while (upc__token_is(tokens, after, "[") && tokens->list[after].partner > 0)
		after = upc__token_next(tokens, tokens->list[after].partner);
	int last = upc__token_previous(tokens, declarator_end(tokens, after));
	if (!upc__token_is(tokens, after, "=") || found->pointer || found->function ||
		is_shared_list(tokens, after, last))
		return NULL;
	static const char *const storage[] = {"static", "extern", "shared", "strict", "relaxed", NULL};
	char *type = upc__format("%s", ""), *more;
	for (int i = specifiers_start(tokens, shared); i < found->name; i = upc__token_next(tokens, i)) {
		bool layout = upc__token_is(tokens, i, "[");
		int end = tokens->list[i].partner > i ? tokens->list[i].partner : i;
		char *text = upc__token_in(tokens, i, storage) || layout ? NULL : upc__tokens_text(tokens, i, end);
		more = upc__format("%s %s", type, text ? text : "");
		free(text);
		free(type);
		type = more;
		i = end;
	}
	char *bounds = inner == after ? upc__format("%s", "")
				      : upc__tokens_text(tokens, inner, upc__token_previous(tokens, after));
	char *initializer = upc__tokens_text(tokens, upc__token_next(tokens, after), last);
	char *elements = upc__format("(sizeof((%s[]%s)%s%s%s) / sizeof(%s))", type, bounds,
		*initializer == '{' ? "" : "{", initializer, *initializer == '{' ? "" : "}", type);
	free(type);
	free(bounds);
	free(initializer);
	return elements;
}

/* `[*]`: the block size that gives each thread at most one block. */
static char *spread_block(struct rewriter *rewriter, int shared, const struct declarator *found)
{
	const struct array_name *base = NULL;
	int array = -1;
	if (found->name >= 0)
		array = base_array(rewriter, specifiers_start(rewriter->tokens, shared), found->name);
	if (array >= 0)
		base = upc__array_name(rewriter, array);
	int threads = rewriter->options->static_threads;
	char *own = found->elements ? upc__format("%s", found->elements) : NULL;
	if (!own && found->dimensions > 0 && threads != 0)
		own = initial_elements(rewriter, shared, found);
	if (found->pointer || (!own && found->dimensions > 0)) {
		upc__refuse(rewriter, shared,
			found->pointer ? "'[*]' cannot be the layout of what a pointer points to"
				       : "'[*]' needs an array whose bounds are known");
		free(own);
		return upc__format("1");
	}
	if (!own && !base)
		return upc__format("1");
	if (threads == 0 && !found->has_threads) {
		upc__refuse(rewriter, shared, "'[*]' needs THREADS in the array's bounds when THREADS is dynamic");
		free(own);
		return upc__format("1");
	}
	char *all = upc__format("%s%s%s", own ? own : "", own && base ? " * " : "", base ? base->elements : "");
	free(own);
	char *block = threads == 0 ? upc__format("(%s) / %ldL", all, UPC_THREADS_FACTOR)
				   : upc__format("((%s) + %d) / %d", all, threads - 1, threads);
	free(all);
	return block;
}

/*
 * An array parameter is a pointer, and clang refuses arrays in address spaces there: `int a[][3]` becomes `int
 * (*a)[3]`.
 */
static void rewrite_parameter(struct rewriter *rewriter, const struct declarator *found)
{
	struct tokens *tokens = rewriter->tokens;
	if (found->first_bound < 0 || found->pointer || found->function)
		return;
	int close = tokens->list[found->first_bound].partner;
	blank(tokens, found->first_bound, close);
	if (found->name >= 0 && upc__token_next(tokens, found->name) == found->first_bound) {
		upc__token_before(tokens, found->name, "(*");
		upc__token_after(tokens, found->name, ")");
	} else {
		upc__token_replace(tokens, found->first_bound, "(*)");
	}
}

/*
 * A parameter whose type is a typedef of an array, in token I, is a pointer to its elements, too. QUALIFIERS: those
 * beside the type, which the pointer's target type takes over.
 */
static void rewrite_named_parameter(struct rewriter *rewriter, int i, const char *qualifiers_text)
{
	const struct token *token = &rewriter->tokens->list[i];
	char *pointer = upc__format("__typeof__(&(*(%s %.*s *)0)[0])", qualifiers_text, token->length, token->text);
	upc__token_replace(rewriter->tokens, i, pointer);
	free(pointer);
}

/* Further parameters of an old-style declaration: int f(a, b) shared int *a, b[]; {...} */
static void rewrite_other_parameters(struct rewriter *rewriter, int end, bool old)
{
	struct tokens *tokens = rewriter->tokens;
	while (old && upc__token_is(tokens, end, ",")) {
		struct declarator found;
		end = read_declarator(rewriter, upc__token_next(tokens, end), true, &found);
		rewrite_parameter(rewriter, &found);
		free(found.elements);
	}
}

/* The other declarators of a declaration: rewrites their bounds, records their names. */
static void read_others(struct rewriter *rewriter, int end, int shared, const char *block, bool spread, bool is_typedef)
{
	struct tokens *tokens = rewriter->tokens;
	while (end < tokens->count) {
		if (upc__token_is(tokens, end, "=") || upc__token_is(tokens, end, ":"))
			end = declarator_end(tokens, end);
		/* Do not continue after a misplaced comma: the rest would be read again for each such comma. */
		if (!upc__token_is(tokens, end, ",") || upc__token_is(tokens, upc__token_next(tokens, end), "shared"))
			return;
		struct declarator found;
		end = read_declarator(rewriter, upc__token_next(tokens, end), true, &found);
		if (spread && !found.pointer) {
			char *own = spread_block(rewriter, shared, &found);
			if (strcmp(own, block) != 0)
				upc__refuse(
					rewriter, found.name, "with '[*]', declare arrays of different bounds apart");
			free(own);
		}
		check_bounds(rewriter, &found, block, is_typedef);
		if (found.name >= 0 && !found.pointer && !found.function)
			remember(rewriter, &found, block, is_typedef);
		free(found.elements);
	}
}

/* Checks block sizes that are plain numbers; others are known only after clang has evaluated them. */
static void check_block(struct rewriter *rewriter, int i, const char *block)
{
	char *end;
	long value = strtol(block, &end, 0);
	if (*block != '\0' && *end == '\0' && value > 524287)
		upc__refuse(rewriter, i, "block size %ld is more than UPC_MAX_BLOCK_SIZE (524287)", value);
	if (strncmp(block, "- ", 2) == 0)
		upc__refuse(rewriter, i, "block size is negative");
}

/* The layout's text, with upc_blocksizeof and the like inside it already rewritten; NULL for [*]. */
static char *layout_text(struct rewriter *rewriter, int shared, int *after)
{
	struct tokens *tokens = rewriter->tokens;
	int open = upc__token_next(tokens, shared);
	*after = open;
	if (!upc__token_is(tokens, open, "[") || tokens->list[open].partner < 0)
		return upc__format("1");
	int close = tokens->list[open].partner;
	*after = upc__token_next(tokens, close);
	int first = upc__token_next(tokens, open);
	char *text = NULL;
	if (first == close)
		text = upc__format("0");
	else if (!upc__token_is(tokens, first, "*") || upc__token_next(tokens, first) != close) {
		for (int i = first; i < close; i++)
			if (upc__token_is(tokens, i, "sizeof"))
				upc__rewrite_sizeof(rewriter, i);
			else if (upc__token_in(tokens, i, upc_sizes))
				upc__rewrite_upc_sizeof(rewriter, i);
			else if (upc__token_is(tokens, i, "THREADS") && rewriter->options->static_threads == 0) {
				upc__refuse(rewriter, i, "a block size with THREADS in it needs static THREADS");
				upc__token_replace(tokens, i, "1");
			}
		text = upc__tokens_text(tokens, first, upc__token_previous(tokens, close));
		check_block(rewriter, first, text);
	}
	blank(tokens, open, close);
	return text;
}

/* typedef shared int *name; typedef shared int (*name)[3]; AFTER: where the base type begins. */
static bool is_one_pointer(const struct tokens *tokens, int after, const struct declarator *found)
{
	int stars = 0;
	for (int i = after; i < found->name; i++)
		stars += upc__token_is(tokens, i, "*");
	return found->name >= 0 && found->pointer && !found->function && stars == 1;
}

/* Puts the address space in the place of token SHARED, or in front of the definition that stands before it. */
static void write_space(
	struct rewriter *rewriter, int shared, const char *block, const struct declarator *found, int end)
{
	struct tokens *tokens = rewriter->tokens;
	int definition = definition_before(tokens, shared);
	int start = specifiers_start(tokens, definition < 0 ? shared : definition);
	/* Directly after a parenthesis, the attribute would apply to the function. */
	bool follows =
		is_old_parameter(tokens, shared) && upc__token_is(tokens, upc__token_previous(tokens, start), ")");
	char *attribute = upc__format(
		"%s __attribute__((address_space(%d + (%s)))) ", follows ? "register" : "", UPC_SPACE, block);
	int array = -1;
	if (place_of(tokens, shared) == PLACE_PARAMETER && found->first_bound < 0 && !found->pointer &&
		!found->function)
		array = base_array(rewriter, specifiers_start(tokens, shared), end);
	upc__token_replace(tokens, shared, array < 0 && definition < 0 ? attribute : "");
	if (array >= 0)
		rewrite_named_parameter(rewriter, array, attribute);
	else if (definition >= 0)
		upc__token_before(tokens, definition, attribute);
	free(attribute);
}

void upc__rewrite_shared(struct rewriter *rewriter, int shared)
{
	struct tokens *tokens = rewriter->tokens;
	int after, open = upc__token_next(tokens, shared);
	if (upc__merge_shared(rewriter, shared))
		return;
	char *block = layout_text(rewriter, shared, &after);
	int base = void_base(tokens, shared);
	if (base < 0 && void_base(tokens, after) >= 0)
		base = void_base(tokens, after);
	if (base >= 0) {
		if (upc__token_is(tokens, open, "["))
			upc__refuse(rewriter, open, "'shared void' cannot have a layout");
		upc__token_replace(tokens, shared, "");
		rewrite_void(rewriter, shared, base);
		free(block);
		return;
	}
	struct declarator found;
	enum place place = place_of(tokens, shared);
	int end = read_declarator(rewriter, after, true, &found);
	bool spread = !block;
	if (spread)
		block = spread_block(rewriter, shared, &found);
	bool old = is_old_parameter(tokens, shared);
	if (place == PLACE_PARAMETER) {
		rewrite_parameter(rewriter, &found);
		rewrite_other_parameters(rewriter, end, old);
	} else if (place == PLACE_DECLARATION) {
		int definition = definition_before(tokens, shared);
		int start = specifiers_start(tokens, definition < 0 ? shared : definition);
		bool is_typedef = upc__token_is(tokens, start, "typedef");
		refuse_function(rewriter, &found);
		check_bounds(rewriter, &found, block, is_typedef);
		if (found.name >= 0 && !found.pointer && !found.function)
			remember(rewriter, &found, block, is_typedef);
		if (is_typedef && is_one_pointer(tokens, after, &found)) {
			remember(rewriter, &found, NULL, true);
			rewriter->names[rewriter->name_count - 1].is_pointer = true;
		}
		if (found.has_threads && (is_typedef || found.pointer))
			rewriter->sizes_have_threads = true;
		/* int *shared p, *q: applies to p only */
		if (!upc__token_is(tokens, upc__token_previous(tokens, specifiers_start(tokens, shared)), "*"))
			read_others(rewriter, end, shared, block, spread, is_typedef);
	}
	if (place != PLACE_DECLARATION)
		upc__mark_cast(rewriter, shared);
	free(found.elements);
	write_space(rewriter, shared, block, &found, end);
	free(block);
}

/* Typedefs of arrays without shared: a `[*]` in front of one needs its number of elements. */
void upc__rewrite_typedef(struct rewriter *rewriter, int i)
{
	struct tokens *tokens = rewriter->tokens;
	struct declarator found;
	if (upc__token_is(tokens, upc__token_next(tokens, i), "typedef"))
		return;
	int end = i;
	do {
		end = read_declarator(rewriter, upc__token_next(tokens, end), false, &found);
		const struct array_name *base = found.name >= 0 ? base_typedef(rewriter, found.name) : NULL;
		bool array = found.elements || (base && !base->block);
		if (found.name >= 0 && array && !found.pointer && !found.function &&
			!is_shared_list(tokens, i, found.name))
			remember(rewriter, &found, NULL, true);
		free(found.elements);
	} while (upc__token_is(tokens, end, ","));
}

/* const and volatile beside the type name in token I belong to the elements. Removes and returns them. */
static const char *take_qualifiers(struct rewriter *rewriter, int i)
{
	static const char *const volatiles[] = {"volatile", "strict", NULL};
	struct tokens *tokens = rewriter->tokens;
	bool constant = false, is_volatile = false;
	int end = skip_qualifiers(tokens, upc__token_next(tokens, i));
	for (int j = specifiers_start(tokens, i); j < end; j = upc__token_next(tokens, j)) {
		constant = constant || upc__token_is(tokens, j, "const");
		is_volatile = is_volatile || upc__token_in(tokens, j, volatiles);
		if (upc__token_is(tokens, j, "const") || upc__token_in(tokens, j, volatiles))
			blank(tokens, j, j);
	}
	return constant ? is_volatile ? "const volatile" : "const" : is_volatile ? "volatile" : "";
}

static bool is_in_block(const struct tokens *tokens, int i)
{
	while (i >= 0 && !upc__token_is(tokens, i, "{"))
		i = tokens->list[i].outer;
	return i >= 0;
}

void upc__rewrite_typed_parameter(struct rewriter *rewriter, int i)
{
	struct tokens *tokens = rewriter->tokens;
	const struct array_name *name = upc__array_name(rewriter, i);
	if (!name || !name->is_typedef || !name->block || place_of(tokens, i) != PLACE_PARAMETER)
		return;
	int next = skip_qualifiers(tokens, upc__token_next(tokens, i));
	/* Without a name, it may be an argument in a call. */
	if (next >= tokens->count || (tokens->list[next].kind != TOKEN_WORD && is_in_block(tokens, i)))
		return;
	bool array = name->dimensions > 0;
	struct declarator found;
	int end = read_declarator(rewriter, next, true, &found);
	if (found.first_bound >= 0)
		rewrite_parameter(rewriter, &found);
	else if (array && !found.pointer && !found.function)
		rewrite_named_parameter(rewriter, i, take_qualifiers(rewriter, i));
	rewrite_other_parameters(rewriter, end, !array && is_old_parameter(tokens, i));
	free(found.elements);
}

void upc__rewrite_declared(struct rewriter *rewriter, int i)
{
	struct tokens *tokens = rewriter->tokens;
	const struct array_name *name = upc__array_name(rewriter, i);
	if (!name || !name->is_typedef || !name->block)
		return;
	int next = skip_qualifiers(tokens, upc__token_next(tokens, i));
	bool begins =
		next < tokens->count && (tokens->list[next].kind == TOKEN_WORD || upc__token_is(tokens, next, "*") ||
						upc__token_is(tokens, next, "("));
	bool word = tokens->list[i].outer < 0 || !upc__token_is(tokens, tokens->list[i].outer, "[");
	if (!begins || !word || place_of(tokens, i) != PLACE_DECLARATION ||
		upc__token_is(tokens, upc__token_previous(tokens, i), "*"))
		return;
	char *block = upc__format("%s", name->block);
	bool has_threads = name->has_threads;
	struct declarator found;
	int end = read_declarator(rewriter, next, true, &found);
	found.has_more_threads = found.has_more_threads || (found.has_threads && has_threads);
	found.has_threads = found.has_threads || has_threads;
	bool is_typedef = upc__token_is(tokens, specifiers_start(tokens, i), "typedef");
	refuse_function(rewriter, &found);
	check_bounds(rewriter, &found, block, is_typedef);
	if (found.name >= 0 && !found.pointer && !found.function)
		remember(rewriter, &found, block, is_typedef);
	read_others(rewriter, end, i, block, false, is_typedef);
	free(found.elements);
	free(block);
}
