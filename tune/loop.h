/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One upc_forall: its header, and the accesses of its body to shared and private variables. Everything that makes a
 * change unsafe is refused here.
 */
#ifndef HEDDLE_TUNE_LOOP_H
#define HEDDLE_TUNE_LOOP_H

#include "tune/syntax.h"

#define TUNE_NEVER_KNOWN 99 /* level of a value that no loop of hints can use */

/* Facts about a loop's use of a variable. */
struct tune_facts {
	struct tune_symbol *symbol;
	bool inside;  /* private, and declared in the body, or the loop's index */
	bool written; /* its own value changes in the body: for a pointer, what it points to */
	bool stored;  /* shared memory is written through it, so its elements change */
	bool address_taken;
	bool cached;     /* requested by --variable */
	bool propagated; /* iterations may see other iterations' writes later, as UPC allows (propagation.c) */
	bool needed;     /* a loop of hints needs it */
	bool temporary;  /* `inside`, but declared outside of the loop: each iteration assigns it before it uses it */
	struct tune_symbol
		*base; /* of a pointer all of whose values are addresses of elements of this variable (pointers.c) */
	const char *first;   /* if `base` is set: the name of the element's number in the changed text */
	int assignments;     /* in the body, without those in headers of loops */
	bool used;           /* in the body, as shared memory */
	int level;           /* when a loop of hints knows its value (hints.c) */
	int round;           /* of a cached variable: the download that its hints are for; -1: it has no hints */
	const char *cache;   /* of a cached variable: the name of its heddle_cache_t * */
	const char *element; /* of a cached variable: the type of its elements */
};

/* A cache that a caller passes to a function. */
struct tune_passed {
	struct tune_passed *next;
	struct tune_symbol
		*symbol;   /* what the function calls the variable: a parameter of it, or the variable itself */
	const char *cache; /* the name of its heddle_cache_t * in the function */
	const char *first; /* of a parameter: the name of the number of the element that it points to; NULL: 0 */
};

/* A function of the file as called by a loop. A function has several variants if its arguments differ. */
struct tune_variant {
	struct tune_variant *next;
	struct tune_symbol *function;
	struct tune_symbol **roots; /* for each argument: the variable that the parameter is another name of; or NULL */
	bool *moved;                /* for each argument: it points to another element than the first */
	struct tune_structure
		*structures; /* for each argument: the structure that it is or points to, as the body names it */
	struct tune_file *file;
	int parameters; /* number of those that have arguments */
	bool recursive;
	bool changed;               /* it accesses cached variables: the loop calls a copy */
	struct tune_passed *passed; /* if `changed`: the caches in it */
	const char *name;           /* if `changed`: the name of the copy */
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
	struct tune_symbol *root;  /* x, or the variable that x names in a function; or NULL */
	struct tune_type *type;    /* of the element, or of the lvalue */
	bool read, write;
	bool moved; /* its index counts from the element that a pointer points to, not from the first element */
	bool local; /* of this thread, as the affinity proves */
	const struct tune_variant *variant; /* the function that contains the access; NULL: the body */
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
	const char *compare; /* the comparison <, <=, >, >=, != with the index on the left */
	bool down;
	struct tune_access *accesses;
	struct tune_variant *variants;
	struct tune_call *calls;
	const struct tune_variant *variant; /* the function whose nodes and names are handled; NULL: the body */
	struct tune_facts **facts;          /* of all variables in the loop */
	int fact_count, fact_room;
	bool writes_arrays;        /* private arrays of an iteration, which no pointer reaches */
	bool writes_memory;        /* other private memory, through pointers or in arrays */
	struct tune_store *stores; /* what it writes in such memory */
};

/* The state of a variable, or of a row of a measurement, for one loop. */
enum tune_choice { TUNE_NOT_CHOSEN, TUNE_CHOSEN, TUNE_LEFT_OUT };

/* Assertions of the user. */
struct tune_promises {
	bool no_alias;
	bool any_order; /* --policy was given: writes of other iterations may be seen or not */
	bool ordered;   /* a policy was given that defines which put wins */
};

/* Finds the loop at a position; column 0: not given. */
void heddle__tune_find_loop(struct tune_file *file, int line, int column, struct tune_loop *loop);
/* Reads the loop's header; refuses a loop that cannot be tiled. */
void heddle__tune_read_header(struct tune_loop *loop);
/* Collects the accesses of the body; refuses synchronization, jumps, unknown calls and similar code. */
void heddle__tune_read_body(struct tune_loop *loop);
/* Marks the variable of that name to be cached. */
void heddle__tune_choose(struct tune_loop *loop, const char *name);
/* Returns true if the loop accesses shared memory by this name. */
bool heddle__tune_is_used(const struct tune_loop *loop, const char *name);
/* Refuses the loop if it accesses memory by a pointer of that name in a structure that is no variable. */
void heddle__tune_refuse_member(const struct tune_loop *loop, const char *name);
/* Marks accesses that the affinity proves to be local. */
void heddle__tune_find_local(struct tune_loop *loop);
/* Refuses unsafe uses of cached variables: aliases, races, pointers to them. */
void heddle__tune_check_variables(struct tune_loop *loop, const struct tune_promises *promises);

/* Finds and marks the functions that access cached variables; refuses those that cannot be copied. */
void heddle__tune_check_functions(struct tune_loop *loop);

/* ---- races.c ---- */

/* Refuses loops whose result may depend on when iterations see writes of other iterations. */
void heddle__tune_check_races(struct tune_loop *loop, struct tune_facts *facts);

/* ---- propagation.c ---- */

/*
 * Returns true if iterations only pass on values of this variable, which they compare and copy. Relaxed accesses have
 * no order in UPC until the next barrier, so such a loop is correct whichever writes of others it sees.
 */
bool heddle__tune_propagates(struct tune_loop *loop, const struct tune_symbol *symbol);

/* ---- linear.c ---- */

#define TUNE_MOST_PRODUCTS 8

/* factors[0] * symbols[0] + ... + number, a sum of the loop's index and variables that the loop does not change. */
struct tune_linear {
	const struct tune_symbol *symbols[TUNE_MOST_PRODUCTS];
	long factors[TUNE_MOST_PRODUCTS], number;
	int count;
	bool unknown; /* the expression is not such a sum */
};

struct tune_linear heddle__tune_linear(struct tune_loop *loop, struct tune_node *node);
/* sum += more * factor */
void heddle__tune_linear_add(struct tune_linear *sum, const struct tune_linear *more, long factor);
/* Returns true if the sum is positive for all values that its variables may have. */
bool heddle__tune_linear_is_positive(const struct tune_loop *loop, const struct tune_linear *sum);
/* Returns true if no element that one access reaches in any iteration is reached by the other one in any iteration. */
bool heddle__tune_are_disjoint(struct tune_loop *loop, const struct tune_access *a, const struct tune_access *b);

/* ---- range.c ---- */

/* Returns true if all values that the file assigns to a private int are 0 or more. */
bool heddle__tune_is_never_negative(const struct tune_file *file, const struct tune_symbol *symbol);
/* Refuses indices that may be negative: a cache numbers elements from the one that the pointer points to. */
void heddle__tune_check_range(const struct tune_loop *loop, const struct tune_facts *facts);

/* ---- members.c ---- */

/* Returns true if the loop writes what an access reads, in the same or another element. */
bool heddle__tune_is_overwritten(const struct tune_loop *loop, const struct tune_access *read);
/* Refuses writes to parts of elements if other threads may write other parts of the same element. */
void heddle__tune_check_members(const struct tune_loop *loop, const struct tune_facts *facts);
/* Returns true if only one iteration accesses that element, and all threads know which one. */
bool heddle__tune_is_own(const struct tune_loop *loop, const struct tune_access *access);
/* Returns true if the loop may write its elements by a private pointer: the file has such a cast, as (int *)&x[i]. */
bool heddle__tune_may_store_privately(const struct tune_loop *loop, const struct tune_symbol *symbol);

/* ---- calls.c ---- */

/* The variable that a name in a function, or in the body if `variant` is NULL, refers to. */
struct tune_symbol *heddle__tune_meant(const struct tune_variant *variant, struct tune_symbol *symbol);
/* Returns what the caller of a function calls one of its variables: a member of a parameter is one of the argument. */
struct tune_symbol *heddle__tune_in_caller(
	struct tune_file *file, const struct tune_node *call, struct tune_symbol *symbol);
/* The variant that a call in `from` calls, or NULL. */
struct tune_variant *heddle__tune_called(
	const struct tune_loop *loop, const struct tune_variant *from, const struct tune_node *node);
/* Adds a call. *known: a call with the same arguments was added before. */
struct tune_variant *heddle__tune_call(struct tune_loop *loop, struct tune_variant *from, struct tune_node *node,
	struct tune_symbol *function, bool *known);
/* Returns NULL if the parameter has no name. */
struct tune_symbol *heddle__tune_parameter(const struct tune_symbol *function, int position);
/* Returns true if a name in a function (NULL: in the body) points to another element than the first of its variable. */
bool heddle__tune_is_moved(const struct tune_variant *variant, const struct tune_symbol *symbol);

#define TUNE_MOST_TERMS 8

/* Values whose sum is the number of an element: expressions, and pointers that become numbers. */
struct tune_terms {
	const struct tune_node *at[TUNE_MOST_TERMS];
	int count;
};

/*
 * Adds the number of an element that each execution of a call accesses, in terms of the caller. The access is in the
 * called function, or in one that it calls. Returns false if the number is not known.
 */
bool heddle__tune_first_index(const struct tune_loop *loop, const struct tune_call *call,
	const struct tune_access *access, struct tune_terms *terms);

/* ---- pointers.c ---- */

enum tune_use {
	TUNE_BY_INDEX,
	TUNE_AS_ARGUMENT, /* the array or pointer, or the address of an element */
	TUNE_AS_VALUE,    /* the same values, assigned to something */
	TUNE_CHANGED,     /* assigned to, in a statement */
	TUNE_KEPT,        /* not accessed: sizeof, upc_threadof */
	TUNE_USED_OTHERWISE,
};

/* How the name of an array or pointer is used. *where: the call or assignment. */
enum tune_use heddle__tune_use(
	const struct tune_file *file, const struct tune_node *name, const struct tune_node **where);
/*
 * If a value is the address of an element, returns the name of the array or pointer, or NULL. *element: the element;
 * NULL: the first one.
 */
const struct tune_node *heddle__tune_pointee(struct tune_node *value, struct tune_node **element);
/* Returns true if both, pointers or arrays, have elements of the same type and block size. */
bool heddle__tune_same_elements(const struct tune_type *pointer, const struct tune_type *other);
/* The variable for which a pointer is another name; otherwise the pointer itself. */
struct tune_symbol *heddle__tune_base(struct tune_symbol *symbol);
/* Finds the pointers, used only in `scope`, that are other names of variables. */
void heddle__tune_find_pointers(
	struct tune_loop *loop, const struct tune_symbol *function, const struct tune_node *scope);

/* ---- swaps.c, copies.c ---- */

/* If an lvalue is assigned by a swap of two values, returns the other lvalue; or NULL. */
struct tune_node *heddle__tune_swapped_with(const struct tune_file *file, const struct tune_node *node);
/* Returns true for t = x of a swap, if t has no other use. */
bool heddle__tune_is_kept_in_swap(const struct tune_file *file, const struct tune_node *node);
/* Returns true if a type is a structure, or has it as a member or element. */
bool heddle__tune_contains(const struct tune_type *type, const struct tune_type *record);
/* Returns true if values in braces, other than 0 and .member = value, may be those of members of a structure. */
bool heddle__tune_initializes(
	const struct tune_file *file, const struct tune_node *braces, const struct tune_type *record);
/* Returns true if the file may copy a structure of that type, so that two of them have the same pointers. */
bool heddle__tune_is_copied(const struct tune_file *file, const struct tune_type *record);

/* ---- objects.c ---- */

/* Returns true if two members of one name are in different structures, as far as the file shows. */
bool heddle__tune_are_different_objects(
	const struct tune_file *file, const struct tune_symbol *a, const struct tune_symbol *b);

/* ---- structures.c ---- */

/* Marks pointers in structures as written that the loop's body changes, or may change. The body was read. */
void heddle__tune_find_changed_members(struct tune_loop *loop);
/* Returns true for a union, whose members change together, and for a structure with an unnamed union. */
bool heddle__tune_has_union(const struct tune_type *type);
/* Returns true if a variable is not one of a function that the loop calls. */
bool heddle__tune_is_visible(const struct tune_loop *loop, const struct tune_symbol *symbol);
/*
 * Returns the structure that a path in a function leads to if its parameter is, or points to, `outer`. NULL symbol: the
 * path has numbers that are unknown in the caller.
 */
struct tune_structure heddle__tune_structure_in(
	const struct tune_file *file, struct tune_structure outer, struct tune_structure inner);
/* Returns the structure that an argument is, or points to; its symbol is NULL if it is none. */
struct tune_structure heddle__tune_passed_structure(const struct tune_file *file, struct tune_node *argument);
/*
 * Returns the variable that an lvalue is. A member that is no variable of structures.c is one without a certain
 * structure; NULL: neither.
 */
const struct tune_symbol *heddle__tune_pointer_of(const struct tune_file *file, const struct tune_node *node);
/*
 * Returns the variable for the same member of another structure, and creates it at the first request; `like` itself if
 * there is none.
 */
struct tune_symbol *heddle__tune_member_of(
	struct tune_file *file, struct tune_structure of, const struct tune_symbol *like);

/* ---- accesses.c ---- */

/* The facts about a variable in the loop; created at the first query. */
struct tune_facts *heddle__tune_facts(struct tune_loop *loop, struct tune_symbol *symbol);
/* Returns true if the body may change a private variable. */
bool heddle__tune_may_change(struct tune_loop *loop, struct tune_symbol *symbol);
/* The type of an array's or pointer's elements. */
struct tune_type *heddle__tune_element_type(struct tune_type *type);
/* Returns true if a function's variable has only one value; *first: the value in its declaration, if any. */
bool heddle__tune_is_steady(const struct tune_file *file, const struct tune_symbol *function,
	const struct tune_symbol *symbol, struct tune_node **first);
/* The function of the file with this parameter, or NULL. */
struct tune_symbol *heddle__tune_function_of(const struct tune_file *file, const struct tune_symbol *parameter);
/*
 * The named array or pointer that an lvalue is an element of, or a part of an element: *element is x[i] of x[i].f[2].
 * NULL if it has no name; for a scalar variable, *element is NULL.
 */
struct tune_symbol *heddle__tune_root(struct tune_node *top, struct tune_node **element);
/* Returns true if the file takes the address of a variable or of a member of it; &x[i] is that of an element. */
bool heddle__tune_addressed(const struct tune_file *file, const struct tune_symbol *symbol);
/*
 * Returns true for an array, a shared variable that is not a pointer, and a pointer whose values are all results of its
 * own allocation: different ones are different memory. `first_thread`: only if the memory begins on thread 0.
 */
bool heddle__tune_owns_memory(struct tune_file *file, const struct tune_symbol *symbol, bool first_thread);
/*
 * Returns true if two variables are different memory, as far as the file shows: arrays, and pointers whose values are
 * all from different arrays and allocations.
 */
bool heddle__tune_are_apart(struct tune_file *file, const struct tune_symbol *a, const struct tune_symbol *b);
/* Returns true for the constant 0, also as the absent index of *p. */
bool heddle__tune_is_zero(const struct tune_file *file, struct tune_node *node);
/* Returns true if the file assigns an address that may be that of another element than the first to a pointer. */
bool heddle__tune_points_inside(struct tune_file *file, const struct tune_symbol *symbol);
/* Returns true if a known value of a pointer is the object that a measurement has by that name. */
bool heddle__tune_may_be(struct tune_file *file, const struct tune_symbol *pointer, const char *object);
/* Returns true if known values of both variables point into the same array or allocation. */
bool heddle__tune_may_share_origin(struct tune_file *file, const struct tune_symbol *a, const struct tune_symbol *b);
/* Returns true if a pointer is an argument of upc_threadof or a similar function. */
bool heddle__tune_is_asked_about(const struct tune_file *file, const struct tune_node *pointer);
/* Returns true if the iteration assigns a variable before it uses it at `use`, its name. */
bool heddle__tune_is_assigned_before(const struct tune_loop *loop, const struct tune_node *use);
/* Returns true if that is true for all uses of a variable in the loop's body. */
bool heddle__tune_is_temporary(const struct tune_loop *loop, const struct tune_symbol *symbol);
/*
 * Returns true if a variable was assigned between the loop and a use after it, so that it has no value from the loop.
 */
bool heddle__tune_is_assigned_again(const struct tune_loop *loop, const struct tune_node *use);
/* The name in an element: x of x[i]. */
struct tune_symbol *heddle__tune_name_of(const struct tune_node *element);
/* The n-th index of an element, from the left; NULL after the last one. */
struct tune_node *heddle__tune_index(const struct tune_access *access, int n);
struct tune_access *heddle__tune_access_at(const struct tune_loop *loop, const struct tune_node *element);
/* The access whose lvalue is `top`, or NULL. */
struct tune_access *heddle__tune_access_of(const struct tune_loop *loop, const struct tune_node *top);
/* Returns true if the access needs the element's value: it reads it, or writes a part of it. */
bool heddle__tune_gets(const struct tune_access *access);
/* Returns true if the expression changes nothing and calls only functions without effects. */
bool heddle__tune_has_no_effect(const struct tune_loop *loop, const struct tune_node *node);
bool heddle__tune_is_change(const struct tune_file *file, const struct tune_node *node);
/* Computes the value of an expression of decimal constants; returns false for any other expression. */
bool heddle__tune_value(const struct tune_file *file, const struct tune_node *node, long *value);
/* Returns true if the token is the name of a library function without effects, such as one that queries a pointer. */
bool heddle__tune_is_pure(const struct tune_source *source, int token);
/*
 * As heddle__tune_is_pure, for a function that changes nothing that the program's own code reads, and that each thread
 * still calls in the order of its iterations.
 */
bool heddle__tune_is_orderly(const struct tune_source *source, int token);
/* Returns true if C allows lvalues of both types to access the same memory, or if a type is unknown. */
bool heddle__tune_may_share(const struct tune_type *a, const struct tune_type *b);
/* Returns true if the loop writes private memory of a type that may be this one. */
bool heddle__tune_stores(const struct tune_loop *loop, const struct tune_type *type);
/* Returns true if the texts of two expressions are equal, token by token. */
bool heddle__tune_same_text(const struct tune_file *file, const struct tune_node *a, const struct tune_node *b);
_Noreturn void heddle__tune_refuse_node(const struct tune_loop *loop, const struct tune_node *node, const char *format,
	...) __attribute__((format(printf, 3, 4)));

#endif
