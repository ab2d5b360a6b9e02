/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Queries about expressions of a loop: which element an access reaches, what it changes, what is known of its
 * variables. Does not refuse anything itself.
 */
#include "cli/base/exit_status.h"
#include "tune/loop.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void heddle__tune_refuse_node(const struct tune_loop *loop, const struct tune_node *node, const char *format, ...)
{
	va_list list;
	va_start(list, format);
	const struct tune_source *source = &loop->file->source;
	heddle__tune_stop_list(
		source->work, HEDDLE_EXIT_REFUSED, source->path, source->tokens[node->first].line, format, list);
}

struct tune_facts *heddle__tune_facts(struct tune_loop *loop, struct tune_symbol *symbol)
{
	struct tune_work *work = loop->file->work;
	if (symbol->facts)
		return symbol->facts;
	if (loop->fact_count == loop->fact_room) {
		loop->fact_room = 2 * loop->fact_room + 16;
		struct tune_facts **more = heddle__tune_take(work, sizeof(*more) * (size_t)loop->fact_room);
		if (loop->fact_count)
			memcpy(more, loop->facts, sizeof(*more) * (size_t)loop->fact_count);
		loop->facts = more;
	}
	symbol->facts = heddle__tune_take(work, sizeof(*symbol->facts));
	symbol->facts->symbol = symbol;
	symbol->facts->round = -1;
	loop->facts[loop->fact_count++] = symbol->facts;
	return symbol->facts;
}

bool heddle__tune_may_change(struct tune_loop *loop, struct tune_symbol *symbol)
{
	const struct tune_facts *facts = heddle__tune_facts(loop, symbol);
	return facts->written || facts->stored || facts->address_taken ||
	       (loop->writes_memory && heddle__tune_addressed(loop->file, symbol));
}

bool heddle__tune_is_zero(const struct tune_file *file, struct tune_node *node)
{
	node = heddle__tune_bare(node);
	return (node->kind == TUNE_SUM && !node->child) ||
	       (node->kind == TUNE_CONSTANT && heddle__tune_is(&file->source, node->first, "0"));
}

struct tune_symbol *heddle__tune_function_of(const struct tune_file *file, const struct tune_symbol *parameter)
{
	struct tune_symbol *function = file->globals;
	while (function && !(function->body && function->parameters < parameter->token &&
				   parameter->token < file->source.tokens[function->parameters].partner))
		function = function->next;
	return function;
}

struct tune_access *heddle__tune_access_at(const struct tune_loop *loop, const struct tune_node *element)
{
	struct tune_access *access = loop->accesses;
	while (access && (access->element != element || access->variant != loop->variant))
		access = access->next;
	return access;
}

struct tune_access *heddle__tune_access_of(const struct tune_loop *loop, const struct tune_node *top)
{
	struct tune_access *access = loop->accesses;
	while (access && (access->top != top || access->variant != loop->variant))
		access = access->next;
	return access;
}

bool heddle__tune_gets(const struct tune_access *access)
{
	return access->read || access->top != access->element;
}

struct tune_symbol *heddle__tune_name_of(const struct tune_node *element)
{
	while (element->kind == TUNE_INDEX || element->kind == TUNE_GROUP)
		element = element->child;
	return element->symbol;
}

struct tune_node *heddle__tune_index(const struct tune_access *access, int n)
{
	struct tune_node *node = access->element;
	int depth = 0;
	for (; node->kind == TUNE_INDEX; node = heddle__tune_bare(node->child))
		depth++;
	if (n >= depth)
		return NULL;
	node = access->element;
	for (int i = depth - 1; i > n; i--)
		node = heddle__tune_bare(node->child);
	return node->child->next;
}

bool heddle__tune_same_text(const struct tune_file *file, const struct tune_node *a, const struct tune_node *b)
{
	if (a->kind == TUNE_SUM || a->kind == TUNE_NEGATIVE || b->kind == TUNE_SUM) {
		const struct tune_node *one = a->child, *other = b->child;
		while (one && other && heddle__tune_same_text(file, one, other))
			one = one->next, other = other->next;
		return a->kind == b->kind && !one && !other;
	}
	if (a->last - a->first != b->last - b->first)
		return false;
	for (int i = 0; i <= a->last - a->first; i++)
		if (!heddle__tune_same(&file->source, a->first + i, b->first + i))
			return false;
	return true;
}

bool heddle__tune_is_change(const struct tune_file *file, const struct tune_node *node)
{
	return node->kind == TUNE_ASSIGNMENT || node->kind == TUNE_POSTFIX ||
	       (node->kind == TUNE_UNARY && (heddle__tune_op(file, node, "++") || heddle__tune_op(file, node, "--")));
}

bool heddle__tune_is_steady(const struct tune_file *file, const struct tune_symbol *function,
	const struct tune_symbol *symbol, struct tune_node **first)
{
	const struct tune_node *tree = function->tree;
	for (const struct tune_node *node = tree; node; node = heddle__tune_walk(tree, node)) {
		bool changed = heddle__tune_is_change(file, node) || node->kind == TUNE_ADDRESS;
		if ((changed && heddle__tune_bare(node->child)->symbol == symbol) ||
			(node->kind == TUNE_OTHER &&
				heddle__tune_mentions(file, node->first, node->last, symbol->name)))
			return false;
		if (node->kind == TUNE_DECLARATOR && node->symbol == symbol)
			*first = node->child;
	}
	return true;
}

bool heddle__tune_has_no_effect(const struct tune_loop *loop, const struct tune_node *top)
{
	for (const struct tune_node *node = top; node; node = heddle__tune_walk(top, node)) {
		bool call = node->kind == TUNE_CALL &&
			    !(node->child->kind == TUNE_NAME && !node->child->symbol &&
				    heddle__tune_is_pure(&loop->file->source, node->child->first));
		if (call || heddle__tune_is_change(loop->file, node) || node->kind == TUNE_LITERAL)
			return false;
	}
	return true;
}

bool heddle__tune_value(const struct tune_file *file, const struct tune_node *node, long *value)
{
	long left, right;
	char *end;
	while (node->kind == TUNE_GROUP)
		node = node->child;
	if (node->kind == TUNE_CONSTANT) {
		*value = strtol(heddle__tune_word(&file->source, node->first), &end, 10);
		return *end == '\0';
	}
	if (node->kind != TUNE_BINARY || !heddle__tune_value(file, node->child, &left) ||
		!heddle__tune_value(file, node->child->next, &right))
		return false;
	if (heddle__tune_op(file, node, "*"))
		return !__builtin_mul_overflow(left, right, value);
	if (heddle__tune_op(file, node, "+"))
		return !__builtin_add_overflow(left, right, value);
	return heddle__tune_op(file, node, "-") && !__builtin_sub_overflow(left, right, value);
}

/* The node whose value `node` is a part of: x[i] of x[i].f[2], grid[r] of grid[r][c]. */
static struct tune_node *part_of(const struct tune_node *node)
{
	struct tune_node *inner = heddle__tune_bare(node->child);
	if (node->kind == TUNE_MEMBER)
		return inner;
	if (node->kind == TUNE_INDEX && inner->type && inner->type->kind == TUNE_ARRAY)
		return inner;
	return NULL;
}

struct tune_symbol *heddle__tune_root(struct tune_node *top, struct tune_node **element)
{
	struct tune_node *node = top;
	*element = NULL;
	for (;;) {
		struct tune_node *inner = part_of(node);
		if (node->kind == TUNE_INDEX) {
			if (!node->type || node->type->kind != TUNE_ARRAY)
				*element = node;
			struct tune_node *base = heddle__tune_bare(node->child);
			if (base->kind == TUNE_NAME && *element)
				return base->symbol;
		}
		if (node->kind == TUNE_NAME)
			return node->symbol;
		if (!inner)
			break;
		node = inner;
	}
	*element = NULL;
	return NULL;
}

/* Returns true if a pointer is an argument of upc_threadof or a similar function. */
bool heddle__tune_is_asked_about(const struct tune_file *file, const struct tune_node *pointer)
{
	const struct tune_node *call = heddle__tune_above(pointer);
	static const char *const asking[] = {"upc_threadof", "upc_phaseof", "upc_addrfield"};
	for (size_t i = 0; call && call->kind == TUNE_CALL && i < 3; i++)
		if (heddle__tune_is(&file->source, call->child->first, asking[i]))
			return true;
	return false;
}

static const char *const pure[] = {"abs", "labs", "llabs", "fabs", "fabsf", "sqrt", "sqrtf", "cbrt", "sin", "sinf",
	"cos", "cosf", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "exp", "expf", "exp2", "log",
	"logf", "log2", "log10", "log1p", "expm1", "pow", "powf", "fmin", "fminf", "fmax", "fmaxf", "fmod", "floor",
	"floorf", "ceil", "ceilf", "round", "roundf", "trunc", "rint", "lround", "llround", "lrint", "hypot",
	"copysign", "fma", "isnan", "isinf", "isfinite", "signbit", "inf", "inff", "huge_val", "nanf", "upc_threadof",
	"upc_phaseof", "upc_addrfield", "isdigit", "isalpha", "isspace", "toupper", "tolower", "__ctype_b_loc", NULL};

static const char *const orderly[] = {"printf", "fprintf", "puts", "fputs", "putchar", "putc", "fputc", "fflush",
	"perror", "rand", "random", "drand48", "lrand48", "mrand48", "exit", "abort", "__assert_fail",
	"upc_global_exit", NULL};

/* Macros of the C library expand to functions of the compiler, such as __builtin_isnan. */
static bool is_one_of(const char *name, const char *const *names)
{
	static const char prefix[] = "__builtin_";
	size_t skipped = strncmp(name, prefix, sizeof prefix - 1) == 0 ? sizeof prefix - 1 : 0;
	while (*names && strcmp(name + skipped, *names) != 0)
		names++;
	return *names;
}

/* Returns true for a function of another file that has no effects, nor have those that it calls. */
static bool is_known_pure(const struct tune_source *source, const char *name)
{
	struct tune_pure *known = source->pure;
	size_t length = strlen(name);
	while (known && !(strncmp(known->names, name, length) == 0 && known->names[length] == ' '))
		known = known->next;
	if (!known || known->asked)
		return known;
	bool good = true;
	known->asked = true;
	for (const char *at = known->names + length + 1; *at && good; at += strcspn(at, " ") + 1) {
		const char *called = heddle__tune_copy(source->work, at, strcspn(at, " "));
		good = is_one_of(called, pure) || is_known_pure(source, called);
	}
	known->asked = false;
	return good;
}

bool heddle__tune_is_pure(const struct tune_source *source, int token)
{
	const char *name = heddle__tune_word(source, token);
	return is_one_of(name, pure) || is_known_pure(source, name);
}

bool heddle__tune_is_orderly(const struct tune_source *source, int token)
{
	return is_one_of(heddle__tune_word(source, token), orderly);
}

bool heddle__tune_addressed(const struct tune_file *file, const struct tune_symbol *symbol)
{
	const struct tune_symbol *in;
	const struct tune_node *node = NULL;
	while ((node = heddle__tune_walk_file(file, &in, node)) != NULL) {
		const struct tune_node *part = node->kind == TUNE_ADDRESS ? heddle__tune_bare(node->child) : NULL;
		while (part && part->kind == TUNE_MEMBER)
			part = heddle__tune_bare(part->child);
		if (part && part->kind == TUNE_NAME && part->symbol == symbol)
			return true;
	}
	return false;
}
