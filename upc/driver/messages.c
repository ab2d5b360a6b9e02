/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Turns clang's messages about translated text into messages about UPC. Positions and types become those of the user's
 * source; messages that only the translation causes, and those about `shared void *`, which is an integer for clang,
 * are dropped.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "upc/driver/driver.h"
#include "upc/translate/tokens.h"
#include "upc/typing/typing.h"

/* The source file of the last message and the start of one of its lines: the next message is usually near it. */
struct shown {
	char *file;
	char *text;
	const char *at;
	int line;
};

/* Line LINE (from 1) of a file, NULL-terminated; the caller frees it. NULL: no such line. */
static char *line_of(struct shown *shown, const char *file, int line)
{
	if (!shown->file || strcmp(shown->file, file) != 0) {
		free(shown->file);
		free(shown->text);
		*shown = (struct shown){.file = upc__format("%s", file), .text = upc__read_file(file)};
	}
	if (!shown->at || line < shown->line) {
		shown->at = shown->text;
		shown->line = 1;
	}
	while (shown->at && shown->line < line) {
		shown->at = strchr(shown->at, '\n');
		shown->at += shown->at ? 1 : 0;
		shown->line++;
	}
	return !shown->at ? NULL : upc__format("%.*s", (int)strcspn(shown->at, "\n"), shown->at);
}

static struct shown shown;

static bool same_token(const struct token *a, const struct token *b)
{
	return a->length == b->length && strncmp(a->text, b->text, (size_t)a->length) == 0;
}

/* The column in the user's LINE of token I of the preprocessed text, found by the number of equal tokens before it. */
static int user_column(const struct tokens *tokens, int i, const char *line)
{
	int before = 0;
	for (int j = i - 1; j >= 0 && tokens->list[j].row == tokens->list[i].row; j--)
		before += same_token(&tokens->list[j], &tokens->list[i]);
	struct tokens *own = upc__tokens_read(line, NULL);
	int column = 0, first = own->count > 0 ? own->list[0].column : 1;
	for (int j = 0; j < own->count && before >= 0; j++)
		if (same_token(&own->list[j], &tokens->list[i])) {
			column = own->list[j].column;
			before--;
		}
	upc__tokens_free(own);
	return column > 0 ? column : first; /* the text of a macro: use the line's first word */
}

static void print(const char *file, int line, int column, const char *level, const char *message, const char *source)
{
	fprintf(stderr, "%s:%d:%d: %s: %s\n", file, line, column, level, message);
	if (!source)
		return;
	fprintf(stderr, "%s\n", source);
	for (int i = 0; i < column - 1; i++)
		fputc(source[i] == '\t' ? '\t' : ' ', stderr);
	fputs("^\n", stderr);
}

/* Prints a message about token I, at its position in the user's source. */
static void print_token(const struct report *report, int i, const char *level, const char *message)
{
	const struct tokens *tokens = report->translation->tokens;
	const struct token *token = &tokens->list[i];
	const char *file = tokens->files[token->file];
	char *source = line_of(&shown, file, token->line);
	print(file, token->line, source ? user_column(tokens, i, source) : token->column, level, message, source);
	free(source);
}

/* The token at a position that clang reports: a line of the source, and a column of the translated text. -1: none. */
static int token_of(const struct report *report, const char *file, int line, int column)
{
	struct upc_translation *translation = report->translation;
	int row = upc__row_of(translation, upc__source_name(translation, file), line, column);
	return row >= 0 ? upc__token_at(translation, row, column) : -1;
}

static void print_at(
	const struct report *report, const char *file, int line, int column, const char *level, const char *message)
{
	int i = token_of(report, file, line, column);
	if (i >= 0) {
		print_token(report, i, level, message);
		return;
	}
	char *source = line_of(&shown, file, line);
	bool inside = column > 0 && (!source || column <= (int)strlen(source));
	print(upc__source_name(report->translation, file), line, inside ? column : 1, level, message, source);
	free(source);
}

static void count(struct report *report, const char *level)
{
	report->errors += strstr(level, "error") ? 1 : 0;
	report->warnings += strcmp(level, "warning") == 0;
}

/* Returns true if one of the first COUNT problems is on that line. */
static bool has_problem(const struct report *report, const char *file, int line, int count)
{
	const struct tokens *tokens = report->translation->tokens;
	for (int i = 0; i < count; i++) {
		const struct token *token = &tokens->list[report->translation->problems[i].token];
		if (token->line == line && strcmp(tokens->files[token->file], file) == 0)
			return true;
	}
	return false;
}

void upc__report_problems(struct report *report)
{
	const struct upc_translation *translation = report->translation;
	for (int i = 0; i < translation->problem_count; i++)
		print_token(report, translation->problems[i].token, "error", translation->problems[i].message);
	report->translator_problems = report->errors = translation->problem_count;
}

void upc__report_lowering(void *context, const char *file, int line, int column, const char *message)
{
	struct report *report = context;
	report->errors++;
	if (!has_problem(report, file, line, report->translation->problem_count))
		print_at(report, file, line, column, "error", message);
}

/* Replaces every FROM in TEXT; frees TEXT. */
static char *substitute(char *text, const char *from, const char *to)
{
	for (char *at = text; (at = strstr(at, from)) != NULL;) {
		char *made = upc__format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
		at = made + (at - text) + strlen(to);
		free(text);
		text = made;
	}
	return text;
}

/* Replaces bounds that contain the factor for THREADS by THREADS. */
static char *name_threads(char *text)
{
	for (char *at = text; (at = strpbrk(at, "0123456789")) != NULL;) {
		char *end;
		long value = strtol(at, &end, 10);
		if (value == 0 || value % UPC_THREADS_FACTOR != 0) {
			at = end;
			continue;
		}
		char *made = upc__format(
			"%.*s%ld * THREADS%s", (int)(at - text), text, value / UPC_THREADS_FACTOR, end + (*end == 'L'));
		at = made + (at - text);
		free(text);
		text = made;
	}
	return text;
}

#define STRING(number) #number
#define SPACE_TEXT(number) "__attribute__((address_space(" STRING(number) ")))"
#define GENERIC_TARGET SPACE_TEXT(UPC_GENERIC_SPACE) " struct " UPC_GENERIC_TARGET

/* Writes types in UPC syntax, and reasons in UPC terms. */
static char *to_upc_terms(char *text)
{
	static const struct {
		const char *from, *to;
	} phrases[] = {
		{" (aka 'unsigned _BitInt(63)')", ""},
		{" (aka '" GENERIC_TARGET " *')", ""},
		{GENERIC_TARGET, "shared void"},
		{UPC_GENERIC, "shared void *"},
		{UPC_GENERIC_INTEGER, "shared void *"},
		{"field may not be qualified with an address space",
			"a member of a structure or union cannot be shared"},
		{"parameter may not be qualified with an address space", "a parameter cannot be shared"},
		{"automatic variable qualified with an address space",
			"a shared variable must have static storage duration: declare it outside of functions, or "
			"static"},
		{"changes address space of pointer",
			"mixes private and shared pointers, or block sizes, without a cast"},
		{"changes address space of nested pointer", "mixes pointers to different shared types without a cast"},
		{"which are pointers to non-overlapping address spaces",
			"of private and shared, or of different block sizes"},
		{"operands of type  (", "operands of type ("},
		{"'address_space' attribute requires an integer constant", "a block size must be an integer constant"},
		{"address space is larger than the maximum supported",
			"the block size is more than UPC_MAX_BLOCK_SIZE"},
		{"address space is negative", "the block size is negative"},
		{"compound literal in function scope may not be qualified with an address space",
			"a compound literal in a function cannot be shared"},
		{"multiple address spaces specified for type", "two layouts for one shared type"},
	};
	for (char *at = text; (at = strstr(at, "__attribute__((address_space(")) != NULL;) {
		int space = 0, length = 0;
		sscanf(at, "__attribute__((address_space(%d)))%n", &space, &length);
		if (length == 0)
			break;
		if (space == UPC_GENERIC_SPACE) {
			at += length;
			continue;
		}
		char block[32] = "";
		if (space == UPC_SPACE + (int)UPC_UNKNOWN_NUMBER(0)) /* not computed in text with errors */
			snprintf(block, sizeof block, " [*]");
		else if (space != UPC_SPACE + 1)
			snprintf(block, sizeof block, space == UPC_SPACE ? " []" : " [%d]", space - UPC_SPACE);
		char *made = upc__format("%.*sshared%s%s", (int)(at - text), text, block, at + length);
		at = made + (at - text);
		free(text);
		text = made;
	}
	for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
		text = substitute(text, phrases[i].from, phrases[i].to);
	return name_threads(text);
}

void upc__report_types(void *context, int row, int column, const char *message)
{
	struct report *report = context;
	const struct tokens *tokens = report->translation->tokens;
	int found = upc__token_at(report->translation, row, column), i = found > 0 ? found : 0;
	const struct token *token = &tokens->list[i];
	if (has_problem(report, tokens->files[token->file], token->line, report->translator_problems))
		return;
	char *text = to_upc_terms(upc__format("%s", message));
	print_token(report, i, "error", text);
	free(text);
	upc__add_problem(report->translation, i, message); /* clang's other messages about this line result from it */
	report->errors++;
}

/*
 * Drops messages about `shared void *`, an integer for clang: the typing pass checks its conversions. UPC has no
 * implicit conversions between integers and pointers-to-shared; in completed text, they are those of the pass. Returns
 * the message's level; NULL: it is dropped.
 */
static const char *judge(const struct report *report, const struct upc_message *message)
{
	static const char *const conversions[] = {"pointer to integer conversion", "integer to pointer conversion",
		"comparison between pointer and integer", "pointer/integer type mismatch", "pointer/integer mismatch"};
	bool about = false, shared = strstr(message->text, "address_space(");
	if (strstr(message->text, "multiple identical address spaces"))
		return NULL; /* typeof of a shared object */
	if (strstr(message->text, "subtraction of pointers to type") && strstr(message->text, "of zero size"))
		return NULL; /* clang reports this for every array of variable length */
	for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++)
		about = about || strstr(message->text, conversions[i]);
	if (about && (strstr(message->text, UPC_GENERIC_INTEGER) || strstr(message->text, UPC_GENERIC)))
		return NULL;
	return !about || !shared ? message->level : report->typed ? NULL : "error";
}

/*
 * The text to report for clang's message about a cast that the translator inserted in a statement; NULL: the cast is
 * the user's.
 */
static const char *statement_message(const struct report *report, const struct upc_message *message)
{
	static const char *const synchronization[] = {"upc_barrier", "upc_notify", "upc_wait", NULL};
	if (!strstr(message->text, "where arithmetic or pointer type is required"))
		return NULL;
	if (upc__token_in(report->translation->tokens, token_of(report, message->file, message->line, message->column),
		    synchronization))
		return "the expression of a barrier must be a number or a pointer";
	return NULL;
}

/* Returns true if -Werror is on, and no -Wno-error option covers the message. */
static bool is_fatal(const struct report *report, const struct upc_message *message)
{
	const struct arguments *options = &report->driver->compile;
	const char *group = strstr(message->text, " [-W");
	for (int i = 0; group && i < options->count; i++) {
		const char *name = options->list[i];
		size_t length = strcspn(group + 4, "]");
		if (strncmp(name, "-Wno-error=", 11) == 0 && strlen(name + 11) == length &&
			memcmp(group + 4, name + 11, length) == 0)
			return false;
	}
	return report->driver->werror;
}

static void forget_included(struct report *report)
{
	free(report->included);
	free(report->included_file);
	report->included = report->included_file = NULL;
}

/* Keeps an include chain: clang prints it once, but the first message that it belongs to may be dropped. */
static void keep_included(struct report *report, const char *line)
{
	if (report->included_file)
		forget_included(report);
	char *all = upc__format("%s%s\n", report->included ? report->included : "", line);
	free(report->included);
	report->included = all;
}

static void follow_included(struct report *report, const struct upc_message *message)
{
	if (report->included && !report->included_file)
		report->included_file = upc__format("%s", message->file);
	else if (report->included && strcmp(report->included_file, message->file) != 0)
		forget_included(report);
}

/* Prints a message about the first missing extension: clang's later ones result from it, or are of its kind. */
static bool print_missing(struct report *report, const struct upc_message *message)
{
	size_t length;
	const char *name = report->lacks ? NULL : upc__missing_extension(message->text, &length);
	if (!name)
		return report->lacks;
	char *own =
		upc__format("'%.*s' is an extension of Berkeley UPC that is not supported: use the library of UPC 1.3",
			(int)length, name);
	print_at(report, message->file, message->line, message->column, "error", own);
	count(report, "error");
	free(own);
	report->lacks = true;
	return true;
}

/* LEVEL: the result of judge. */
static void print_message(struct report *report, const struct upc_message *message, const char *level)
{
	bool follows = has_problem(report, message->file, message->line, report->translation->problem_count);
	if (print_missing(report, message) || follows)
		return;
	const char *own = statement_message(report, message), *raw = own ? own : message->text;
	const char *option = strcmp(level, message->level) != 0 ? strstr(raw, " [-W") : NULL;
	char *text = to_upc_terms(upc__format("%.*s", option ? (int)(option - raw) : (int)strlen(raw), raw));
	if (report->included)
		fputs(report->included, stderr);
	forget_included(report);
	if (strcmp(level, "warning") == 0 && is_fatal(report, message))
		level = "error";
	print_at(report, message->file, message->line, message->column, level, text);
	count(report, level);
	free(text);
}

/* FILE:LINE:COLUMN: LEVEL: TEXT */
static bool read_message(const char *line, struct upc_message *message)
{
	static const char *const levels[] = {"fatal error", "error", "warning", "note", "remark"};
	int length = 0;
	*message = (struct upc_message){0};
	const char *colon = strchr(line, ':');
	while (colon && (sscanf(colon, ":%d:%d: %n", &message->line, &message->column, &length) != 2 || length == 0))
		colon = strchr(colon + 1, ':');
	if (!colon)
		return false;
	snprintf(message->file, sizeof message->file, "%.*s", (int)(colon - line), line);
	for (size_t i = 0; i < sizeof levels / sizeof *levels && !message->level; i++) {
		size_t end = strlen(levels[i]);
		if (strncmp(colon + length, levels[i], end) != 0 || strncmp(colon + length + end, ": ", 2) != 0)
			continue;
		message->level = levels[i];
		snprintf(message->text, sizeof message->text, "%s", colon + length + end + 2);
	}
	return message->level;
}

/* Lines without a position: keeps include chains; drops clang's count of messages, which is printed again later. */
static void print_other(struct report *report, const char *line)
{
	bool summary = isdigit((unsigned char)*line) && strstr(line, " generated.");
	if (strncmp(line, "In file included from ", 22) == 0)
		keep_included(report, line);
	else if (!summary && *line != '\0')
		fprintf(stderr, "%s\n", line);
}

/* clang crashes if a function is converted to a pointer-to-shared. Prints the position, but not clang's stack. */
static bool print_crash(struct report *report, const char *messages)
{
	struct upc_message message = {0};
	const char *dump = strstr(messages, "PLEASE submit a bug report");
	const char *place = dump ? strstr(dump, "\n1.\t") : NULL;
	if (!place || sscanf(place, " 1. %4095[^:]:%d:%d:", message.file, &message.line, &message.column) != 3)
		return false;
	print_at(report, message.file, message.line, message.column, "error",
		"the C compiler fails here: is a function converted to a pointer-to-shared?");
	count(report, "error");
	return true;
}

bool upc__is_error(const struct report *report, const struct upc_message *message)
{
	const char *level = judge(report, message);
	return level && strstr(level, "error");
}

/* ---- warnings about bounds ---- */

struct bounds_warning {
	int token;
	char *text;
};

void upc__forget_bounds(struct report *report)
{
	for (int i = 0; i < report->bounds_count; i++)
		free(report->bounds[i].text);
	free(report->bounds);
	report->bounds = NULL;
	report->bounds_count = 0;
}

void upc__keep_bounds(struct report *report, const struct upc_message *message)
{
	int token = upc__token_at(report->translation, message->row, message->column);
	if (token < 0 || !strstr(message->text, " [-Warray-bounds") || report->driver->no_warnings)
		return;
	struct bounds_warning *more = realloc(report->bounds, (size_t)(report->bounds_count + 1) * sizeof *more);
	if (!more)
		exit(1);
	report->bounds = more;
	more[report->bounds_count++] =
		(struct bounds_warning){.token = token, .text = to_upc_terms(upc__format("%s", message->text))};
}

/* Returns true if clang has a warning about bounds in the line of a token. */
static bool warns_of_bounds(const struct report *report, const char *messages, int token)
{
	const struct tokens *tokens = report->translation->tokens;
	char *place = upc__format("%s:%d:", tokens->files[tokens->list[token].file], tokens->list[token].line);
	bool found = false;
	for (const char *at = messages; at && !found && (at = strstr(at, place)) != NULL; at++)
		found = memmem(at, strcspn(at, "\n"), "[-Warray-bounds", 15);
	free(place);
	return found;
}

static void report_bounds(struct report *report, const char *messages)
{
	for (int i = 0; i < report->bounds_count; i++) {
		struct upc_message message = {.level = "warning"};
		snprintf(message.text, sizeof message.text, "%s", report->bounds[i].text);
		if (warns_of_bounds(report, messages, report->bounds[i].token))
			continue;
		const char *level = is_fatal(report, &message) ? "error" : message.level;
		print_token(report, report->bounds[i].token, level, message.text);
		count(report, level);
	}
	upc__forget_bounds(report);
}

void upc__report(struct report *report, const char *messages)
{
	const char *level = NULL;
	bool dropped = false; /* notes follow the message that they belong to */
	if (messages && print_crash(report, messages))
		return;
	for (const char *at = messages; at && *at != '\0';) {
		size_t length = strcspn(at, "\n");
		char *line = upc__format("%.*s", (int)length, at);
		struct upc_message message;
		if (!read_message(line, &message)) {
			print_other(report, line);
		} else {
			bool is_note = strcmp(message.level, "note") == 0;
			level = is_note ? message.level : judge(report, &message);
			if (!is_note)
				dropped = !level || (strcmp(level, "warning") == 0 && report->driver->no_warnings);
			follow_included(report, &message);
			if (level && !dropped)
				print_message(report, &message, level);
		}
		free(line);
		at += length + (at[length] == '\n');
	}
	forget_included(report);
	report_bounds(report, messages);
}

static void plural(FILE *out, int number, const char *word)
{
	fprintf(out, "%d %s%s", number, word, number == 1 ? "" : "s");
}

void upc__report_end(const struct report *report)
{
	if (report->errors == 0 && report->warnings == 0)
		return;
	if (report->warnings > 0)
		plural(stderr, report->warnings, "warning");
	if (report->errors > 0 && report->warnings > 0)
		fputs(" and ", stderr);
	if (report->errors > 0)
		plural(stderr, report->errors, "error");
	fputs(" generated.\n", stderr);
}
