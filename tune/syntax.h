/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The facts that the compiler has about a source: its declarations, and its functions as trees whose nodes have the
 * numbers of their tokens. MYTHREAD, THREADS and the functions of headers have no symbol.
 */
#ifndef HEDDLE_TUNE_SYNTAX_H
#define HEDDLE_TUNE_SYNTAX_H

#include "tune/source.h"

enum tune_type_kind { TUNE_BASE, TUNE_POINTER, TUNE_ARRAY, TUNE_FUNCTION, TUNE_UNKNOWN };

struct tune_type {
	enum tune_type_kind kind;
	bool shared, strict, is_volatile;
	bool is_union, is_own;      /* is_own: a structure or union that is declared in this file */
	int block;                  /* of a shared type: 1 by default; 0: indefinite */
	const char *name;           /* of a base type, without qualifiers: "unsigned int", "struct edge" */
	const char *basic;          /* of a base type: the name behind typedefs */
	const char *bound;          /* of an array, "" if none */
	long elements;              /* of an array; -1: unknown */
	struct tune_record *record; /* of a structure or union with known members */
	struct tune_type *of;       /* the type that a pointer points to, an array consists of, or a function returns */
};

enum tune_symbol_kind { TUNE_VARIABLE, TUNE_TYPEDEF, TUNE_ENUMERATOR, TUNE_ROUTINE };

/* An expression on the path to a structure. */
struct tune_part {
	const struct tune_part *next;
	const struct tune_node *node;
};

/* A structure, or a pointer to one: g, p->forest, levels[k + 1] */
struct tune_structure {
	struct tune_symbol *symbol; /* the variable that the path begins with; NULL: none */
	bool pointed;               /* this variable is a pointer */
	bool by_pointer;            /* the path is that of a pointer */
	const char *path;           /* its text; of a member: with the member */
	const char *key;            /* the same, with the token of each variable */
	const struct tune_part *parts;
};

struct tune_symbol {
	struct tune_symbol *next; /* of the globals, or of a function's parameters */
	enum tune_symbol_kind kind;
	const char *name;
	struct tune_type *type;
	int token;              /* its name, where it is defined or else declared; -1: in another file */
	bool global, parameter; /* global: declared outside of functions */
	bool is_static, is_extern;
	int position; /* of a parameter, from 0 */
	/* Of a pointer-to-shared that is a member of a structure (structures.c): */
	struct tune_structure structure;
	const struct tune_type *record; /* the type of the structure that has it as a member */
	/* For a function that is defined here: */
	int parameters, body;        /* its brackets `(` and `{`; body is 0 otherwise */
	int first;                   /* the first token of its declaration */
	struct tune_node *tree;      /* also the initializer of a global variable */
	struct tune_symbol *symbols; /* its parameters */
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
	TUNE_INDEX,       /* child[child]; also *(child + child) and similar forms (elements.c) */
	TUNE_MEMBER,      /* child.name; p->name has a child p[0] */
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
	/* statements */
	TUNE_BLOCK,
	TUNE_DECLARATION, /* a child for each declarator */
	TUNE_DECLARATOR,  /* child: initializer, or none */
	TUNE_EXPRESSION,  /* child; */
	TUNE_EMPTY,       /* ; or an absent part of a for */
	TUNE_IF,          /* condition, then, else or none */
	TUNE_WHILE,       /* condition, body */
	TUNE_DO,          /* body, condition */
	TUNE_FOR,         /* start, condition, step, body; also a upc_forall inside of another one (elements.c) */
	TUNE_FORALL,      /* start, condition, step, affinity, body */
	TUNE_SWITCH,      /* value, body */
	TUNE_CASE,        /* value or none, statement */
	TUNE_LABEL,       /* statement */
	TUNE_JUMP,        /* break, continue, goto, return: op; child or none */
	TUNE_SYNCHRONIZE, /* upc_barrier and similar statements */
	TUNE_OTHER,       /* an expression or statement that is not examined, such as an extension of C */
	/* of the unified form (elements.c); the compiler does not write these */
	TUNE_ADDRESS,  /* &child; also a pointer plus a number, with an index as the child */
	TUNE_SUM,      /* a sum of its children: k + j of (p + k)[j]; without any: 0. It has no tokens of its own */
	TUNE_NEGATIVE, /* of a sum: child is subtracted */
};

struct tune_node {
	enum tune_node_kind kind;
	int first, last; /* tokens */
	int op;          /* a token, see above; for a declarator, its name */
	struct tune_node *parent, *child, *next;
	struct tune_symbol *symbol; /* of a name or declarator; or NULL */
	struct tune_type *type;     /* of an expression or declarator; NULL or TUNE_UNKNOWN: unknown */
};

/* Lines of a source, inclusive. */
struct tune_lines {
	struct tune_lines *next;
	int first, last;
};

struct tune_file {
	struct tune_work *work;
	struct tune_source source;
	struct tune_symbol *globals; /* the last one of the file first */
	struct tune_symbol *members; /* pointers-to-shared in structures that are variables of the tree */
	struct tune_lines *strict;   /* where accesses are strict by default */
	const char *const *flags;    /* options that the source is compiled with, ended by NULL; or NULL */
};

/*
 * Reads the facts that the compiler has about the file, whose text was loaded. `flags`: options for the compiler, ended
 * by NULL, or NULL. Refuses a source that does not compile; `quiet` suppresses the compiler's messages.
 */
void heddle__tune_read_file(struct tune_file *file, const char *const *flags, bool quiet);
/* Converts accesses to elements to one form: see elements.c. */
void heddle__tune_unify_elements(struct tune_file *file);
/* Makes pointers-to-shared in structures variables, in the unified tree: see structures.c. */
void heddle__tune_name_members(struct tune_file *file);
/* What follows the last `.` or `->`: "next" of "g->next"; of other texts, all of it. */
const char *heddle__tune_last_member(const char *text);
/* Returns true if both are variables of structures.c, and the same member of structures of one type. */
bool heddle__tune_are_same_member(const struct tune_symbol *a, const struct tune_symbol *b);
/* Returns true if a node is the same member of any structure of that type, as a variable's of structures.c. */
bool heddle__tune_is_same_member(
	const struct tune_file *file, const struct tune_symbol *symbol, const struct tune_node *node);
/* The function that contains a token; NULL: none. */
struct tune_symbol *heddle__tune_function_at(const struct tune_file *file, int token);
struct tune_symbol *heddle__tune_find_name(const struct tune_file *file, const char *name);

/* Returns true if the token AT is TEXT; heddle__tune_at_any: if it is in a list that ends with NULL. */
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

struct tune_type *heddle__tune_unknown_type(struct tune_file *file);
/* The n-th child, or NULL. */
struct tune_node *heddle__tune_child(const struct tune_node *node, int n);
/* The node without parentheses around it. */
struct tune_node *heddle__tune_bare(struct tune_node *node);
/* The parent, without parentheses. */
const struct tune_node *heddle__tune_above(const struct tune_node *node);
bool heddle__tune_op(const struct tune_file *file, const struct tune_node *node, const char *text);
/* The node after `node` in the order of the tree below `top`, or NULL. */
struct tune_node *heddle__tune_walk(const struct tune_node *top, const struct tune_node *node);
/* The same for all functions and initializers of a file, from NULL on; *in: the symbol that contains the node. */
const struct tune_node *heddle__tune_walk_file(
	const struct tune_file *file, const struct tune_symbol **in, const struct tune_node *node);
/* Returns true if one of the tokens is that word, in code that may not be understood. */
bool heddle__tune_mentions(const struct tune_file *file, int first, int last, const char *word);
/* Returns true for a while, do or for statement. */
bool heddle__tune_is_loop(const struct tune_node *node);
bool heddle__tune_within(const struct tune_node *node, const struct tune_node *outer);

#endif
