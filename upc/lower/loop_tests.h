/* SPDX-License-Identifier: BSD-3-Clause */
/* What the parts of loop_tests.c share: loops that get a copy which accesses memory of the node directly. */
#ifndef UPC_LOWER_LOOP_TESTS_H
#define UPC_LOWER_LOOP_TESTS_H

#include "upc/lower/lowering.h"

#define MOST_BLOCKS 48
#define MOST_INSTRUCTIONS 500
#define MOST_POINTERS 8

/* An innermost loop, as clang makes it: its variables are in memory, and almost no other values leave it. */
struct tested_loop {
	LLVMValueRef function;
	LLVMBasicBlockRef header, blocks[MOST_BLOCKS], copies[MOST_BLOCKS];
	int block_count;
	bool calls;                     /* the loop calls functions, or stores something that is not a number */
	const struct dealt_loop *dealt; /* this thread's iterations of it, which begin with the body; or NULL */
	bool as_dealt;                  /* an access depends on `dealt` */
	LLVMValueRef same_node;         /* this thread's iterations of a upc_forall, from its body; or NULL */
	/* The pointers of accesses that always reach the same thread: values computed in the loop, or constants. */
	LLVMValueRef pointers[MOST_POINTERS];
	int pointer_count;
	LLVMValueRef accesses[MOST_INSTRUCTIONS]; /* through `pointers` */
	int access_count;
	struct copied {
		LLVMValueRef from, to;
	} map[MOST_INSTRUCTIONS];
	int map_count;
};

/* loop_tests.c */
int upc__block_index(const struct tested_loop *loop, LLVMBasicBlockRef block); /* -1: not in the loop */
bool upc__is_inside_loop(const struct tested_loop *loop, LLVMValueRef instruction);

/* loop_threads.c */
/* Collects the accesses whose thread is the same in all iterations. */
void upc__collect_steady_accesses(struct lowering *lowering, struct tested_loop *loop);
/* At the builder, in front of the loop: whether all these accesses are of memory of the node, as i1. NULL: they are. */
LLVMValueRef upc__build_loop_test(struct lowering *lowering, struct tested_loop *loop);
/* Adds a test to those in front of the loop. */
void upc__add_loop_test(struct lowering *lowering, struct tested_loop *loop, LLVMValueRef test);

/* loop_indices.c */
/* The private memory that VALUE was read from; NULL: VALUE is not such a load, or other threads may write there. */
LLVMValueRef upc__read_from(LLVMValueRef value);
#define MOST_STORES 8
struct loop_variable {
	LLVMValueRef stores[MOST_STORES]; /* in the loop */
	int count;
	LLVMValueRef only; /* the store, if it is the function's only one */
	bool renewed;      /* declared in the loop's body: an iteration does not read what an earlier one has stored */
};
/* Returns true if VARIABLE is local and its address is not taken. */
bool upc__understand_variable(const struct tested_loop *loop, LLVMValueRef variable, struct loop_variable *found);
/* Returns true if all values that are read in the loop come from the only store, in the same iteration. */
bool upc__is_set_inside(const struct loop_variable *variable);
/*
 * upc__is_round: an index is a multiple of THREADS. upc__is_congruent: modulo THREADS, it is the same in all
 * iterations.
 */
bool upc__is_round(const struct lowering *lowering, LLVMValueRef index, int depth);
bool upc__is_congruent(const struct lowering *lowering, struct tested_loop *loop, LLVMValueRef index, int depth);
/* At the builder, in front of the loop: a number, as i64, that a congruent index is congruent to modulo THREADS. */
LLVMValueRef upc__congruent(struct lowering *lowering, struct tested_loop *loop, LLVMValueRef index);

#endif
