/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * UPC's grammar, as far as `heddle tune` needs it: the declarations of a file, and functions as trees whose nodes know
 * their tokens. The source is not preprocessed: a name may be a macro, and then has no symbol.
 */
#ifndef HEDDLE_CLI_TUNE_SYNTAX_H
#define HEDDLE_CLI_TUNE_SYNTAX_H

#include "cli/tune/source.h"

enum tune_type_kind { TUNE_BASE, TUNE_POINTER, TUNE_ARRAY, TUNE_FUNCTION, TUNE_UNKNOWN };

struct tune_type {
	enum tune_type_kind kind;
	bool shared, strict, is_const, is_volatile;
	const char *layout;         /* of a shared base: "", "[]", "[4]", "[*]" */
	const char *name;           /* of a base, without qualifiers: "unsigned int", "struct edge" */
	const char *basic;          /* of a base behind typedefs of this file: the name of what they stand for */
	const char *bound;          /* of an array, "" if none */
	struct tune_record *record; /* of a structure or union whose members are known */
	struct tune_type *of;       /* what a pointer points to, an array consists of, a function returns */
};

enum tune_symbol_kind { TUNE_VARIABLE, TUNE_TYPEDEF, TUNE_ENUMERATOR, TUNE_ROUTINE, TUNE_TAG };

struct tune_symbol {
	struct tune_symbol *next; /* of the same scope */
	enum tune_symbol_kind kind;
	const char *name;
	struct tune_type *type;
	int token;              /* its name, where it is declared */
	bool global, parameter; /* global: declared outside of functions */
	bool is_static, is_extern;
	int position;                /* of a parameter, from 0 */
	int parameters, body;        /* of a defined function: its brackets `(` and `{`; body is 0 otherwise */
	int first;                   /* of a defined function: where its declaration begins */
	struct tune_node *tree;      /* of a function that was parsed */
	struct tune_symbol *symbols; /* of a function that was parsed: its parameters */
	int copies;                  /* declarations of this name in this scope */
	/* For the analysis of one loop. */
	struct tune_facts *facts;
};

struct tune_record {
	struct tune_symbol *members;
};

enum tune_node_kind {
	/* expressions */
	TUNE_NAME,
	TUNE_CONSTANT,
	TUNE_GROUP,       /* (child) */
	TUNE_INDEX,       /* child[child] */
	TUNE_MEMBER,      /* child.name: op is `.` or `->`, name the member */
	TUNE_CALL,        /* child(child, ...) */
	TUNE_UNARY,       /* op child */
	TUNE_POSTFIX,     /* child op */
	TUNE_BINARY,      /* child op child; also the comma */
	TUNE_ASSIGNMENT,  /* child op child */
	TUNE_CONDITIONAL, /* child ? child : child */
	TUNE_CAST,        /* (type) child */
	TUNE_SIZEOF,      /* child, if it is an expression */
	TUNE_LITERAL,     /* (type){...} */
	TUNE_BRACES,      /* {child, ...} of an initializer */
	TUNE_TYPE_NAME,   /* as an argument of a macro */
	/* statements */
	TUNE_BLOCK,
	TUNE_DECLARATION, /* a child for each declarator */
	TUNE_DECLARATOR,  /* child: initializer, or none */
	TUNE_EXPRESSION,  /* child; */
	TUNE_EMPTY,       /* ; or an absent part of a for */
	TUNE_IF,          /* condition, then, else or none */
	TUNE_WHILE,       /* condition, body */
	TUNE_DO,          /* body, condition */
	TUNE_FOR,         /* start, condition, step, body */
	TUNE_FORALL,      /* start, condition, step, affinity, body */
	TUNE_SWITCH,      /* value, body */
	TUNE_CASE,        /* value or none, statement */
	TUNE_LABEL,       /* statement */
	TUNE_JUMP,        /* break, continue, goto, return: op; child or none */
	TUNE_SYNCHRONIZE, /* upc_barrier and the like */
};

struct tune_node {
	enum tune_node_kind kind;
	int first, last; /* tokens */
	int op;          /* token, see above; of a declarator, its name */
	struct tune_node *parent, *child, *next;
	struct tune_symbol *symbol; /* of a name or declarator; NULL: not declared in this file */
	struct tune_type *type;     /* of an expression or declarator; NULL or TUNE_UNKNOWN: not known */
};

struct tune_scope {
	struct tune_scope *outer;
	struct tune_symbol *symbols;
};

struct tune_file {
	struct tune_work *work;
	struct tune_source source;
	struct tune_scope globals;
	struct tune_scope *scope; /* while parsing */
	int depth;                /* of nested expressions and statements: bounded, since they recurse */
};

/* Reads the declarations outside of functions; those that are not understood are left out. */
void heddle__tune_read_file(struct tune_file *file);
/* How often a function is defined, in branches of #if. */
int heddle__tune_definitions(const struct tune_file *file, const char *function);
/* The function around a token, parsed; NULL if it is outside of functions. */
struct tune_symbol *heddle__tune_function_at(struct tune_file *file, int token);
/* Parses a defined function, once. Refuses what it does not understand. */
void heddle__tune_parse_function(struct tune_file *file, struct tune_symbol *function);

/* ---- for the parser's own files ---- */

/* All of these advance *at behind what they read. */
struct tune_node *heddle__tune_expression(struct tune_file *file, int *at); /* with commas */
struct tune_node *heddle__tune_assignment(struct tune_file *file, int *at); /* without */
struct tune_node *heddle__tune_initializer(struct tune_file *file, int *at);
struct tune_node *heddle__tune_statement(struct tune_file *file, int *at);

struct tune_specifiers {
	struct tune_type *type;
	bool is_typedef, is_static, is_extern;
};

/* Whether that token is the text, or one of a list that ends with NULL; then the next token. */
static inline bool heddle__tune_at(const struct tune_file *file, int at, const char *text)
{
	return heddle__tune_is(&file->source, at, text);
}

static inline bool heddle__tune_at_any(const struct tune_file *file, int at, const char *const *list)
{
	while (*list && !heddle__tune_at(file, at, *list))
		list++;
	return *list;
}

static inline void heddle__tune_step(const struct tune_file *file, int *at)
{
	*at = heddle__tune_next(&file->source, *at);
}

bool heddle__tune_starts_type(const struct tune_file *file, int token);
struct tune_specifiers heddle__tune_specifiers(struct tune_file *file, int *at);
/* A declarator: returns its type and fills *name with the token of its name, -1 if it has none. */
struct tune_type *heddle__tune_declarator(struct tune_file *file, struct tune_type *base, int *at, int *name);
struct tune_type *heddle__tune_type_name(struct tune_file *file, int *at);
/* Parameters of a function, from its `(`, into the current scope. */
void heddle__tune_parameters(struct tune_file *file, int open);
/* A declarator, which declares its symbol. */
struct tune_symbol *heddle__tune_declared(struct tune_file *file, const struct tune_specifiers *specifiers, int *at);
/* A declaration in a function, with its `;`. */
struct tune_node *heddle__tune_declaration(struct tune_file *file, int *at);

struct tune_symbol *heddle__tune_declare(
	struct tune_file *file, enum tune_symbol_kind kind, int token, struct tune_type *type);
struct tune_symbol *heddle__tune_find(const struct tune_file *file, const struct tune_scope *scope, int token);
struct tune_symbol *heddle__tune_find_name(const struct tune_scope *scope, const char *name);

struct tune_node *heddle__tune_node(struct tune_file *file, enum tune_node_kind kind, int first);
void heddle__tune_adopt(struct tune_node *parent, struct tune_node *child);
/* Requires a token and steps behind it. */
void heddle__tune_expect(const struct tune_file *file, int *at, const char *text);
/* Enters a nested part; refuses when there are too many. Left by depth--. */
void heddle__tune_enter(struct tune_file *file, int token);
_Noreturn void heddle__tune_unparsable(const struct tune_file *file, int token);

/* ---- for everybody ---- */

struct tune_type *heddle__tune_unknown_type(struct tune_file *file);
/* The n-th child, or NULL. */
struct tune_node *heddle__tune_child(const struct tune_node *node, int n);
/* Without parentheses around it. */
struct tune_node *heddle__tune_bare(struct tune_node *node);
bool heddle__tune_op(const struct tune_file *file, const struct tune_node *node, const char *text);
/* The node after `node` in the order of the tree below `top`, or NULL. */
struct tune_node *heddle__tune_walk(const struct tune_node *top, const struct tune_node *node);
bool heddle__tune_within(const struct tune_node *node, const struct tune_node *outer);

#endif
