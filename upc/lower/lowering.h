/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of the lowering. Not to be included elsewhere. */
#ifndef UPC_LOWER_LOWERING_H
#define UPC_LOWER_LOWERING_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

#include "upc/lower/lower.h"

/* x86's own address spaces end here; the numbers from here to UPC's would be negative block sizes. */
#define LAST_OTHER_SPACE 300

/* Caches of last accesses (places.c) that several accesses of a function may share. */
#define MOST_CACHES 32

/* Properties of a value that its type does not show. */
enum mark {
	MARK_INSIDE = 1,        /* points into an element: further indices are linear, whatever the block size */
	MARK_OWN = 2,           /* created by the lowering: its phase is right */
	MARK_BEGIN = 8,         /* the start of a variable: thread 0, phase 0 */
	MARK_DIRECT = 4,        /* a function's direct version: direct accesses, no events */
	MARK_CHOSEN = 32,       /* a function that gets two versions */
	MARK_INSTRUMENTED = 16, /* the version with events of a function that has a direct one */
	MARK_SEEN = 128,        /* a block, by last_calls.c */
	MARK_SAME_NODE = 64,    /* an access of memory of the node, in either version of the function */
	MARK_SELDOM = 256,      /* an access that runs only if another one nearby is of remote memory */
};

struct marks {
	struct marked {
		LLVMValueRef value;
		unsigned marks;
	} * table;
	size_t capacity; /* a power of two */
	size_t used;
};

struct shared_global {
	LLVMValueRef global; /* as clang made it */
	LLVMValueRef slot;   /* holds the pointer-to-shared */
	LLVMTypeRef element; /* as far as clang's type shows it */
	uint64_t bytes;      /* of all elements */
	uint64_t element_size;
	char *name;
	char *type;
	LLVMValueRef file, line; /* of the declaration, as constants */
};

/*
 * A upc_forall in which a thread jumps from each of its iterations to its next one: from the body by `again` to the
 * body, or by `end` to the head. If it is nested, `inner` is not 0, and all iterations begin at `check`, which jumps to
 * the body.
 */
struct dealt_loop {
	LLVMBasicBlockRef head, check, body, again, end;
	LLVMValueRef affinity; /* an integer, which is the variable, or a cyclic pointer, which follows the variable */
	LLVMValueRef variable, inner;
	bool is_signed; /* the variable */
};

struct lowering {
	const struct upc_lower_options *options;
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMTargetDataRef layout;
	LLVMBuilderRef builder;
	LLVMTypeRef i8, i32, i64, bytes; /* bytes: a private pointer */
	struct marks marks;
	struct shared_global *globals;
	int global_count;
	LLVMValueRef start; /* the unit's start function, or NULL */
	LLVMValueRef start_end;
	struct file_string {
		char *name;
		LLVMValueRef string;
	} * files;
	int file_count;
	struct source_call *calls; /* line_calls.c */
	int call_count;
	LLVMValueRef at;          /* the instruction or variable whose constants are being replaced, for messages */
	struct dealt_loop *dealt; /* in functions that are not direct; only loops whose affinity is cyclic */
	int dealt_count;
	/* Values of tested_accesses.c, in the function that uses them. */
	LLVMValueRef buffer;
	LLVMValueRef node_shift; /* read at the entry, so that the optimizer adds it to what is constant in loops */
	LLVMValueRef buffer_owner;
	/* Values of places.c, in the function that uses them: the first user of each cache. */
	LLVMValueRef caches[MOST_CACHES];
	int cache_count;
	LLVMValueRef cache_owner;
	bool returns_twice; /* a function such as setjmp is called: values in registers may be stale */
	bool failed;
};

/* types.c */
bool upc__is_shared(LLVMTypeRef type);      /* a pointer to shared, other than shared void * */
unsigned upc__block(LLVMTypeRef type);      /* of a pointer to shared */
bool upc__is_generic(LLVMTypeRef type);     /* shared void * */
LLVMTypeRef upc__element(LLVMTypeRef type); /* of nested arrays: the innermost element; other types: themselves */
uint64_t upc__size(struct lowering *lowering, LLVMTypeRef type);
uint64_t upc__elements(struct lowering *lowering, LLVMTypeRef type); /* innermost elements */
/* Returns true if a size or count contains the factor for THREADS. */
bool upc__has_threads(uint64_t number);
/* NUMBER as i64, multiplied by THREADS if it has the factor */
LLVMValueRef upc__number(struct lowering *lowering, uint64_t number);
/* As upc__number, for a size that may be known only at run time, such as that of an array of variable length. */
LLVMValueRef upc__size_at_run_time(struct lowering *lowering, LLVMValueRef size);
LLVMValueRef upc__constant(struct lowering *lowering, int64_t value); /* i64 */
LLVMValueRef upc__threads(struct lowering *lowering);                 /* i64 */
void upc__mark(struct lowering *lowering, LLVMValueRef value, unsigned mark);
bool upc__is_marked(const struct lowering *lowering, LLVMValueRef value, unsigned mark);
/* Calls a function of upc/lower/inline.c or of the runtime, which must be declared. */
LLVMValueRef upc__call(struct lowering *lowering, const char *name, LLVMValueRef *arguments, unsigned count);
/* The name of the function that is called; "": not known. */
const char *upc__called_name(LLVMValueRef call);
/* Returns true if VALUE is a call of a function whose name begins with PREFIX. */
bool upc__is_call_of(LLVMValueRef value, const char *prefix);
LLVMValueRef upc__as_integer(struct lowering *lowering, LLVMValueRef pointer);
LLVMValueRef upc__as_pointer(struct lowering *lowering, LLVMValueRef integer, LLVMTypeRef type);
LLVMValueRef upc__add(
	struct lowering *lowering, LLVMValueRef pointer, LLVMValueRef index, uint64_t size, unsigned block);
/* Returns true if the builder is in the version with events of a function that also has a direct version. */
bool upc__is_instrumented(const struct lowering *lowering);
void upc__unmark(struct lowering *lowering, LLVMValueRef value);
void upc__refuse_at(struct lowering *lowering, LLVMValueRef instruction, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The source position of an instruction, as constants for the runtime. */
void upc__position(struct lowering *lowering, LLVMValueRef instruction, LLVMValueRef *file, LLVMValueRef *line);
/* Returns true if an instruction's line is in RANGES. */
bool upc__within(LLVMValueRef instruction, const struct upc_ranges *ranges);
LLVMValueRef upc__string(struct lowering *lowering, const char *text);
LLVMValueRef upc__file_string(struct lowering *lowering, const char *text);

/* Adds metadata to an instruction; upc__expect adds weights to a branch that is likely, or unlikely, to be taken. */
void upc__note(
	struct lowering *lowering, LLVMValueRef instruction, const char *kind, LLVMMetadataRef *what, size_t count);
void upc__expect(struct lowering *lowering, LLVMValueRef branch, bool likely);

/* edit.c: place the builder before an instruction, or in the unit's start function; erase or replace an instruction */
void upc__before(struct lowering *lowering, LLVMValueRef instruction);
void upc__at_start(struct lowering *lowering);
void upc__erase(struct lowering *lowering, LLVMValueRef instruction);
void upc__replace(struct lowering *lowering, LLVMValueRef old, LLVMValueRef value);
/* If functions of the unit have unwind tables, gives one to a function that the lowering made. */
void upc__make_unwindable(struct lowering *lowering, LLVMValueRef function);

/* checks.c: refuses what UPC does not allow or what cannot be lowered, before anything is lowered. */
void upc__check(struct lowering *lowering, LLVMValueRef instruction);
void upc__check_aliases(struct lowering *lowering);

/* remains.c: refuses uses of shared addresses that remain after everything is lowered. */
void upc__check_lowered(struct lowering *lowering, LLVMValueRef instruction);
void upc__check_lowered_globals(struct lowering *lowering);

/* shared_constants.c: constants that contain addresses of shared variables */
bool upc__mentions_shared(LLVMValueRef constant);
LLVMValueRef upc__materialize(struct lowering *lowering, LLVMValueRef constant);
/* INITIALIZER of GLOBAL without shared addresses, which the unit's start function stores. VARIABLE: for messages. */
LLVMValueRef upc__initializer(
	struct lowering *lowering, LLVMValueRef variable, LLVMValueRef global, LLVMValueRef initializer);

/* shared_globals.c */
void upc__collect_globals(struct lowering *lowering);
void upc__write_records(struct lowering *lowering); /* after the functions are lowered */
LLVMValueRef upc__slot(const struct lowering *lowering, LLVMValueRef global);
/* Size of an element of a shared variable in bytes; *element is a hint only. */
uint64_t upc__element_size(struct lowering *lowering, LLVMValueRef global, LLVMTypeRef *element);
void upc__remove_globals(struct lowering *lowering);

/* steps.c: before anything else. Marks of indices are needed until upc__show_steps has run on all instructions. */
void upc__show_steps(struct lowering *lowering, LLVMValueRef instruction);
void upc__remove_index_mark(struct lowering *lowering, LLVMValueRef instruction);
/* What an instruction adds to a pointer-to-shared. */
struct upc_step {
	LLVMValueRef pointer, index; /* index: i64 */
	uint64_t unit;               /* elements for an index of 1; has the factor for THREADS if THREADS is in it */
	uint64_t size;               /* of an element, in bytes */
	bool inside;                 /* the index is of bytes, and leads to a part of an element */
};
/* Returns false if ELEMENT is not a step. */
bool upc__read_step(LLVMValueRef element, struct upc_step *step);

/* pointers.c and accesses.c: each lowers one kind of instruction, and may erase it. */
void upc__lower_element(struct lowering *lowering, LLVMValueRef instruction);
void upc__lower_cast(struct lowering *lowering, LLVMValueRef instruction);
void upc__lower_comparison(struct lowering *lowering, LLVMValueRef instruction);
/* Lowers a difference, whose divisor is an argument, or an order of two pointers, of which only the sign counts. */
void upc__lower_difference(struct lowering *lowering, LLVMValueRef call, const char *name);
void upc__lower_load(struct lowering *lowering, LLVMValueRef instruction);
void upc__lower_store(struct lowering *lowering, LLVMValueRef instruction);
void upc__lower_atomic(struct lowering *lowering, LLVMValueRef instruction);
void upc__lower_call(struct lowering *lowering, LLVMValueRef instruction);
/* Memory functions. Returns true if CALL accessed shared memory and was lowered. */
bool upc__lower_memory(struct lowering *lowering, LLVMValueRef call, const char *name);

/* places.c: the address of an access */
struct place {
	LLVMValueRef pointer;    /* i64; its thread is the one that is accessed */
	LLVMValueRef offset;     /* bytes, added to the address; or NULL */
	unsigned block;          /* of the pointer */
	LLVMValueRef element[6]; /* arguments of __upci_node_address, which is used instead of the pointer; or NULL */
	LLVMValueRef distance;   /* for __upci_is_same_node; set by upc__is_same_node */
	bool new_cache;          /* element[0] is a new cache */
};
/*
 * The place that POINTER points to, at the builder. ACCESS: a load or store, whose place may be computed from that of
 * its last execution, or from that of another access with the same index.
 */
struct place upc__find_place(struct lowering *lowering, LLVMValueRef access, LLVMValueRef pointer);
/*
 * Both return an i1. upc__is_known: whether the element is in the last access's block, on this node; NULL: no cache.
 * upc__is_same_node: if that is false, whether the place is on this node; may be false for memory of the node.
 */
LLVMValueRef upc__is_known(struct lowering *lowering, const struct place *place);
LLVMValueRef upc__is_same_node(struct lowering *lowering, struct place *place);
/* For accesses with events, if upc__is_known is false: finds the element's block and its owner. */
void upc__find_last(struct lowering *lowering, const struct place *place);
/* Whether POINTER is in the memory that COUNT is for, as i1. If the place is an element, POINTER has no phase. */
LLVMValueRef upc__is_counted(
	struct lowering *lowering, const struct place *place, LLVMValueRef pointer, LLVMValueRef count);
/* Whether the place is this thread's memory, as i1. For an element, its block must be known. */
LLVMValueRef upc__is_own(struct lowering *lowering, const struct place *place, LLVMValueRef pointer);
/*
 * The address as i8 *: upc__address of any memory of the node, upc__node_address of memory for which upc__is_same_node
 * is true. upc__seldom_pointer: the pointer-to-shared of other memory, as i64.
 */
LLVMValueRef upc__address(struct lowering *lowering, const struct place *place);
LLVMValueRef upc__node_address(struct lowering *lowering, const struct place *place);
LLVMValueRef upc__seldom_pointer(struct lowering *lowering, const struct place *place, LLVMValueRef pointer);

/* Returns true if two values are computed in the same way from the same variables, which may have changed since. */
bool upc__is_alike(LLVMValueRef a, LLVMValueRef b, int depth);

/* tested_accesses.c: loads and stores in functions that are not direct. */
struct access {
	LLVMValueRef instruction;
	unsigned operand; /* the pointer's */
	LLVMTypeRef type;
	LLVMValueRef shared, pointer; /* pointer: i64 */
	unsigned block;               /* of the pointer */
	bool put, strict;
	bool reported; /* with events, described by: */
	int flags;
	LLVMValueRef file, line;
};
/* Makes the instruction access the private address BYTES. */
void upc__set_address(const struct access *access, LLVMValueRef bytes);
/* Lowers an access that is not strict to two ways: a direct access, or a call if the memory is remote. */
void upc__tested_access(struct lowering *lowering, const struct access *access);
/* Makes the buffer for contents of remote memory; call it before those below. Leaves the builder before ACCESS. */
void upc__make_buffer(struct lowering *lowering, LLVMValueRef access);
/* upc__tested_address: the address, before the access. upc__tested_put: after a store. CALLED: with the least code. */
LLVMValueRef upc__tested_address(struct lowering *lowering, const struct access *access, bool called);
void upc__tested_put(struct lowering *lowering, const struct access *access, bool called);
/* Orders a strict access of POINTER: call it before the access, and after a put. */
void upc__tested_order(struct lowering *lowering, LLVMValueRef pointer);
/* Lowers an atomic operation. Returns false if it can only reach memory of the node. */
bool upc__tested_update(struct lowering *lowering, LLVMValueRef instruction);

/* forall.c: before anything else is lowered */
void upc__deal_iterations(struct lowering *lowering);

/* last_calls.c: before anything else is lowered */
void upc__keep_last_calls(struct lowering *lowering, LLVMValueRef function);

/* loop_tests.c: before anything else is lowered */
void upc__test_before_loops(struct lowering *lowering);

/* direct_versions.c: before anything else is lowered */
bool upc__make_direct_versions(struct lowering *lowering, LLVMModuleRef copy); /* takes ownership of the copy */

/*
 * entry.c: makes a function choose between its versions: at the entry of the one that has the name, or in a function of
 * its own.
 */
void upc__choose_at_entry(struct lowering *lowering, LLVMValueRef function, LLVMValueRef other);
void upc__choose_in_entry(struct lowering *lowering, LLVMValueRef direct, LLVMValueRef checked);

/* lines.c: reduces a module's debug information to functions and lines. */
void upc__keep_lines(struct lowering *lowering, LLVMModuleRef module);
/* Removes an instruction's column: if the optimizer merges instructions of one line, the result then keeps the line. */
void upc__drop_column(struct lowering *lowering, LLVMValueRef instruction);

/* line_calls.c: allocations on one source line. Call upc__note_line_call for each instruction before any is changed. */
void upc__note_line_call(struct lowering *lowering, LLVMValueRef instruction);
/* Which of *count allocations by that function on its line a call is: 1, 2, ...; 0: not an allocation, or not known. */
unsigned upc__line_call(const struct lowering *lowering, LLVMValueRef instruction, unsigned *count);
void upc__free_line_calls(struct lowering *lowering);

/* measuring.c */
bool upc__wants_event(const struct lowering *lowering, LLVMValueRef instruction, const char *event);
void upc__mark_site(struct lowering *lowering, LLVMValueRef call, const char *event);
void upc__instrument_functions(struct lowering *lowering);

#endif
