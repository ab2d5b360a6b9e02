/* SPDX-License-Identifier: BSD-3-Clause */
/* `#pragma upc` and `#pragma pupc`: records the lines to which they apply; the lowering has no finer positions. */
#include "upc/translate/rewriter.h"

#include <stdlib.h>
#include <string.h>

enum pragma {
	PRAGMA_OTHER,
	PRAGMA_STRICT,
	PRAGMA_RELAXED,
	PRAGMA_C_CODE,
	PRAGMA_UPC_CODE,
	PRAGMA_ON,
	PRAGMA_OFF,
};

static const struct {
	const char *family;
	const char *word;
	enum pragma pragma;
} known[] = {
	{"upc", "strict", PRAGMA_STRICT},
	{"upc", "relaxed", PRAGMA_RELAXED},
	{"upc", "c_code", PRAGMA_C_CODE},
	{"upc", "upc_code", PRAGMA_UPC_CODE},
	{"pupc", "on", PRAGMA_ON},
	{"pupc", "off", PRAGMA_OFF},
};

/* Classifies token I, a directive. Refuses a pragma with text after its word. */
static enum pragma classify(struct rewriter *rewriter, int i)
{
	const struct token *token = &rewriter->tokens->list[i];
	char line[80] = "";
	snprintf(line, sizeof line, "%.*s", token->length, token->text);
	char sharp[4], pragma[8], family[8], word[12], more[2];
	int count = sscanf(line, " %1[#] %7s %7s %11[a-z_] %1s", sharp, pragma, family, word, more);
	if (count < 4 || strcmp(pragma, "pragma") != 0)
		return PRAGMA_OTHER;
	for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
		if (strcmp(family, known[k].family) != 0 || strcmp(word, known[k].word) != 0)
			continue;
		if (count > 4)
			upc__refuse(rewriter, i, "nothing may follow '#pragma %s %s'", family, word);
		return known[k].pragma;
	}
	return PRAGMA_OTHER;
}

static void cover(struct upc_ranges *ranges, const char *file, int line)
{
	struct upc_range *last = ranges->count > 0 ? &ranges->list[ranges->count - 1] : NULL;
	if (last && last->file == file && line >= last->last && line <= last->last + 1) {
		last->last = line;
		return;
	}
	ranges->list = upc__grow(ranges->list, ranges->count, sizeof *ranges->list);
	ranges->list[ranges->count++] = (struct upc_range){file, line, line};
}

/* The state that a `}` restores to that at its `{`. */
struct lexical {
	bool strict;
	bool off;
};

struct state {
	struct lexical lexical;
	bool in_c_code;
};

static void apply(struct rewriter *rewriter, int i, struct state *state)
{
	enum pragma pragma = classify(rewriter, i);
	switch (pragma) {
	case PRAGMA_STRICT:
	case PRAGMA_RELAXED:
		state->lexical.strict = pragma == PRAGMA_STRICT;
		break;
	case PRAGMA_C_CODE:
	case PRAGMA_UPC_CODE:
		state->in_c_code = pragma == PRAGMA_C_CODE;
		break;
	case PRAGMA_ON:
	case PRAGMA_OFF:
		state->lexical.off = pragma == PRAGMA_OFF;
		break;
	default:
		return;
	}
	upc__token_replace(rewriter->tokens, i, "");
}

void upc__read_pragmas(struct rewriter *rewriter)
{
	struct tokens *tokens = rewriter->tokens;
	struct upc_translation *translation = rewriter->translation;
	struct lexical *outside = calloc((size_t)tokens->count + 1, sizeof *outside); /* at each `{`, by its index */
	struct state state = {0};
	for (int i = 0; i < tokens->count && outside; i++) {
		struct token *token = &tokens->list[i];
		if (token->kind == TOKEN_DIRECTIVE) {
			apply(rewriter, i, &state);
			continue;
		}
		if (upc__token_is(tokens, i, "{"))
			outside[i] = state.lexical;
		else if (upc__token_is(tokens, i, "}") && token->partner >= 0)
			state.lexical = outside[token->partner];
		if (state.lexical.strict && !token->system)
			cover(&translation->strict, tokens->files[token->file], token->line);
		if (state.lexical.off && !token->system)
			cover(&translation->pupc_off, tokens->files[token->file], token->line);
		token->system = token->system || state.in_c_code;
	}
	free(outside);
}

/* Returns true if A equals B, or the end of B after a slash: debug information may have removed directories. */
static bool same_file(const char *a, const char *b)
{
	size_t length_a = strlen(a), length_b = strlen(b);
	if (length_a > length_b)
		return same_file(b, a);
	return strcmp(b + length_b - length_a, a) == 0 &&
	       (length_a == length_b || (length_a > 0 && b[length_b - length_a - 1] == '/'));
}

bool upc__range_has(const struct upc_ranges *ranges, const char *file, int line)
{
	for (int i = 0; i < ranges->count; i++)
		if (line >= ranges->list[i].first && line <= ranges->list[i].last &&
			same_file(file, ranges->list[i].file))
			return true;
	return false;
}

const char *upc__source_name(const struct upc_translation *translation, const char *file)
{
	const struct tokens *tokens = translation->tokens;
	for (int i = 1; i < tokens->file_count; i++) /* the first has no name */
		if (same_file(file, tokens->files[i]))
			return tokens->files[i];
	return file;
}
