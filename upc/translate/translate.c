/* SPDX-License-Identifier: BSD-3-Clause */
/* Translates all tokens, writes the prelude, and maps columns of the result back to the source. */
#include "upc/translate/translate.h"

#include "upc/abi.h"
#include "upc/translate/rewriter.h"

#include <stdlib.h>
#include <string.h>

/*
 * Declarations that translated code uses. Functions without prototypes accept any pointer type; the lowering replaces
 * them. They are nothrow: otherwise -fexceptions would turn their calls into invokes.
 *
 * MYTHREAD and THREADS are not variables in UPC, so OpenMP's default(none) must not require a sharing attribute for
 * them. It requires none for thread-local variables; the lowering makes them ordinary ones.
 */
#define STRING(number) #number
#define GENERIC_POINTER(space) \
	"typedef struct " UPC_GENERIC_TARGET " __attribute__((address_space(" STRING(space) "))) *" UPC_GENERIC ";\n"
#define GENERIC_INTEGER "typedef " UPC_GENERIC_INTEGER " " UPC_GENERIC ";\n"
static const char prelude[] =
	GENERIC_INTEGER "extern const __thread int MYTHREAD;\n"
			"enum { __upc_blocksize, __upc_elemsize = 0, __upc_localsize = 0, __upc_spread = 0 };\n"
			"__attribute__((__nothrow__)) void __upc_barrier(int, int);\n"
			"__attribute__((__nothrow__)) void __upc_notify(int, int);\n"
			"__attribute__((__nothrow__)) void __upc_wait(int, int);\n"
			"__attribute__((__nothrow__)) void __upc_fence(void);\n"
			"__attribute__((__nothrow__, __const__)) void *" UPC_CAST "();\n"
			"__attribute__((__nothrow__, __const__)) unsigned long __upc_localsizeof();\n"
			"__attribute__((__nothrow__, __const__)) unsigned long __upc_size(unsigned long);\n"
			"__attribute__((__nothrow__, __const__)) long __upc_difference();\n"
			"__attribute__((__nothrow__, __const__)) long __upc_order();\n"
			"__attribute__((__nothrow__, __const__)) long " UPC_INDEX "(long, long);\n"
			"__attribute__((__nothrow__)) int __upc_affinity();\n"
			"__attribute__((__nothrow__)) int __upc_forall_affinity_enter(void);\n"
			"__attribute__((__nothrow__)) void __upc_forall_affinity_leave(int *);\n"
			"__attribute__((__nothrow__)) int __upc_forall_every_enter(void);\n"
			"__attribute__((__nothrow__)) void __upc_forall_every_leave(int *);\n";

static const struct {
	const char *word;
	void (*rewrite)(struct rewriter *, int);
} words[] = {
	{"shared", upc__rewrite_shared},
	{"typedef", upc__rewrite_typedef},
	{"upc_blocksizeof", upc__rewrite_upc_sizeof},
	{"upc_localsizeof", upc__rewrite_upc_sizeof},
	{"upc_elemsizeof", upc__rewrite_upc_sizeof},
	{"upc_barrier", upc__rewrite_synchronization},
	{"upc_notify", upc__rewrite_synchronization},
	{"upc_wait", upc__rewrite_synchronization},
	{"upc_fence", upc__rewrite_fence},
};

/* Returns true if a word is to be examined: not from a header of C without UPC, not a member's name, not replaced. */
static bool is_word(const struct tokens *tokens, int i)
{
	const struct token *token = &tokens->list[i];
	if (token->kind != TOKEN_WORD || token->system || token->replacement)
		return false;
	int before = upc__token_previous(tokens, i);
	return !upc__token_is(tokens, before, ".") && !upc__token_is(tokens, before, "->");
}

/*
 * The last token of ((void *)0) or (void *)0 that begins at I, or -1. AT: its tokens, by their positions in the first
 * form. *SKIPPED: how many tokens the second form lacks on each side.
 */
static int find_null(const struct tokens *tokens, int i, int at[7], int *skipped)
{
	static const char *const null[] = {"(", "(", "void", "*", ")", "0", ")"};
	*skipped = upc__token_is(tokens, upc__token_next(tokens, i), "void");
	int last = i;
	for (int k = *skipped; k < 7 - *skipped; k++) {
		last = at[k] = k == *skipped ? i : upc__token_next(tokens, last);
		bool zero = k == 5 && at[k] < tokens->count && tokens->list[at[k]].length == 1 &&
			    *tokens->list[at[k]].text == '0';
		if (!zero && !upc__token_is(tokens, at[k], null[k]))
			return -1;
	}
	return last;
}

/* True if both operands of the `?` at I are null pointers; one of them must then stay a pointer. */
static bool are_both_null(const struct tokens *tokens, int i)
{
	int at[7], skipped;
	int last = find_null(tokens, upc__token_next(tokens, i), at, &skipped);
	int colon = last < 0 ? -1 : upc__token_next(tokens, last);
	if (!upc__token_is(tokens, colon, ":"))
		return false;
	int other = upc__token_next(tokens, colon);
	bool zero = other < tokens->count && tokens->list[other].length == 1 && *tokens->list[other].text == '0';
	return zero || find_null(tokens, other, at, &skipped) >= 0;
}

/*
 * In `c ? pointer : NULL` with a shared void *, which is an integer for clang, NULL would be a private pointer. Between
 * ? and : a constant 0 is an equivalent null pointer, unless the other operand is null, too.
 */
static void replace_null_by_zero(struct tokens *tokens, int i)
{
	int at[7], skipped;
	int before = upc__token_previous(tokens, i);
	bool after_zero = upc__token_is(tokens, i, ":") && before > 0 && tokens->list[before].length == 1 &&
			  *tokens->list[before].text == '0' &&
			  upc__token_is(tokens, upc__token_previous(tokens, before), "?");
	if (after_zero || are_both_null(tokens, i) || find_null(tokens, upc__token_next(tokens, i), at, &skipped) < 0)
		return;
	for (int k = skipped; k < 7 - skipped; k++)
		if (k != 5)
			upc__token_replace(tokens, at[k], "");
}

/* Refuses word I, which is not a variable in UPC, as the operand of a unary &. */
static void check_address(struct rewriter *rewriter, int i)
{
	static const char *const ends[] = {")", "]", "++", "--", NULL};
	const struct tokens *tokens = rewriter->tokens;
	int before = upc__token_previous(tokens, i);
	for (int open = before;
		upc__token_is(tokens, open, "(") && tokens->list[open].partner == upc__token_next(tokens, i);
		open = upc__token_previous(tokens, open))
		before = upc__token_previous(tokens, open);
	int operand = upc__token_previous(tokens, before);
	bool binary = operand >= 0 &&
		      (tokens->list[operand].kind != TOKEN_PUNCTUATION || upc__token_in(tokens, operand, ends));
	if (upc__token_is(tokens, before, "&") && !binary)
		upc__refuse(rewriter, i, "'%.*s' is not a variable: it has no address", tokens->list[i].length,
			tokens->list[i].text);
}

static void rewrite_words(struct rewriter *rewriter)
{
	struct tokens *tokens = rewriter->tokens;
	for (int i = 0; i < tokens->count; i++) {
		if (!tokens->list[i].system && (upc__token_is(tokens, i, "?") || upc__token_is(tokens, i, ":")))
			replace_null_by_zero(tokens, i);
		if (upc__token_is(tokens, i, "}"))
			upc__forget_names(rewriter, i);
		if (!is_word(tokens, i))
			continue;
		bool strict = upc__token_is(tokens, i, "strict");
		if (strict || upc__token_is(tokens, i, "relaxed")) {
			upc__check_consistency(rewriter, i);
			upc__token_replace(tokens, i, strict ? "volatile" : "");
			continue;
		}
		if (upc__token_is(tokens, i, "MYTHREAD") || upc__token_is(tokens, i, "THREADS"))
			check_address(rewriter, i);
		for (size_t w = 0; w < sizeof words / sizeof *words; w++)
			if (upc__token_is(tokens, i, words[w].word))
				words[w].rewrite(rewriter, i);
		if (upc__rewrite_declared_void(rewriter, i))
			continue;
		upc__rewrite_declared(rewriter, i);
		upc__rewrite_typed_parameter(rewriter, i);
	}
	/* Last, because they copy their affinity expressions. From the end backwards, so that inner loops are first. */
	for (int i = tokens->count - 1; i >= 0; i--)
		if (is_word(tokens, i) && upc__token_is(tokens, i, "upc_forall"))
			upc__rewrite_forall(rewriter, i);
}

static void write_token(FILE *out, const struct token *token)
{
	if (token->before)
		fputs(token->before, out);
	if (token->replacement)
		fputs(token->replacement, out);
	else
		fwrite(token->text, 1, (size_t)token->length, out);
	if (token->after)
		fputs(token->after, out);
}

static char *write_text(const struct tokens *tokens, const struct upc_options *options, int *rows)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		exit(1);
	int first = 0;
	/* The first line marker names the source: clang takes the unit's name from it. */
	const char *at = tokens->source;
	if (tokens->count > 0 && tokens->list[0].kind == TOKEN_DIRECTIVE) {
		fprintf(out, "%.*s\n", tokens->list[0].length, tokens->list[0].text);
		at = tokens->list[0].text + tokens->list[0].length;
		first = 1;
	}
	fputs("# 1 \"<upc>\" 1 3\n", out);
	for (const char *c = prelude; *c != '\0'; c++)
		fputs(options->c23 && strncmp(c, "()", 2) == 0 ? "(..." : (const char[]){*c, '\0'}, out);
	if (options->static_threads == 0)
		fputs("extern const __thread int THREADS;\n", out);
	const struct token *main_file = &tokens->list[0];
	fprintf(out, "%.*s 2\n", main_file->length, tokens->count > 0 ? main_file->text : "");
	fflush(out);
	*rows = -1;
	for (const char *c = text; *c != '\0'; c++)
		*rows += *c == '\n';
	if (at != tokens->source && *at == '\n')
		at++;
	for (int i = first; i < tokens->count; i++) {
		const struct token *token = &tokens->list[i];
		fwrite(at, 1, (size_t)(token->text - at), out);
		write_token(out, token);
		at = token->text + token->length;
	}
	fputs(at, out);
	fclose(out);
	return text;
}

struct upc_translation *upc__translate(const char *text, const struct upc_options *options)
{
	struct upc_translation *translation = calloc(1, sizeof *translation);
	if (!translation)
		exit(1);
	struct rewriter rewriter = {.translation = translation, .options = options};
	rewriter.tokens = translation->tokens = upc__tokens_read(text, options->upc_headers);
	upc__find_old_parameters(rewriter.tokens);
	upc__read_pragmas(&rewriter);
	rewrite_words(&rewriter);
	translation->text = write_text(rewriter.tokens, options, &translation->prelude_rows);
	upc__free_names(&rewriter);
	return translation;
}

void upc__translation_free(struct upc_translation *translation)
{
	if (!translation)
		return;
	for (int i = 0; i < translation->problem_count; i++)
		free(translation->problems[i].message);
	free(translation->problems);
	free(translation->line_first);
	free(translation->line_next);
	free(translation->strict.list);
	free(translation->pupc_off.list);
	upc__tokens_free(translation->tokens);
	for (int i = 0; i < translation->insertion_count; i++)
		free(translation->insertions[i].text);
	free(translation->insertions);
	free(translation->bare_text);
	free(translation->text);
	free(translation);
}

static int text_length(const char *text)
{
	return !text ? 0 : (int)strlen(text);
}

/* The first token of a row or, if it has none, of the next row that has one. */
static int row_start(const struct tokens *tokens, int row)
{
	int low = 0, high = tokens->count;
	while (low < high) {
		int middle = low + (high - low) / 2;
		if (tokens->list[middle].row < row)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* By how many columns the edits of a token lengthen the line. */
static int growth(const struct token *token)
{
	int length = token->replacement ? text_length(token->replacement) : token->length;
	return text_length(token->before) + length - token->length + text_length(token->after);
}

static void replace_generic(char **text)
{
	char *at = *text ? strstr(*text, GENERIC_INTEGER) : NULL;
	if (!at)
		return;
	char *made = upc__format(
		"%.*s" GENERIC_POINTER(UPC_GENERIC_SPACE) "%s", (int)(at - *text), *text, at + strlen(GENERIC_INTEGER));
	free(*text);
	*text = made;
}

void upc__make_generic_pointer(struct upc_translation *translation)
{
	replace_generic(&translation->text);
	replace_generic(&translation->bare_text);
}

int upc__token_at(const struct upc_translation *translation, int row, int column)
{
	const struct tokens *tokens = translation->tokens;
	column = upc__translated_column(translation, row, column);
	row -= translation->prelude_rows;
	int shift = 0, found = -1;
	for (int i = row_start(tokens, row); i < tokens->count && tokens->list[i].row == row; i++) {
		const struct token *token = &tokens->list[i];
		if (column < token->column + shift)
			break;
		found = i;
		shift += growth(token);
	}
	return found;
}

static void index_lines(struct upc_translation *translation)
{
	const struct tokens *tokens = translation->tokens;
	int last = 0;
	for (int i = 0; i < tokens->count; i++)
		last = tokens->list[i].line > last ? tokens->list[i].line : last;
	/* Line markers may contain any number. */
	translation->line_count = last < 2 * tokens->count + 1024 ? last + 1 : 2 * tokens->count + 1024;
	translation->line_first = malloc((size_t)translation->line_count * sizeof *translation->line_first);
	translation->line_next = malloc((size_t)(tokens->count + 1) * sizeof *translation->line_next);
	if (!translation->line_first || !translation->line_next)
		exit(1);
	memset(translation->line_first, -1, (size_t)translation->line_count * sizeof *translation->line_first);
	for (int i = tokens->count - 1; i >= 0; i--) {
		int *first =
			&translation->line_first[(unsigned)tokens->list[i].line % (unsigned)translation->line_count];
		translation->line_next[i] = *first;
		*first = i;
	}
}

int upc__row_of(struct upc_translation *translation, const char *file, int line, int column)
{
	const struct tokens *tokens = translation->tokens;
	int found = -1;
	if (!translation->line_first)
		index_lines(translation);
	for (int i = translation->line_first[(unsigned)line % (unsigned)translation->line_count]; i >= 0;
		i = translation->line_next[i]) {
		const struct token *token = &tokens->list[i];
		if (token->line != line || token->kind == TOKEN_DIRECTIVE)
			continue;
		size_t length = strlen(file), own = strlen(tokens->files[token->file]);
		const char *name = tokens->files[token->file];
		if (length > own || strcmp(name + own - length, file) != 0)
			continue;
		if (found < 0)
			found = token->row + translation->prelude_rows;
		if (upc__token_at(translation, token->row + translation->prelude_rows, column) >= 0)
			return token->row + translation->prelude_rows;
	}
	return found;
}
