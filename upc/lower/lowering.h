/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of the lowering share. LLVM 14, with typed pointers. Not for others. */
#ifndef UPC_LOWER_LOWERING_H
#define UPC_LOWER_LOWERING_H

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

#include "upc/lower/lower.h"

/* Address spaces that x86 uses end here; between them and UPC's are those of negative block sizes. */
#define LAST_OTHER_SPACE 300

/* What is known of a value that is not in its type. */
enum mark {
	MARK_INSIDE = 1, /* points into an element: what follows is linear, whatever the block size */
	MARK_OWN = 2,    /* made by the lowering: its phase is right */
	MARK_BEGIN = 8,  /* where a variable begins: on thread 0, with phase 0 */
	MARK_PLAIN = 4,  /* a function that tells nothing */
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
	LLVMValueRef file, line; /* where it is declared, as constants */
};

struct lowering {
	const struct upc_lower_options *options;
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMTargetDataRef layout;
	LLVMBuilderRef builder;
	LLVMTypeRef i8, i32, i64, bytes; /* bytes: i8 * */
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
	LLVMValueRef at;    /* the instruction or variable whose constants are looked at, for messages */
	bool returns_twice; /* setjmp and the like are used: what is kept in registers may be of another time */
	bool failed;
};

/* types.c */
bool upc__is_shared(LLVMTypeRef type);      /* a pointer to shared, other than shared void * */
unsigned upc__block(LLVMTypeRef type);      /* of a pointer to shared */
bool upc__is_generic(LLVMTypeRef type);     /* shared void * */
LLVMTypeRef upc__element(LLVMTypeRef type); /* of an array of arrays; other types: themselves */
uint64_t upc__size(struct lowering *lowering, LLVMTypeRef type);
uint64_t upc__elements(struct lowering *lowering, LLVMTypeRef type); /* in the innermost sense */
/* Splits a number of elements or bytes into what THREADS multiplies and whether it does. */
bool upc__has_threads(uint64_t number);
LLVMValueRef upc__number(struct lowering *lowering, uint64_t number); /* i64, THREADS multiplied in */
LLVMValueRef upc__constant(struct lowering *lowering, int64_t value); /* i64 */
LLVMValueRef upc__threads(struct lowering *lowering);                 /* i64 */
void upc__mark(struct lowering *lowering, LLVMValueRef value, unsigned mark);
bool upc__is_marked(const struct lowering *lowering, LLVMValueRef value, unsigned mark);
/* Calls a function of upc/lower/inline.c or the runtime; it must be declared. */
LLVMValueRef upc__call(struct lowering *lowering, const char *name, LLVMValueRef *arguments, unsigned count);
LLVMValueRef upc__as_integer(struct lowering *lowering, LLVMValueRef pointer);
LLVMValueRef upc__as_pointer(struct lowering *lowering, LLVMValueRef integer, LLVMTypeRef type);
LLVMValueRef upc__add(
	struct lowering *lowering, LLVMValueRef pointer, LLVMValueRef index, uint64_t size, unsigned block);
void upc__unmark(struct lowering *lowering, LLVMValueRef value);
void upc__refuse_at(struct lowering *lowering, LLVMValueRef instruction, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The source position of an instruction, as constants for the runtime. */
void upc__position(struct lowering *lowering, LLVMValueRef instruction, LLVMValueRef *file, LLVMValueRef *line);
/* Whether an instruction stands in RANGES. */
bool upc__within(LLVMValueRef instruction, const struct upc_ranges *ranges);
LLVMValueRef upc__string(struct lowering *lowering, const char *text);
LLVMValueRef upc__file_string(struct lowering *lowering, const char *text);

/* lower.c: the builder before an instruction or in the unit's start function; instructions away */
void upc__before(struct lowering *lowering, LLVMValueRef instruction);
void upc__at_start(struct lowering *lowering);
void upc__erase(struct lowering *lowering, LLVMValueRef instruction);
void upc__replace(struct lowering *lowering, LLVMValueRef old, LLVMValueRef value);

/* checks.c: refuses what UPC doesn't have; before anything is lowered. */
void upc__check(struct lowering *lowering, LLVMValueRef instruction);

/* shared_constants.c: constants that hold addresses of shared variables */
bool upc__mentions_shared(LLVMValueRef constant);
LLVMValueRef upc__materialize(struct lowering *lowering, LLVMValueRef constant);
/* INITIALIZER of GLOBAL, for VARIABLE of the source, without shared addresses; the unit's start function stores them.
 */
LLVMValueRef upc__initializer(
	struct lowering *lowering, LLVMValueRef variable, LLVMValueRef global, LLVMValueRef initializer);

/* shared_globals.c */
void upc__collect_globals(struct lowering *lowering);
void upc__write_records(struct lowering *lowering); /* after functions were lowered */
LLVMValueRef upc__slot(const struct lowering *lowering, LLVMValueRef global);
/* Bytes of an element of a shared variable; the type is only a hint. */
uint64_t upc__element_size(struct lowering *lowering, LLVMValueRef global, LLVMTypeRef *element);
void upc__remove_globals(struct lowering *lowering);

/* pointers.c and accesses.c: each lowers one kind of instruction, which may be erased. */
void upc__lower_element(struct lowering *lowering, LLVMValueRef instruction);
void upc__lower_cast(struct lowering *lowering, LLVMValueRef instruction);
void upc__lower_comparison(struct lowering *lowering, LLVMValueRef instruction);
void upc__lower_arithmetic(struct lowering *lowering, LLVMValueRef instruction);
void upc__lower_load(struct lowering *lowering, LLVMValueRef instruction);
void upc__lower_store(struct lowering *lowering, LLVMValueRef instruction);
void upc__lower_atomic(struct lowering *lowering, LLVMValueRef instruction);
void upc__lower_call(struct lowering *lowering, LLVMValueRef instruction);
/* Memory functions: whether CALL was one of shared memory, and is lowered. */
bool upc__lower_memory(struct lowering *lowering, LLVMValueRef call, const char *name);

/* forall.c: before anything else is lowered */
void upc__deal_iterations(struct lowering *lowering);

/* versions.c: before anything else is lowered */
bool upc__make_versions(struct lowering *lowering, LLVMModuleRef copy); /* takes the copy */

/* measuring.c */
bool upc__wants_event(const struct lowering *lowering, LLVMValueRef instruction, const char *event);
void upc__mark_site(struct lowering *lowering, LLVMValueRef call, const char *event);
void upc__instrument_functions(struct lowering *lowering);

#endif
