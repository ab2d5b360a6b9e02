/* SPDX-License-Identifier: BSD-3-Clause */
/* Directives are read one by one, whether their #if holds or not: more may be refused, nothing is overlooked. */
#include "cli/tune/macros.h"

#include "cli/exit_status.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define MOST_INCLUDES 100

static const char *const constants[] = {"THREADS", "MYTHREAD", "NULL", "true", "false", "INT_MAX", "INT_MIN",
	"UINT_MAX", "LONG_MAX", "LONG_MIN", "ULONG_MAX", "SIZE_MAX", "INT32_MAX", "INT32_MIN", "UINT32_MAX",
	"INT64_MAX", "INT64_MIN", "UINT64_MAX", "CHAR_MAX", "CHAR_BIT", "SHRT_MAX", "DBL_MAX", "DBL_MIN", "DBL_EPSILON",
	"FLT_MAX", "FLT_MIN", "FLT_EPSILON", "M_PI", "M_E", "M_PI_2", "M_SQRT2", "INFINITY", "NAN", "HUGE_VAL",
	"RAND_MAX", "UPC_MAX_BLOCK_SIZE", "EXIT_SUCCESS", "EXIT_FAILURE", NULL};
static const char *const pure[] = {"abs", "labs", "llabs", "fabs", "fabsf", "sqrt", "sqrtf", "cbrt", "sin", "sinf",
	"cos", "cosf", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "expf", "exp2", "log",
	"logf", "log2", "log10", "log1p", "expm1", "pow", "powf", "fmin", "fminf", "fmax", "fmaxf", "fmod", "floor",
	"floorf", "ceil", "ceilf", "round", "roundf", "trunc", "rint", "lround", "llround", "lrint", "hypot",
	"copysign", "fma", "isnan", "isinf", "isfinite", "signbit", "upc_threadof", "upc_phaseof", "upc_addrfield",
	"isdigit", "isalpha", "isspace", "toupper", "tolower", "INT64_C", "UINT64_C", "INT32_C", "UINT32_C", NULL};

static bool is_among(const struct tune_source *source, int token, const char *const *list)
{
	for (; *list; list++)
		if (heddle__tune_is(source, token, *list))
			return true;
	return false;
}

bool heddle__tune_is_pure(const struct tune_source *source, int token)
{
	return is_among(source, token, pure);
}

const struct tune_macro *heddle__tune_macro(
	const struct tune_macros *macros, const struct tune_source *source, int token)
{
	const struct tune_macro *macro = macros->list;
	while (macro && !heddle__tune_is(source, token, macro->name))
		macro = macro->next;
	return macro;
}

/* `text` is what follows #define. */
static void define(struct tune_work *work, struct tune_macros *macros, const char *path, int line, const char *text)
{
	struct tune_macro *macro = heddle__tune_take(work, sizeof(*macro));
	size_t length = 0;
	text += strspn(text, " \t");
	while (isalnum((unsigned char)text[length]) || text[length] == '_' || text[length] == '$')
		length++;
	macro->name = heddle__tune_copy(work, text, length);
	macro->has_parameters = text[length] == '(';
	macro->path = path;
	macro->line = line;
	/* A # would look like a directive at the start of a line. */
	char *body = heddle__tune_format(work, ";%s", text + length);
	heddle__tune_split(work, path, body, strlen(body), &macro->body);
	macro->next = macros->list;
	macros->list = macro;
}

struct reading {
	struct tune_work *work;
	struct tune_macros *macros;
	const char *main_path;
	int includes;
};

static void read_directives(struct reading *reading, const struct tune_source *source);

/* A file that can't be read is like one of the system's: nothing is known of it. */
static void read_include(struct reading *reading, const char *path, const char *name, size_t length)
{
	const char *slash = strrchr(path, '/');
	struct tune_source included;
	char *found = heddle__tune_format(
		reading->work, "%.*s%.*s", slash ? (int)(slash - path + 1) : 0, path, (int)length, name);
	if (++reading->includes < MOST_INCLUDES && heddle__tune_load(reading->work, found, &included) == 0)
		read_directives(reading, &included);
}

static void note_strict(struct reading *reading, const struct tune_source *source, int line)
{
	reading->macros->strict = true;
	if (strcmp(source->path, reading->main_path) == 0)
		reading->macros->strict_line = line;
}

static void read_directive(struct reading *reading, const struct tune_source *source, const struct tune_token *token)
{
	char *text = heddle__tune_copy(reading->work, token->text + 1, (size_t)token->length - 1);
	text += strspn(text, " \t");
	if (strncmp(text, "define", 6) == 0 && isspace((unsigned char)text[6])) {
		define(reading->work, reading->macros, source->path, token->line, text + 6);
	} else if (strncmp(text, "include", 7) == 0) {
		char *name = text + 7 + strspn(text + 7, " \t");
		if (*name && strncmp(name + 1, "upc_strict.h", 12) == 0)
			note_strict(reading, source, token->line);
		if (*name == '"')
			read_include(reading, source->path, name + 1, strcspn(name + 1, "\""));
	} else if (strncmp(text, "pragma", 6) == 0) {
		char *rest = text + 6 + strspn(text + 6, " \t");
		if (strncmp(rest, "upc", 3) == 0 && strstr(rest, "strict"))
			note_strict(reading, source, token->line);
	}
}

static void read_directives(struct reading *reading, const struct tune_source *source)
{
	for (int i = 0; i < source->count; i++)
		if (source->tokens[i].kind == TUNE_DIRECTIVE)
			read_directive(reading, source, &source->tokens[i]);
}

void heddle__tune_read_macros(struct tune_file *file, const char *const *definitions, struct tune_macros *macros)
{
	struct reading reading = {.work = file->work, .macros = macros, .main_path = file->source.path};
	for (; definitions && *definitions; definitions++) {
		char *text = heddle__tune_format(file->work, "%s", *definitions);
		char *value = strchr(text, '=');
		if (value)
			*value = ' ';
		define(file->work, macros, "a -D option", 1, text);
	}
	read_directives(&reading, &file->source);
}

static _Noreturn void refuse_macro(
	const struct tune_file *file, int token, const struct tune_macro *macro, const char *what)
{
	heddle__tune_refuse(&file->source, token, "the macro %s (%s:%d) %s: write it out here, and try again",
		macro->name, macro->path, macro->line, what);
}

static bool is_parameter(const struct tune_macro *macro, int token)
{
	int end = macro->has_parameters ? macro->body.tokens[1].partner : 0;
	for (int i = 2; i < end; i++)
		if (heddle__tune_same(&macro->body, i, token))
			return true;
	return false;
}

static void check_body(struct tune_file *file, struct tune_macros *macros, int token, struct tune_macro *macro);

static void check_body_name(
	struct tune_file *file, struct tune_macros *macros, int token, struct tune_macro *macro, int i)
{
	static const char *const types[] = {"int", "long", "unsigned", "double", "float", "char", "short", "signed",
		"size_t", "sizeof", "const", "int64_t", "uint64_t", "int32_t", "uint32_t", NULL};
	const struct tune_source *body = &macro->body;
	struct tune_macro *other = (struct tune_macro *)heddle__tune_macro(macros, body, i);
	if (other == macro || is_parameter(macro, i) || is_among(body, i, constants) || is_among(body, i, pure) ||
		is_among(body, i, types))
		return;
	const struct tune_symbol *symbol = heddle__tune_find_name(&file->globals, heddle__tune_word(body, i));
	if (other)
		check_body(file, macros, token, other);
	else if (!symbol || symbol->kind != TUNE_ENUMERATOR)
		refuse_macro(file, token, macro, "is not a constant, nor an expression of its parameters alone");
}

/* Names that a macro may contain: parameters, constants, pure functions, macros of that kind. */
static void check_body(struct tune_file *file, struct tune_macros *macros, int token, struct tune_macro *macro)
{
	static const char *const effects[] = {"=", "++", "--",
		"+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "#", "##", ";", "{", "[", "->", ".", "&",
		NULL};
	const struct tune_source *body = &macro->body;
	if (macro->seen)
		return;
	if (body->unbalanced)
		refuse_macro(file, token, macro, "has an open bracket");
	macro->seen = true;
	for (int i = macro->has_parameters ? body->tokens[1].partner + 1 : 1; i < body->count; i++) {
		bool address = heddle__tune_is(body, i, "&") && body->tokens[i - 1].kind != TUNE_PUNCTUATION;
		if (!address && is_among(body, i, effects))
			refuse_macro(file, token, macro, "has side effects, or is no plain expression");
		if (body->tokens[i].kind == TUNE_WORD)
			check_body_name(file, macros, token, macro, i);
	}
	macro->seen = false;
}

void heddle__tune_check_macro(struct tune_file *file, struct tune_macros *macros, int token, bool called)
{
	const struct tune_source *source = &file->source;
	bool any = false;
	for (struct tune_macro *macro = macros->list; macro; macro = macro->next) {
		if (!heddle__tune_is(source, token, macro->name))
			continue;
		any = true;
		if (macro->has_parameters && !called)
			refuse_macro(file, token, macro, "is named without its arguments");
		check_body(file, macros, token, macro);
	}
	if (any || (!called && is_among(source, token, constants)))
		return;
	heddle__tune_refuse(source, token,
		called ? "the loop calls %s, whose effects are not known here: it is not defined in this file"
		       : "%s is not declared in this file: it may be a macro, or a variable of an #include",
		heddle__tune_word(source, token));
}
