/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the user's tokens in preprocessed text. libclang's record of preprocessing lists uses of macros and text that
 * #if excludes; marks around each use show which tokens it expanded to.
 */
#include <stdlib.h>
#include <string.h>

#include <clang-c/Index.h>

#include "upc/source/source.h"
#include "upc/translate/tokens.h"

#define MARK "__upc_expansion_mark"

struct range {
	int begin, end;
};

struct ranges {
	struct range *list;
	int count;
};

struct record {
	CXTranslationUnit unit;
	CXFile file;
	const char *text;
	struct ranges expansions, skipped;
};

static void add_range(struct ranges *ranges, int begin, int end)
{
	ranges->list = upc__grow(ranges->list, ranges->count, sizeof *ranges->list);
	ranges->list[ranges->count++] = (struct range){begin, end};
}

static bool in_ranges(const struct ranges *ranges, int offset)
{
	for (int i = 0; i < ranges->count; i++)
		if (offset >= ranges->list[i].begin && offset < ranges->list[i].end)
			return true;
	return false;
}

/* The bytes of a range of the file. Returns false if the range is in another file. */
static bool bytes_of(const struct record *record, CXSourceRange range, int *begin, int *end)
{
	unsigned from = 0, to = 0;
	CXFile file = NULL;
	clang_getFileLocation(clang_getRangeStart(range), &file, NULL, NULL, &from);
	clang_getFileLocation(clang_getRangeEnd(range), NULL, NULL, NULL, &to);
	*begin = (int)from;
	*end = (int)to;
	return file && clang_File_isEqual(file, record->file);
}

/* Uses of macros in the arguments of others are visited after these, and are skipped. */
static enum CXChildVisitResult take_expansion(CXCursor cursor, CXCursor parent, CXClientData data)
{
	struct record *record = data;
	int begin, end;
	(void)parent;
	if (cursor.kind != CXCursor_MacroExpansion || !bytes_of(record, clang_getCursorExtent(cursor), &begin, &end))
		return CXChildVisit_Continue;
	const struct ranges *known = &record->expansions;
	if (known->count == 0 || begin >= known->list[known->count - 1].end)
		add_range(&record->expansions, begin, end);
	return CXChildVisit_Continue;
}

static void find_skipped(struct record *record)
{
	CXSourceRangeList *list = clang_getSkippedRanges(record->unit, record->file);
	for (unsigned i = 0; list && i < list->count; i++) {
		int begin, end;
		if (bytes_of(record, list->ranges[i], &begin, &end))
			add_range(&record->skipped, begin, end);
	}
	clang_disposeSourceRangeList(list);
}

/* Returns true if a line ends between two tokens of a directive. */
static bool ends_line(const char *text, int from, int to)
{
	for (int i = from; i < to; i++) {
		int before = i - 1 - (i > 0 && text[i - 1] == '\r');
		if (text[i] == '\n' && (before < 0 || text[before] != '\\'))
			return true;
	}
	return false;
}

/* The end of the line on which a directive's last token ends; a comment may continue it on further lines. */
static int line_end(const char *text, int at)
{
	while (text[at] != '\0' && text[at] != '\n') {
		const char *end = text[at] == '/' && text[at + 1] == '*' ? strstr(text + at + 2, "*/") : NULL;
		at = end ? (int)(end - text) + 2 : at + 1;
	}
	return at;
}

/* Returns true if only blanks and comments precede OFFSET on its line: LAST_END, if not 0, is on another line. */
static bool begins_line(const char *text, int last_end, int offset)
{
	return last_end == 0 || memchr(text + last_end, '\n', (size_t)(offset - last_end));
}

static void add_item(struct upc_items *items, struct upc_item item)
{
	items->list = upc__grow(items->list, items->count, sizeof *items->list);
	items->list[items->count++] = item;
}

/* If a macro without parameters expands to the name of a function or macro, the call is a part of its use. */
static int call_end(const struct range *tokens, int count, int at, const char *text, int end)
{
	int depth = 0;
	if (at >= count || text[tokens[at].begin] != '(' || tokens[at - 1].end != end)
		return end;
	for (int i = at; i < count; i++) {
		const char *first = text + tokens[i].begin; /* only brackets begin with a bracket */
		depth += (*first == '(') - (*first == ')');
		if (depth == 0)
			return tokens[i].end;
	}
	return end;
}

/* The tokens as ranges, without comments. */
static struct ranges tokens_of(const struct record *record)
{
	struct ranges ranges = {0};
	CXToken *tokens = NULL;
	unsigned count = 0;
	CXSourceRange all = clang_getRange(clang_getLocationForOffset(record->unit, record->file, 0),
		clang_getLocationForOffset(record->unit, record->file, (unsigned)strlen(record->text)));
	clang_tokenize(record->unit, all, &tokens, &count);
	for (unsigned i = 0; i < count; i++) {
		int begin, end;
		if (clang_getTokenKind(tokens[i]) != CXToken_Comment &&
			bytes_of(record, clang_getTokenExtent(record->unit, tokens[i]), &begin, &end) && end > begin)
			add_range(&ranges, begin, end);
	}
	clang_disposeTokens(record->unit, tokens, count);
	return ranges;
}

/* _Pragma("...") becomes a separate line. */
static int skip_pragma(const struct ranges *tokens, int i, const char *text)
{
	static const char word[] = "_Pragma";
	const struct range *it = &tokens->list[i];
	bool found = it->end - it->begin == (int)sizeof word - 1 &&
		     strncmp(text + it->begin, word, sizeof word - 1) == 0 && i + 3 < tokens->count;
	return found ? i + 4 : i;
}

static void collect(const struct record *record, struct upc_items *items)
{
	struct ranges tokens = tokens_of(record);
	const char *text = record->text;
	int last_end = 0, expansion = 0;
	for (int i = 0; i < tokens.count;) {
		struct range *it = &tokens.list[i];
		int first = i;
		if (text[it->begin] == '#' && begins_line(text, last_end, it->begin)) {
			while (++i < tokens.count && !ends_line(text, tokens.list[i - 1].end, tokens.list[i].begin))
				;
			int end = line_end(text, tokens.list[i - 1].end);
			add_item(items, (struct upc_item){it->begin, end - it->begin, .directive = true});
		} else if (in_ranges(&record->skipped, it->begin) || skip_pragma(&tokens, i, text) > i) {
			int behind = skip_pragma(&tokens, i, text);
			i = behind > i ? behind : i + 1;
		} else {
			while (expansion < record->expansions.count &&
				record->expansions.list[expansion].begin < it->begin)
				expansion++;
			bool expands = expansion < record->expansions.count &&
				       record->expansions.list[expansion].begin == it->begin;
			int end = expands ? record->expansions.list[expansion].end : it->end;
			while (i < tokens.count && tokens.list[i].begin < end)
				i++;
			if (expands && i == first + 1)
				end = call_end(tokens.list, tokens.count, i, text, end);
			while (i < tokens.count && tokens.list[i].begin < end)
				i++;
			add_item(items, (struct upc_item){it->begin, end - it->begin, .expands = expands});
		}
		last_end = tokens.list[i - 1].end;
	}
	free(tokens.list);
}

bool upc__find_items(
	struct upc_items *items, const char *file, const char *text, const char *const *options, int option_count)
{
	struct record record = {.text = text};
	struct CXUnsavedFile contents = {file, text, strlen(text)};
	CXIndex index = clang_createIndex(0, 0);
	*items = (struct upc_items){0};
	bool parsed = clang_parseTranslationUnit2(index, file, options, option_count, &contents, 1,
			      CXTranslationUnit_DetailedPreprocessingRecord | CXTranslationUnit_KeepGoing,
			      &record.unit) == CXError_Success;
	record.file = parsed ? clang_getFile(record.unit, file) : NULL;
	if (record.file) {
		clang_visitChildren(clang_getTranslationUnitCursor(record.unit), take_expansion, &record);
		find_skipped(&record);
		collect(&record, items);
	}
	free(record.expansions.list);
	free(record.skipped.list);
	if (parsed)
		clang_disposeTranslationUnit(record.unit);
	clang_disposeIndex(index);
	return record.file;
}

char *upc__mark_expansions(const struct upc_items *items, const char *text)
{
	char *marked = NULL;
	size_t size;
	FILE *out = open_memstream(&marked, &size);
	int at = 0;
	if (!out)
		exit(1);
	fputs("# 1 \"" UPC_MARKED_NAME "\"\n", out);
	for (int i = 0; i < items->count; i++) {
		const struct upc_item *item = &items->list[i];
		if (!item->expands)
			continue;
		fprintf(out, "%.*s " MARK " %.*s " MARK " ", item->offset - at, text + at, item->length,
			text + item->offset);
		at = item->offset + item->length;
	}
	fputs(text + at, out);
	fclose(out);
	return marked;
}

int *upc__take_marks(char *text)
{
	int *marks = NULL, count = 0;
	for (char *at = text; (at = strstr(at, MARK)) != NULL;) {
		marks = upc__grow(marks, count, sizeof *marks);
		marks[count++] = (int)(at - text);
		memset(at, ' ', sizeof MARK - 1);
	}
	marks = upc__grow(marks, count, sizeof *marks);
	marks[count] = -1;
	return marks;
}

/* Returns true if a token of preprocessed text is that of the item. */
static bool is_item(const struct upc_item *item, const char *text, const struct token *token)
{
	return !item->expands && item->length == token->length &&
	       strncmp(text + item->offset, token->text, (size_t)token->length) == 0;
}

static int next_item(const struct upc_items *items, int i)
{
	do
		i++;
	while (i < items->count && items->list[i].directive);
	return i;
}

bool upc__match_items(struct upc_seen *seen, const struct upc_items *items, const char *text,
	const struct upc_translation *translation, const int *marks, int *line)
{
	const struct tokens *tokens = translation->tokens;
	int item = next_item(items, -1);
	bool inside = false;
	seen->items = malloc((size_t)(tokens->count + 1) * sizeof *seen->items);
	seen->positions = malloc((size_t)(tokens->count + 1) * sizeof *seen->positions);
	if (!seen->items || !seen->positions)
		exit(1);
	for (int i = 0; i < tokens->count; i++) {
		const struct token *token = &tokens->list[i];
		seen->items[i] = seen->positions[i] = -1;
		for (; *marks >= 0 && *marks < (int)(token->text - tokens->source); marks++) {
			if (inside)
				item = next_item(items, item);
			inside = !inside;
		}
		if (token->kind == TOKEN_DIRECTIVE || strcmp(tokens->files[token->file], UPC_MARKED_NAME) != 0)
			continue;
		*line = token->line;
		bool found = item < items->count &&
			     (inside ? items->list[item].expands : is_item(&items->list[item], text, token));
		if (!found)
			return false;
		seen->items[i] = item;
		seen->positions[i] = seen->count++;
		item = inside ? item : next_item(items, item);
	}
	for (; *marks >= 0; marks++) {
		item = inside ? next_item(items, item) : item;
		inside = !inside;
	}
	return item >= items->count;
}

void upc__write_items(FILE *out, const struct upc_items *items, const struct upc_seen *seen,
	const struct upc_translation *translation)
{
	const struct tokens *tokens = translation->tokens;
	int token = 0;
	for (int i = 0; i < items->count; i++) {
		const struct upc_item *item = &items->list[i];
		fprintf(out, "%c %d %d\n",
			item->directive ? 'd'
			: item->expands ? 'x'
					: 't',
			item->offset, item->length);
		for (; token < tokens->count && (seen->items[token] < 0 || seen->items[token] <= i); token++)
			if (item->expands && seen->items[token] == i)
				fprintf(out, "e %.*s\n", tokens->list[token].length, tokens->list[token].text);
	}
}
