/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One upc_forall: its header, and what its body does to shared and private variables. All that makes a change unsafe is
 * refused here.
 */
#ifndef HEDDLE_CLI_TUNE_LOOP_H
#define HEDDLE_CLI_TUNE_LOOP_H

#include "tune/syntax.h"

#define TUNE_NEVER_KNOWN 99 /* level of a value that no loop of hints can know */

/* What a loop does with a variable. */
struct tune_facts {
	struct tune_symbol *symbol;
	bool inside;  /* private, declared in the body, or the loop's index */
	bool written; /* its own value changes in the body; of a pointer, where it points */
	bool stored;  /* shared memory is written through it: its elements change */
	bool address_taken;
	bool cached;     /* asked for with --variable */
	bool propagated; /* iterations may see later what others write, as UPC allows (propagation.c) */
	bool needed;     /* by a loop of hints */
	bool temporary;  /* inside, but declared outside of the loop: each iteration assigns it before it uses it */
	struct tune_symbol
		*base; /* of a pointer all of whose values are addresses of elements of this variable (pointers.c) */
	const char *first;   /* then, what the changed text calls the number of the one that it points to */
	int assignments;     /* in the body, without those in headers of loops */
	bool used;           /* in the body, as shared memory */
	int level;           /* when its value is known to a loop of hints (hints.c) */
	int round;           /* of a cached one: the download that its hints belong to; -1: it has no hints */
	const char *cache;   /* of a cached one: the name of its heddle_cache_t * */
	const char *element; /* of a cached one: the type of elements */
};

/* A cache that a function gets from its caller. */
struct tune_passed {
	struct tune_passed *next;
	struct tune_symbol
		*symbol;   /* what the function calls the variable: a parameter of it, or the variable itself */
	const char *cache; /* the name of its heddle_cache_t * there */
	const char *first; /* of a parameter: that of the number of the element that it points to; NULL: 0 */
};

/* A function of the file as a loop calls it. Of one function there are several if its arguments differ. */
struct tune_variant {
	struct tune_variant *next;
	struct tune_symbol *function;
	struct tune_symbol **roots; /* for each argument, the variable that the parameter is another name of; or NULL */
	bool *moved;                /* for each: it points to another element than the first */
	int parameters;             /* that have arguments */
	bool recursive;
	bool changed;               /* it accesses cached variables: the loop calls a copy */
	struct tune_passed *passed; /* then, the caches in it */
	const char *name;           /* then, of the copy */
};

/* A call in the body, or in a function that the body calls. */
struct tune_call {
	struct tune_call *next;
	const struct tune_node *node;
	const struct tune_variant *from; /* NULL: the body */
	struct tune_variant *to;
};

/* An expression that reads or writes shared memory. */
struct tune_access {
	struct tune_access *next;
	struct tune_node *top;     /* the whole lvalue: x[i].f[2] */
	struct tune_node *element; /* of an array or pointer with a name: x[i]; else NULL */
	struct tune_symbol *root;  /* x, or what it stands for in a function; or NULL */
	struct tune_type *type;    /* of the element, or of the lvalue */
	bool read, write;
	bool moved; /* its index counts from where a pointer points, not from the first element */
	bool local; /* this thread's, by the affinity */
	const struct tune_variant *variant; /* the function that it is in; NULL: the body */
};

/* The type of private memory that the body writes. */
struct tune_store {
	struct tune_store *next;
	struct tune_type *type;
};

struct tune_loop {
	struct tune_file *file;
	struct tune_symbol *function;
	struct tune_node *node, *start, *bound, *step, *affinity, *body; /* step: NULL for 1 */
	struct tune_symbol *index;
	bool declares_index;
	const char *compare; /* <, <=, >, >=, != with the index on the left */
	bool down;
	struct tune_access *accesses;
	struct tune_variant *variants;
	struct tune_call *calls;
	const struct tune_variant *variant; /* what nodes and names belong to at the moment; NULL: the body */
	struct tune_facts **facts;          /* of all variables in it */
	int fact_count, fact_room;
	bool writes_memory;        /* private memory, through pointers or in arrays */
	struct tune_store *stores; /* what it writes there */
};

/* A variable, or a row of a measurement, for one loop. */
enum tune_choice { TUNE_NOT_CHOSEN, TUNE_CHOSEN, TUNE_LEFT_OUT };

/* What a user may vouch for. */
struct tune_promises {
	bool no_alias;
	bool any_order; /* --policy was given: what other iterations write may be seen or not */
	bool ordered;   /* by a policy that says which put wins */
};

/* Finds the loop of a position; column 0: not given. */
void heddle__tune_find_loop(struct tune_file *file, int line, int column, struct tune_loop *loop);
/* Reads its header; refuses one that cannot be tiled. */
void heddle__tune_read_header(struct tune_loop *loop);
/* Collects what the body does; refuses synchronization, jumps, unknown calls and the like. */
void heddle__tune_read_body(struct tune_loop *loop);
/* Marks a variable to be cached, by name. */
void heddle__tune_choose(struct tune_loop *loop, const char *name);
/* True if the loop accesses shared memory by this name. */
bool heddle__tune_is_used(const struct tune_loop *loop, const char *name);
/* Marks accesses that the affinity proves to be local. */
void heddle__tune_find_local(struct tune_loop *loop);
/* Refuses what the cached variables do not allow: aliases, races, pointers to them. */
void heddle__tune_check_variables(struct tune_loop *loop, const struct tune_promises *promises);

/* Looks at the functions that access cached variables, and marks them; refuses those that cannot be copied. */
void heddle__tune_check_functions(struct tune_loop *loop);

/* ---- races.c ---- */

/* Refuses loops whose result may depend on when iterations see what others write. */
void heddle__tune_check_races(struct tune_loop *loop, struct tune_facts *facts);

/* ---- propagation.c ---- */

/*
 * True if iterations only pass on values of this variable, which they compare and copy. Relaxed accesses have no order
 * in UPC until the next barrier, so such a loop is right whatever it sees of what others write.
 */
bool heddle__tune_propagates(struct tune_loop *loop, const struct tune_symbol *symbol);

/* ---- linear.c ---- */

#define TUNE_MOST_PRODUCTS 8

/* factors[0] * symbols[0] + ... + number, of variables that the loop does not change, and its index. */
struct tune_linear {
	const struct tune_symbol *symbols[TUNE_MOST_PRODUCTS];
	long factors[TUNE_MOST_PRODUCTS], number;
	int count;
	bool unknown; /* it is no such sum */
};

struct tune_linear heddle__tune_linear(struct tune_loop *loop, struct tune_node *node);
/* sum += more * factor */
void heddle__tune_linear_add(struct tune_linear *sum, const struct tune_linear *more, long factor);
/* True if it is positive for all values that its variables may have. */
bool heddle__tune_linear_is_positive(const struct tune_loop *loop, const struct tune_linear *sum);
/* True if no iteration's element of one access is any iteration's element of the other one. */
bool heddle__tune_are_disjoint(struct tune_loop *loop, const struct tune_access *a, const struct tune_access *b);

/* ---- range.c ---- */

/* True if all values that the file gives a private int are 0 or more. */
bool heddle__tune_is_never_negative(const struct tune_file *file, const struct tune_symbol *symbol);
/* Refuses indices that may be negative: a cache numbers the elements from where the pointer points. */
void heddle__tune_check_range(const struct tune_loop *loop, const struct tune_facts *facts);

/* ---- members.c ---- */

/* True if the loop writes what an access reads, in the same element or another one. */
bool heddle__tune_is_overwritten(const struct tune_loop *loop, const struct tune_access *read);
/* Refuses to write parts of elements if other parts of the same element may be written by other threads. */
void heddle__tune_check_members(const struct tune_loop *loop, const struct tune_facts *facts);
/* True if only one iteration accesses that element, and all threads know which one. */
bool heddle__tune_is_own(const struct tune_loop *loop, const struct tune_access *access);
/* True if the loop may write its elements by a private pointer: the file has a cast of it, as (int *)&x[i]. */
bool heddle__tune_may_store_privately(const struct tune_loop *loop, const struct tune_symbol *symbol);

/* ---- calls.c ---- */

/* What a name in a function, or with NULL in the body, stands for. */
struct tune_symbol *heddle__tune_meant(const struct tune_variant *variant, struct tune_symbol *symbol);
/* What a call of that function calls, or NULL. */
struct tune_variant *heddle__tune_called(
	const struct tune_loop *loop, const struct tune_variant *from, const struct tune_node *node);
/* Adds a call. *known: one with the same arguments was added before. */
struct tune_variant *heddle__tune_call(struct tune_loop *loop, struct tune_variant *from, struct tune_node *node,
	struct tune_symbol *function, bool *known);
/* NULL if it has no name. */
struct tune_symbol *heddle__tune_parameter(const struct tune_symbol *function, int position);
/* Returns true if a name in a function, or with NULL in the body, points to another element of what it stands for. */
bool heddle__tune_is_moved(const struct tune_variant *variant, const struct tune_symbol *symbol);

#define TUNE_MOST_TERMS 8

/* Values whose sum is the number of an element: expressions, and pointers that stand for a number. */
struct tune_terms {
	const struct tune_node *at[TUNE_MOST_TERMS];
	int count;
};

/*
 * Adds the number of the element of an access that a call makes each time, in terms of the caller. The access is in the
 * called function, or in one that it calls. False: it is not known.
 */
bool heddle__tune_first_index(const struct tune_loop *loop, const struct tune_call *call,
	const struct tune_access *access, struct tune_terms *terms);

/* ---- pointers.c ---- */

enum tune_use {
	TUNE_BY_INDEX,
	TUNE_AS_ARGUMENT, /* it, or the address of an element */
	TUNE_AS_VALUE,    /* the same, assigned to something */
	TUNE_CHANGED,     /* assigned to, in a statement */
	TUNE_KEPT,        /* not accessed: sizeof, upc_threadof */
	TUNE_USED_OTHERWISE,
};

/* How the name of an array or pointer is used. *where: the call, or what assigns. */
enum tune_use heddle__tune_use(
	const struct tune_file *file, const struct tune_node *name, const struct tune_node **where);
/*
 * The name of the array or pointer of which a value is the address of an element, or NULL. *element: the index; NULL:
 * of its first element.
 */
const struct tune_node *heddle__tune_pointee(struct tune_node *value, struct tune_node **element);
/* True if both, of pointers or arrays, count elements of the same type and block size. */
bool heddle__tune_same_elements(const struct tune_type *pointer, const struct tune_type *other);
/* What a pointer is another name of; else itself. */
struct tune_symbol *heddle__tune_base(struct tune_symbol *symbol);
/* Finds the pointers, used in `scope` only, that are other names. */
void heddle__tune_find_pointers(
	struct tune_loop *loop, const struct tune_symbol *function, const struct tune_node *scope);

/* ---- accesses.c ---- */

/* What the loop does with a variable; made when it is first asked for. */
struct tune_facts *heddle__tune_facts(struct tune_loop *loop, struct tune_symbol *symbol);
/* True if the body changes a private variable, or may. */
bool heddle__tune_may_change(struct tune_loop *loop, struct tune_symbol *symbol);
/* The type of an array's or pointer's elements. */
struct tune_type *heddle__tune_element_type(struct tune_type *type);
/* True if a variable of a function has one value only; *first: the one that it is declared with, if it has one. */
bool heddle__tune_is_steady(const struct tune_file *file, const struct tune_symbol *function,
	const struct tune_symbol *symbol, struct tune_node **first);
/* The function of the file that has this parameter, or NULL. */
struct tune_symbol *heddle__tune_function_of(const struct tune_file *file, const struct tune_symbol *parameter);
/*
 * The named array or pointer whose element an lvalue is, or is a part of: *element is x[i] of x[i].f[2]. NULL if it has
 * no name; of a scalar variable, *element is NULL.
 */
struct tune_symbol *heddle__tune_root(struct tune_node *top, struct tune_node **element);
/* True if the address of a variable or of a member of it is taken anywhere in the file; &x[i] is that of an element. */
bool heddle__tune_addressed(const struct tune_file *file, const struct tune_symbol *symbol);
/*
 * True for an array, a shared variable that is no pointer, and a pointer that only ever has the result of an allocation
 * of its own: different ones are different memory. `first_thread`: and it begins on thread 0.
 */
bool heddle__tune_owns_memory(struct tune_file *file, const struct tune_symbol *symbol, bool first_thread);
/*
 * True if two variables are different memory, as far as the file shows: arrays, and pointers that only ever have values
 * from different arrays and allocations.
 */
bool heddle__tune_are_apart(struct tune_file *file, const struct tune_symbol *a, const struct tune_symbol *b);
/* True if the file gives a pointer a value that may be the address of another element than the first. */
bool heddle__tune_points_inside(struct tune_file *file, const struct tune_symbol *symbol);
/* True if values of both variables are known that point into the same array or allocation. */
bool heddle__tune_may_share_origin(struct tune_file *file, const struct tune_symbol *a, const struct tune_symbol *b);
/* Returns true if a pointer is passed to upc_threadof and its like. */
bool heddle__tune_is_asked_about(const struct tune_file *file, const struct tune_node *pointer);
/* True if the iteration assigns a variable, whose name is `use`, before it uses it there. */
bool heddle__tune_is_assigned_before(const struct tune_loop *loop, const struct tune_node *use);
/* True if that holds for all uses of a variable in the loop's body. */
bool heddle__tune_is_temporary(const struct tune_loop *loop, const struct tune_symbol *symbol);
/* True if the value of a variable at a use outside of the loop is none that it had in the loop: it was assigned since.
 */
bool heddle__tune_is_assigned_again(const struct tune_loop *loop, const struct tune_node *use);
/* The name that an element is an index of. */
struct tune_symbol *heddle__tune_name_of(const struct tune_node *element);
/* The n-th index of an element, from the left; NULL behind the last. */
struct tune_node *heddle__tune_index(const struct tune_access *access, int n);
struct tune_access *heddle__tune_access_at(const struct tune_loop *loop, const struct tune_node *element);
/* The access that a whole lvalue is, or NULL. */
struct tune_access *heddle__tune_access_of(const struct tune_loop *loop, const struct tune_node *top);
/* True if the access needs the element's value: it reads it, or writes a part of it. */
bool heddle__tune_gets(const struct tune_access *access);
/* True if the expression changes nothing and calls only what has no effects. */
bool heddle__tune_has_no_effect(const struct tune_loop *loop, const struct tune_node *node);
bool heddle__tune_is_change(const struct tune_file *file, const struct tune_node *node);
/* The value of an expression of decimal constants; false if it is another one. */
bool heddle__tune_value(const struct tune_file *file, const struct tune_node *node, long *value);
/* True if the token is the name of a library function without effects, also of one that only asks about a pointer. */
bool heddle__tune_is_pure(const struct tune_source *source, int token);
/*
 * The same, of one that changes nothing that the program's own code reads, and is called by each thread in the order of
 * its iterations, as before.
 */
bool heddle__tune_is_orderly(const struct tune_source *source, int token);
/* True if C lets lvalues of both types access the same memory, or one of them is not known. */
bool heddle__tune_may_share(const struct tune_type *a, const struct tune_type *b);
/* True if the loop writes private memory of a type that may be this one. */
bool heddle__tune_stores(const struct tune_loop *loop, const struct tune_type *type);
/* True if the texts of two expressions are the same, token by token. */
bool heddle__tune_same_text(const struct tune_file *file, const struct tune_node *a, const struct tune_node *b);
_Noreturn void heddle__tune_refuse_node(const struct tune_loop *loop, const struct tune_node *node, const char *format,
	...) __attribute__((format(printf, 3, 4)));

#endif
