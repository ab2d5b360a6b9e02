/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shapes of OpenSHMEM's functions: their parameters, by type, since float and double are passed otherwise than words.
 * Pointers are void *, whatever they point to, and so are handles. A shape NAME has
 *
 *   HEDDLE_SHMEM_RESULT_NAME      NONE, or what it gives: TYPE (the type), INT, SIZE, POINTER
 *   HEDDLE_SHMEM_PARAMETERS_NAME(T), HEDDLE_SHMEM_ARGUMENTS_NAME
 *   HEDDLE_SHMEM_MEANING_NAME(T)  initializers of struct heddle_shmem_arguments
 */
#ifndef HEDDLE_MODELS_SHMEM_SHAPES_H
#define HEDDLE_MODELS_SHMEM_SHAPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a call's arguments mean, as far as its effect asks. */
struct heddle_shmem_arguments {
	const void *context;
	const void *team;
	const void *symmetric;      /* the address in the PE's memory, or the lock */
	uint64_t size;              /* bytes */
	int pe;                     /* the partner, or the root among the members of the set */
	unsigned int ways;          /* enum heddle_shmem_way */
	int start, stride, members; /* a set of PEs; the stride is a power of two, this its exponent */
	bool is_team;               /* the set is the team */
};

#define HEDDLE_SHMEM_ACCESS(to, bytes, how) .symmetric = (to), .size = (bytes), .pe = pe, .ways = (how)
#define HEDDLE_SHMEM_BOTH (HEDDLE_SHMEM_GETS | HEDDLE_SHMEM_PUTS)
#define HEDDLE_SHMEM_TEAM .team = team, .is_team = true
#define HEDDLE_SHMEM_MEMBERS .start = start, .stride = stride, .members = members

#define HEDDLE_SHMEM_RESULT_P NONE
#define HEDDLE_SHMEM_PARAMETERS_P(T) void *to, T value, int pe
#define HEDDLE_SHMEM_ARGUMENTS_P to, value, pe
#define HEDDLE_SHMEM_MEANING_P(T) HEDDLE_SHMEM_ACCESS(to, sizeof(T), HEDDLE_SHMEM_PUTS)

#define HEDDLE_SHMEM_RESULT_G TYPE
#define HEDDLE_SHMEM_PARAMETERS_G(T) const void *from, int pe
#define HEDDLE_SHMEM_ARGUMENTS_G from, pe
#define HEDDLE_SHMEM_MEANING_G(T) HEDDLE_SHMEM_ACCESS(from, sizeof(T), HEDDLE_SHMEM_GETS)

#define HEDDLE_SHMEM_RESULT_PUT NONE
#define HEDDLE_SHMEM_PARAMETERS_PUT(T) void *to, const void *from, size_t count, int pe
#define HEDDLE_SHMEM_ARGUMENTS_PUT to, from, count, pe
#define HEDDLE_SHMEM_MEANING_PUT(T) HEDDLE_SHMEM_ACCESS(to, count * sizeof(T), HEDDLE_SHMEM_PUTS)

#define HEDDLE_SHMEM_RESULT_GET NONE
#define HEDDLE_SHMEM_PARAMETERS_GET(T) void *to, const void *from, size_t count, int pe
#define HEDDLE_SHMEM_ARGUMENTS_GET to, from, count, pe
#define HEDDLE_SHMEM_MEANING_GET(T) HEDDLE_SHMEM_ACCESS(from, count * sizeof(T), HEDDLE_SHMEM_GETS)

#define HEDDLE_SHMEM_RESULT_IPUT NONE
#define HEDDLE_SHMEM_PARAMETERS_IPUT(T) void *to, const void *from, ptrdiff_t far, ptrdiff_t near, size_t count, int pe
#define HEDDLE_SHMEM_ARGUMENTS_IPUT to, from, far, near, count, pe
#define HEDDLE_SHMEM_MEANING_IPUT(T) HEDDLE_SHMEM_MEANING_PUT(T)

#define HEDDLE_SHMEM_RESULT_IGET NONE
#define HEDDLE_SHMEM_PARAMETERS_IGET(T) HEDDLE_SHMEM_PARAMETERS_IPUT(T)
#define HEDDLE_SHMEM_ARGUMENTS_IGET HEDDLE_SHMEM_ARGUMENTS_IPUT
#define HEDDLE_SHMEM_MEANING_IGET(T) HEDDLE_SHMEM_MEANING_GET(T)

#define HEDDLE_SHMEM_RESULT_INC NONE
#define HEDDLE_SHMEM_PARAMETERS_INC(T) void *to, int pe
#define HEDDLE_SHMEM_ARGUMENTS_INC to, pe
#define HEDDLE_SHMEM_MEANING_INC(T) HEDDLE_SHMEM_ACCESS(to, sizeof(T), HEDDLE_SHMEM_PUTS)

#define HEDDLE_SHMEM_RESULT_FINC TYPE
#define HEDDLE_SHMEM_PARAMETERS_FINC(T) void *to, int pe
#define HEDDLE_SHMEM_ARGUMENTS_FINC to, pe
#define HEDDLE_SHMEM_MEANING_FINC(T) HEDDLE_SHMEM_ACCESS(to, sizeof(T), HEDDLE_SHMEM_BOTH)

#define HEDDLE_SHMEM_RESULT_SWAP TYPE
#define HEDDLE_SHMEM_PARAMETERS_SWAP(T) void *to, T value, int pe
#define HEDDLE_SHMEM_ARGUMENTS_SWAP to, value, pe
#define HEDDLE_SHMEM_MEANING_SWAP(T) HEDDLE_SHMEM_ACCESS(to, sizeof(T), HEDDLE_SHMEM_BOTH)

#define HEDDLE_SHMEM_RESULT_CSWAP TYPE
#define HEDDLE_SHMEM_PARAMETERS_CSWAP(T) void *to, T expected, T value, int pe
#define HEDDLE_SHMEM_ARGUMENTS_CSWAP to, expected, value, pe
#define HEDDLE_SHMEM_MEANING_CSWAP(T) HEDDLE_SHMEM_ACCESS(to, sizeof(T), HEDDLE_SHMEM_BOTH)

/* The same shapes with a context. */
#define HEDDLE_SHMEM_IN_CONTEXT void *context
#define HEDDLE_SHMEM_RESULT_CTX_P NONE
#define HEDDLE_SHMEM_PARAMETERS_CTX_P(T) HEDDLE_SHMEM_IN_CONTEXT, HEDDLE_SHMEM_PARAMETERS_P(T)
#define HEDDLE_SHMEM_ARGUMENTS_CTX_P context, HEDDLE_SHMEM_ARGUMENTS_P
#define HEDDLE_SHMEM_MEANING_CTX_P(T) .context = context, HEDDLE_SHMEM_MEANING_P(T)
#define HEDDLE_SHMEM_RESULT_CTX_G TYPE
#define HEDDLE_SHMEM_PARAMETERS_CTX_G(T) HEDDLE_SHMEM_IN_CONTEXT, HEDDLE_SHMEM_PARAMETERS_G(T)
#define HEDDLE_SHMEM_ARGUMENTS_CTX_G context, HEDDLE_SHMEM_ARGUMENTS_G
#define HEDDLE_SHMEM_MEANING_CTX_G(T) .context = context, HEDDLE_SHMEM_MEANING_G(T)
#define HEDDLE_SHMEM_RESULT_CTX_PUT NONE
#define HEDDLE_SHMEM_PARAMETERS_CTX_PUT(T) HEDDLE_SHMEM_IN_CONTEXT, HEDDLE_SHMEM_PARAMETERS_PUT(T)
#define HEDDLE_SHMEM_ARGUMENTS_CTX_PUT context, HEDDLE_SHMEM_ARGUMENTS_PUT
#define HEDDLE_SHMEM_MEANING_CTX_PUT(T) .context = context, HEDDLE_SHMEM_MEANING_PUT(T)
#define HEDDLE_SHMEM_RESULT_CTX_GET NONE
#define HEDDLE_SHMEM_PARAMETERS_CTX_GET(T) HEDDLE_SHMEM_IN_CONTEXT, HEDDLE_SHMEM_PARAMETERS_GET(T)
#define HEDDLE_SHMEM_ARGUMENTS_CTX_GET context, HEDDLE_SHMEM_ARGUMENTS_GET
#define HEDDLE_SHMEM_MEANING_CTX_GET(T) .context = context, HEDDLE_SHMEM_MEANING_GET(T)
#define HEDDLE_SHMEM_RESULT_CTX_IPUT NONE
#define HEDDLE_SHMEM_PARAMETERS_CTX_IPUT(T) HEDDLE_SHMEM_IN_CONTEXT, HEDDLE_SHMEM_PARAMETERS_IPUT(T)
#define HEDDLE_SHMEM_ARGUMENTS_CTX_IPUT context, HEDDLE_SHMEM_ARGUMENTS_IPUT
#define HEDDLE_SHMEM_MEANING_CTX_IPUT(T) .context = context, HEDDLE_SHMEM_MEANING_IPUT(T)
#define HEDDLE_SHMEM_RESULT_CTX_IGET NONE
#define HEDDLE_SHMEM_PARAMETERS_CTX_IGET(T) HEDDLE_SHMEM_IN_CONTEXT, HEDDLE_SHMEM_PARAMETERS_IGET(T)
#define HEDDLE_SHMEM_ARGUMENTS_CTX_IGET context, HEDDLE_SHMEM_ARGUMENTS_IGET
#define HEDDLE_SHMEM_MEANING_CTX_IGET(T) .context = context, HEDDLE_SHMEM_MEANING_IGET(T)
#define HEDDLE_SHMEM_RESULT_CTX_INC NONE
#define HEDDLE_SHMEM_PARAMETERS_CTX_INC(T) HEDDLE_SHMEM_IN_CONTEXT, HEDDLE_SHMEM_PARAMETERS_INC(T)
#define HEDDLE_SHMEM_ARGUMENTS_CTX_INC context, HEDDLE_SHMEM_ARGUMENTS_INC
#define HEDDLE_SHMEM_MEANING_CTX_INC(T) .context = context, HEDDLE_SHMEM_MEANING_INC(T)
#define HEDDLE_SHMEM_RESULT_CTX_FINC TYPE
#define HEDDLE_SHMEM_PARAMETERS_CTX_FINC(T) HEDDLE_SHMEM_IN_CONTEXT, HEDDLE_SHMEM_PARAMETERS_FINC(T)
#define HEDDLE_SHMEM_ARGUMENTS_CTX_FINC context, HEDDLE_SHMEM_ARGUMENTS_FINC
#define HEDDLE_SHMEM_MEANING_CTX_FINC(T) .context = context, HEDDLE_SHMEM_MEANING_FINC(T)
#define HEDDLE_SHMEM_RESULT_CTX_SWAP TYPE
#define HEDDLE_SHMEM_PARAMETERS_CTX_SWAP(T) HEDDLE_SHMEM_IN_CONTEXT, HEDDLE_SHMEM_PARAMETERS_SWAP(T)
#define HEDDLE_SHMEM_ARGUMENTS_CTX_SWAP context, HEDDLE_SHMEM_ARGUMENTS_SWAP
#define HEDDLE_SHMEM_MEANING_CTX_SWAP(T) .context = context, HEDDLE_SHMEM_MEANING_SWAP(T)
#define HEDDLE_SHMEM_RESULT_CTX_CSWAP TYPE
#define HEDDLE_SHMEM_PARAMETERS_CTX_CSWAP(T) HEDDLE_SHMEM_IN_CONTEXT, HEDDLE_SHMEM_PARAMETERS_CSWAP(T)
#define HEDDLE_SHMEM_ARGUMENTS_CTX_CSWAP context, HEDDLE_SHMEM_ARGUMENTS_CSWAP
#define HEDDLE_SHMEM_MEANING_CTX_CSWAP(T) .context = context, HEDDLE_SHMEM_MEANING_CSWAP(T)

/* Waiting, locks. */
#define HEDDLE_SHMEM_RESULT_WAIT NONE
#define HEDDLE_SHMEM_PARAMETERS_WAIT(T) void *at, T value
#define HEDDLE_SHMEM_ARGUMENTS_WAIT at, value
#define HEDDLE_SHMEM_MEANING_WAIT(T) .symmetric = at

#define HEDDLE_SHMEM_RESULT_WAIT_UNTIL NONE
#define HEDDLE_SHMEM_PARAMETERS_WAIT_UNTIL(T) void *at, int compare, T value
#define HEDDLE_SHMEM_ARGUMENTS_WAIT_UNTIL at, compare, value
#define HEDDLE_SHMEM_MEANING_WAIT_UNTIL(T) .symmetric = at

#define HEDDLE_SHMEM_RESULT_TEST INT
#define HEDDLE_SHMEM_PARAMETERS_TEST(T) void *at, int compare, T value
#define HEDDLE_SHMEM_ARGUMENTS_TEST at, compare, value
#define HEDDLE_SHMEM_MEANING_TEST(T) .symmetric = at

#define HEDDLE_SHMEM_RESULT_LOCK NONE
#define HEDDLE_SHMEM_PARAMETERS_LOCK(T) void *lock
#define HEDDLE_SHMEM_ARGUMENTS_LOCK lock
#define HEDDLE_SHMEM_MEANING_LOCK(T) .symmetric = lock

#define HEDDLE_SHMEM_RESULT_TEST_LOCK INT
#define HEDDLE_SHMEM_PARAMETERS_TEST_LOCK(T) void *lock
#define HEDDLE_SHMEM_ARGUMENTS_TEST_LOCK lock
#define HEDDLE_SHMEM_MEANING_TEST_LOCK(T) .symmetric = lock

/* Collectives. */
#define HEDDLE_SHMEM_RESULT_NOTHING NONE
#define HEDDLE_SHMEM_PARAMETERS_NOTHING(T) void
#define HEDDLE_SHMEM_ARGUMENTS_NOTHING
#define HEDDLE_SHMEM_MEANING_NOTHING(T) .size = 0

#define HEDDLE_SHMEM_RESULT_SET NONE
#define HEDDLE_SHMEM_PARAMETERS_SET(T) int start, int stride, int members, void *sync
#define HEDDLE_SHMEM_ARGUMENTS_SET start, stride, members, sync
#define HEDDLE_SHMEM_MEANING_SET(T) HEDDLE_SHMEM_MEMBERS

#define HEDDLE_SHMEM_RESULT_BROADCAST NONE
#define HEDDLE_SHMEM_PARAMETERS_BROADCAST(T) \
	void *to, const void *from, size_t count, int root, int start, int stride, int members, void *sync
#define HEDDLE_SHMEM_ARGUMENTS_BROADCAST to, from, count, root, start, stride, members, sync
#define HEDDLE_SHMEM_MEANING_BROADCAST(T) .size = count * sizeof(T), .pe = root, HEDDLE_SHMEM_MEMBERS

#define HEDDLE_SHMEM_RESULT_COLLECT NONE
#define HEDDLE_SHMEM_PARAMETERS_COLLECT(T) \
	void *to, const void *from, size_t count, int start, int stride, int members, void *sync
#define HEDDLE_SHMEM_ARGUMENTS_COLLECT to, from, count, start, stride, members, sync
#define HEDDLE_SHMEM_MEANING_COLLECT(T) .size = count * sizeof(T), HEDDLE_SHMEM_MEMBERS

#define HEDDLE_SHMEM_RESULT_ALLTOALLS NONE
#define HEDDLE_SHMEM_PARAMETERS_ALLTOALLS(T)                                                                         \
	void *to, const void *from, ptrdiff_t far, ptrdiff_t near, size_t count, int start, int stride, int members, \
		void *sync
#define HEDDLE_SHMEM_ARGUMENTS_ALLTOALLS to, from, far, near, count, start, stride, members, sync
#define HEDDLE_SHMEM_MEANING_ALLTOALLS(T) HEDDLE_SHMEM_MEANING_COLLECT(T)

#define HEDDLE_SHMEM_RESULT_REDUCE NONE
#define HEDDLE_SHMEM_PARAMETERS_REDUCE(T) \
	void *to, const void *from, int count, int start, int stride, int members, void *work, void *sync
#define HEDDLE_SHMEM_ARGUMENTS_REDUCE to, from, count, start, stride, members, work, sync
#define HEDDLE_SHMEM_MEANING_REDUCE(T) .size = (count > 0 ? (size_t)count : 0) * sizeof(T), HEDDLE_SHMEM_MEMBERS

/* Memory. */
#define HEDDLE_SHMEM_RESULT_SIZE POINTER
#define HEDDLE_SHMEM_PARAMETERS_SIZE(T) size_t size
#define HEDDLE_SHMEM_ARGUMENTS_SIZE size
#define HEDDLE_SHMEM_MEANING_SIZE(T) .size = size

#define HEDDLE_SHMEM_RESULT_SIZES POINTER
#define HEDDLE_SHMEM_PARAMETERS_SIZES(T) size_t count, size_t size
#define HEDDLE_SHMEM_ARGUMENTS_SIZES count, size
#define HEDDLE_SHMEM_MEANING_SIZES(T) .size = count * size

#define HEDDLE_SHMEM_RESULT_ALIGNED POINTER
#define HEDDLE_SHMEM_PARAMETERS_ALIGNED(T) size_t alignment, size_t size
#define HEDDLE_SHMEM_ARGUMENTS_ALIGNED alignment, size
#define HEDDLE_SHMEM_MEANING_ALIGNED(T) .size = size

#define HEDDLE_SHMEM_RESULT_SIZE_HINTS POINTER
#define HEDDLE_SHMEM_PARAMETERS_SIZE_HINTS(T) size_t size, long hints
#define HEDDLE_SHMEM_ARGUMENTS_SIZE_HINTS size, hints
#define HEDDLE_SHMEM_MEANING_SIZE_HINTS(T) .size = size

#define HEDDLE_SHMEM_RESULT_RESIZE POINTER
#define HEDDLE_SHMEM_PARAMETERS_RESIZE(T) void *block, size_t size
#define HEDDLE_SHMEM_ARGUMENTS_RESIZE block, size
#define HEDDLE_SHMEM_MEANING_RESIZE(T) .symmetric = block, .size = size

#define HEDDLE_SHMEM_RESULT_POINTER NONE
#define HEDDLE_SHMEM_PARAMETERS_POINTER(T) void *block
#define HEDDLE_SHMEM_ARGUMENTS_POINTER block
#define HEDDLE_SHMEM_MEANING_POINTER(T) .symmetric = block

/* The rest. */
#define HEDDLE_SHMEM_RESULT_CONTEXT NONE
#define HEDDLE_SHMEM_PARAMETERS_CONTEXT(T) HEDDLE_SHMEM_IN_CONTEXT
#define HEDDLE_SHMEM_ARGUMENTS_CONTEXT context
#define HEDDLE_SHMEM_MEANING_CONTEXT(T) .context = context

#define HEDDLE_SHMEM_RESULT_CREATE INT
#define HEDDLE_SHMEM_PARAMETERS_CREATE(T) long options, void *made
#define HEDDLE_SHMEM_ARGUMENTS_CREATE options, made
#define HEDDLE_SHMEM_MEANING_CREATE(T) .size = 0

#define HEDDLE_SHMEM_RESULT_INIT_THREAD INT
#define HEDDLE_SHMEM_PARAMETERS_INIT_THREAD(T) int wanted, void *provided
#define HEDDLE_SHMEM_ARGUMENTS_INIT_THREAD wanted, provided
#define HEDDLE_SHMEM_MEANING_INIT_THREAD(T) .size = 0

#define HEDDLE_SHMEM_RESULT_NUMBER NONE
#define HEDDLE_SHMEM_PARAMETERS_NUMBER(T) int number
#define HEDDLE_SHMEM_ARGUMENTS_NUMBER number
#define HEDDLE_SHMEM_MEANING_NUMBER(T) .size = 0

#define HEDDLE_SHMEM_RESULT_ASK INT
#define HEDDLE_SHMEM_PARAMETERS_ASK(T) void
#define HEDDLE_SHMEM_ARGUMENTS_ASK
#define HEDDLE_SHMEM_MEANING_ASK(T) .size = 0

#define HEDDLE_SHMEM_RESULT_ASK_PE INT
#define HEDDLE_SHMEM_PARAMETERS_ASK_PE(T) int pe
#define HEDDLE_SHMEM_ARGUMENTS_ASK_PE pe
#define HEDDLE_SHMEM_MEANING_ASK_PE(T) .size = 0

#define HEDDLE_SHMEM_RESULT_ASK_ADDRESS INT
#define HEDDLE_SHMEM_PARAMETERS_ASK_ADDRESS(T) const void *address, int pe
#define HEDDLE_SHMEM_ARGUMENTS_ASK_ADDRESS address, pe
#define HEDDLE_SHMEM_MEANING_ASK_ADDRESS(T) .size = 0

#define HEDDLE_SHMEM_RESULT_ADDRESS POINTER
#define HEDDLE_SHMEM_PARAMETERS_ADDRESS(T) const void *address, int pe
#define HEDDLE_SHMEM_ARGUMENTS_ADDRESS address, pe
#define HEDDLE_SHMEM_MEANING_ADDRESS(T) .size = 0

/* Since version 1.5: puts with a signal, atomic operations that do not block, waiting for many. */
#define HEDDLE_SHMEM_RESULT_PUT_SIGNAL NONE
#define HEDDLE_SHMEM_PARAMETERS_PUT_SIGNAL(T) \
	void *to, const void *from, size_t count, void *at, uint64_t signal, int how, int pe
#define HEDDLE_SHMEM_ARGUMENTS_PUT_SIGNAL to, from, count, at, signal, how, pe
#define HEDDLE_SHMEM_MEANING_PUT_SIGNAL(T) HEDDLE_SHMEM_MEANING_PUT(T)
#define HEDDLE_SHMEM_RESULT_CTX_PUT_SIGNAL NONE
#define HEDDLE_SHMEM_PARAMETERS_CTX_PUT_SIGNAL(T) HEDDLE_SHMEM_IN_CONTEXT, HEDDLE_SHMEM_PARAMETERS_PUT_SIGNAL(T)
#define HEDDLE_SHMEM_ARGUMENTS_CTX_PUT_SIGNAL context, HEDDLE_SHMEM_ARGUMENTS_PUT_SIGNAL
#define HEDDLE_SHMEM_MEANING_CTX_PUT_SIGNAL(T) .context = context, HEDDLE_SHMEM_MEANING_PUT_SIGNAL(T)

#define HEDDLE_SHMEM_RESULT_GET_SIGNAL TYPE
#define HEDDLE_SHMEM_PARAMETERS_GET_SIGNAL(T) const void *at
#define HEDDLE_SHMEM_ARGUMENTS_GET_SIGNAL at
#define HEDDLE_SHMEM_MEANING_GET_SIGNAL(T) .symmetric = at

#define HEDDLE_SHMEM_RESULT_WAIT_SIGNAL TYPE
#define HEDDLE_SHMEM_PARAMETERS_WAIT_SIGNAL(T) void *at, int compare, T value
#define HEDDLE_SHMEM_ARGUMENTS_WAIT_SIGNAL at, compare, value
#define HEDDLE_SHMEM_MEANING_WAIT_SIGNAL(T) .symmetric = at

#define HEDDLE_SHMEM_RESULT_FETCH_LATER NONE
#define HEDDLE_SHMEM_PARAMETERS_FETCH_LATER(T) void *fetched, const void *from, int pe
#define HEDDLE_SHMEM_ARGUMENTS_FETCH_LATER fetched, from, pe
#define HEDDLE_SHMEM_MEANING_FETCH_LATER(T) HEDDLE_SHMEM_MEANING_G(T)
#define HEDDLE_SHMEM_RESULT_CTX_FETCH_LATER NONE
#define HEDDLE_SHMEM_PARAMETERS_CTX_FETCH_LATER(T) HEDDLE_SHMEM_IN_CONTEXT, HEDDLE_SHMEM_PARAMETERS_FETCH_LATER(T)
#define HEDDLE_SHMEM_ARGUMENTS_CTX_FETCH_LATER context, HEDDLE_SHMEM_ARGUMENTS_FETCH_LATER
#define HEDDLE_SHMEM_MEANING_CTX_FETCH_LATER(T) .context = context, HEDDLE_SHMEM_MEANING_FETCH_LATER(T)

#define HEDDLE_SHMEM_RESULT_SWAP_LATER NONE
#define HEDDLE_SHMEM_PARAMETERS_SWAP_LATER(T) void *fetched, void *to, T value, int pe
#define HEDDLE_SHMEM_ARGUMENTS_SWAP_LATER fetched, to, value, pe
#define HEDDLE_SHMEM_MEANING_SWAP_LATER(T) HEDDLE_SHMEM_MEANING_SWAP(T)
#define HEDDLE_SHMEM_RESULT_CTX_SWAP_LATER NONE
#define HEDDLE_SHMEM_PARAMETERS_CTX_SWAP_LATER(T) HEDDLE_SHMEM_IN_CONTEXT, HEDDLE_SHMEM_PARAMETERS_SWAP_LATER(T)
#define HEDDLE_SHMEM_ARGUMENTS_CTX_SWAP_LATER context, HEDDLE_SHMEM_ARGUMENTS_SWAP_LATER
#define HEDDLE_SHMEM_MEANING_CTX_SWAP_LATER(T) .context = context, HEDDLE_SHMEM_MEANING_SWAP_LATER(T)

#define HEDDLE_SHMEM_RESULT_CSWAP_LATER NONE
#define HEDDLE_SHMEM_PARAMETERS_CSWAP_LATER(T) void *fetched, void *to, T expected, T value, int pe
#define HEDDLE_SHMEM_ARGUMENTS_CSWAP_LATER fetched, to, expected, value, pe
#define HEDDLE_SHMEM_MEANING_CSWAP_LATER(T) HEDDLE_SHMEM_MEANING_SWAP(T)
#define HEDDLE_SHMEM_RESULT_CTX_CSWAP_LATER NONE
#define HEDDLE_SHMEM_PARAMETERS_CTX_CSWAP_LATER(T) HEDDLE_SHMEM_IN_CONTEXT, HEDDLE_SHMEM_PARAMETERS_CSWAP_LATER(T)
#define HEDDLE_SHMEM_ARGUMENTS_CTX_CSWAP_LATER context, HEDDLE_SHMEM_ARGUMENTS_CSWAP_LATER
#define HEDDLE_SHMEM_MEANING_CTX_CSWAP_LATER(T) .context = context, HEDDLE_SHMEM_MEANING_CSWAP_LATER(T)

#define HEDDLE_SHMEM_RESULT_FINC_LATER NONE
#define HEDDLE_SHMEM_PARAMETERS_FINC_LATER(T) void *fetched, void *to, int pe
#define HEDDLE_SHMEM_ARGUMENTS_FINC_LATER fetched, to, pe
#define HEDDLE_SHMEM_MEANING_FINC_LATER(T) HEDDLE_SHMEM_MEANING_SWAP(T)
#define HEDDLE_SHMEM_RESULT_CTX_FINC_LATER NONE
#define HEDDLE_SHMEM_PARAMETERS_CTX_FINC_LATER(T) HEDDLE_SHMEM_IN_CONTEXT, HEDDLE_SHMEM_PARAMETERS_FINC_LATER(T)
#define HEDDLE_SHMEM_ARGUMENTS_CTX_FINC_LATER context, HEDDLE_SHMEM_ARGUMENTS_FINC_LATER
#define HEDDLE_SHMEM_MEANING_CTX_FINC_LATER(T) .context = context, HEDDLE_SHMEM_MEANING_FINC_LATER(T)

#define HEDDLE_SHMEM_RESULT_WAIT_ALL NONE
#define HEDDLE_SHMEM_PARAMETERS_WAIT_ALL(T) void *at, size_t count, const void *status, int compare, T value
#define HEDDLE_SHMEM_ARGUMENTS_WAIT_ALL at, count, status, compare, value
#define HEDDLE_SHMEM_MEANING_WAIT_ALL(T) .symmetric = at

#define HEDDLE_SHMEM_RESULT_WAIT_ALL_VECTOR NONE
#define HEDDLE_SHMEM_PARAMETERS_WAIT_ALL_VECTOR(T) void *at, size_t count, const void *status, int compare, void *values
#define HEDDLE_SHMEM_ARGUMENTS_WAIT_ALL_VECTOR at, count, status, compare, values
#define HEDDLE_SHMEM_MEANING_WAIT_ALL_VECTOR(T) .symmetric = at

#define HEDDLE_SHMEM_RESULT_WAIT_ANY SIZE
#define HEDDLE_SHMEM_PARAMETERS_WAIT_ANY(T) void *at, size_t count, const void *status, int compare, T value
#define HEDDLE_SHMEM_ARGUMENTS_WAIT_ANY at, count, status, compare, value
#define HEDDLE_SHMEM_MEANING_WAIT_ANY(T) .symmetric = at

#define HEDDLE_SHMEM_RESULT_WAIT_ANY_VECTOR SIZE
#define HEDDLE_SHMEM_PARAMETERS_WAIT_ANY_VECTOR(T) void *at, size_t count, const void *status, int compare, void *values
#define HEDDLE_SHMEM_ARGUMENTS_WAIT_ANY_VECTOR at, count, status, compare, values
#define HEDDLE_SHMEM_MEANING_WAIT_ANY_VECTOR(T) .symmetric = at

#define HEDDLE_SHMEM_RESULT_TEST_ALL INT
#define HEDDLE_SHMEM_PARAMETERS_TEST_ALL(T) void *at, size_t count, const void *status, int compare, T value
#define HEDDLE_SHMEM_ARGUMENTS_TEST_ALL at, count, status, compare, value
#define HEDDLE_SHMEM_MEANING_TEST_ALL(T) .symmetric = at

#define HEDDLE_SHMEM_RESULT_TEST_ALL_VECTOR INT
#define HEDDLE_SHMEM_PARAMETERS_TEST_ALL_VECTOR(T) void *at, size_t count, const void *status, int compare, void *values
#define HEDDLE_SHMEM_ARGUMENTS_TEST_ALL_VECTOR at, count, status, compare, values
#define HEDDLE_SHMEM_MEANING_TEST_ALL_VECTOR(T) .symmetric = at

#define HEDDLE_SHMEM_RESULT_WAIT_SOME SIZE
#define HEDDLE_SHMEM_PARAMETERS_WAIT_SOME(T) \
	void *at, size_t count, void *found, const void *status, int compare, T value
#define HEDDLE_SHMEM_ARGUMENTS_WAIT_SOME at, count, found, status, compare, value
#define HEDDLE_SHMEM_MEANING_WAIT_SOME(T) .symmetric = at

#define HEDDLE_SHMEM_RESULT_WAIT_SOME_VECTOR SIZE
#define HEDDLE_SHMEM_PARAMETERS_WAIT_SOME_VECTOR(T) \
	void *at, size_t count, void *found, const void *status, int compare, void *values
#define HEDDLE_SHMEM_ARGUMENTS_WAIT_SOME_VECTOR at, count, found, status, compare, values
#define HEDDLE_SHMEM_MEANING_WAIT_SOME_VECTOR(T) .symmetric = at

/* Teams. */
#define HEDDLE_SHMEM_RESULT_TEAM_ROOT INT
#define HEDDLE_SHMEM_PARAMETERS_TEAM_ROOT(T) void *team, void *to, const void *from, size_t count, int root
#define HEDDLE_SHMEM_ARGUMENTS_TEAM_ROOT team, to, from, count, root
#define HEDDLE_SHMEM_MEANING_TEAM_ROOT(T) .size = count * sizeof(T), .pe = root, HEDDLE_SHMEM_TEAM

#define HEDDLE_SHMEM_RESULT_TEAM_DATA INT
#define HEDDLE_SHMEM_PARAMETERS_TEAM_DATA(T) void *team, void *to, const void *from, size_t count
#define HEDDLE_SHMEM_ARGUMENTS_TEAM_DATA team, to, from, count
#define HEDDLE_SHMEM_MEANING_TEAM_DATA(T) .size = count * sizeof(T), HEDDLE_SHMEM_TEAM

#define HEDDLE_SHMEM_RESULT_TEAM_STRIDED INT
#define HEDDLE_SHMEM_PARAMETERS_TEAM_STRIDED(T) \
	void *team, void *to, const void *from, ptrdiff_t far, ptrdiff_t near, size_t count
#define HEDDLE_SHMEM_ARGUMENTS_TEAM_STRIDED team, to, from, far, near, count
#define HEDDLE_SHMEM_MEANING_TEAM_STRIDED(T) .size = count * sizeof(T), HEDDLE_SHMEM_TEAM

#define HEDDLE_SHMEM_RESULT_TEAM INT
#define HEDDLE_SHMEM_PARAMETERS_TEAM(T) void *team
#define HEDDLE_SHMEM_ARGUMENTS_TEAM team
#define HEDDLE_SHMEM_MEANING_TEAM(T) HEDDLE_SHMEM_TEAM

#define HEDDLE_SHMEM_RESULT_END_TEAM NONE
#define HEDDLE_SHMEM_PARAMETERS_END_TEAM(T) void *team
#define HEDDLE_SHMEM_ARGUMENTS_END_TEAM team
#define HEDDLE_SHMEM_MEANING_END_TEAM(T) HEDDLE_SHMEM_TEAM

#define HEDDLE_SHMEM_RESULT_SPLIT INT
#define HEDDLE_SHMEM_PARAMETERS_SPLIT(T) \
	void *team, int start, int stride, int members, const void *config, long mask, void *made
#define HEDDLE_SHMEM_ARGUMENTS_SPLIT team, start, stride, members, config, mask, made
#define HEDDLE_SHMEM_MEANING_SPLIT(T) HEDDLE_SHMEM_TEAM

#define HEDDLE_SHMEM_RESULT_SPLIT_2D INT
#define HEDDLE_SHMEM_PARAMETERS_SPLIT_2D(T) \
	void *team, int range, const void *x, long x_mask, void *x_made, const void *y, long y_mask, void *y_made
#define HEDDLE_SHMEM_ARGUMENTS_SPLIT_2D team, range, x, x_mask, x_made, y, y_mask, y_made
#define HEDDLE_SHMEM_MEANING_SPLIT_2D(T) HEDDLE_SHMEM_TEAM

#define HEDDLE_SHMEM_RESULT_TEAM_CONTEXT INT
#define HEDDLE_SHMEM_PARAMETERS_TEAM_CONTEXT(T) void *team, long options, void *made
#define HEDDLE_SHMEM_ARGUMENTS_TEAM_CONTEXT team, options, made
#define HEDDLE_SHMEM_MEANING_TEAM_CONTEXT(T) HEDDLE_SHMEM_TEAM

#define HEDDLE_SHMEM_RESULT_ASK_TRANSLATED INT
#define HEDDLE_SHMEM_PARAMETERS_ASK_TRANSLATED(T) void *team, int pe, void *other
#define HEDDLE_SHMEM_ARGUMENTS_ASK_TRANSLATED team, pe, other
#define HEDDLE_SHMEM_MEANING_ASK_TRANSLATED(T) .size = 0

#define HEDDLE_SHMEM_RESULT_ASK_CONFIG INT
#define HEDDLE_SHMEM_PARAMETERS_ASK_CONFIG(T) void *team, long mask, void *config
#define HEDDLE_SHMEM_ARGUMENTS_ASK_CONFIG team, mask, config
#define HEDDLE_SHMEM_MEANING_ASK_CONFIG(T) .size = 0

#define HEDDLE_SHMEM_RESULT_ASK_CONTEXT INT
#define HEDDLE_SHMEM_PARAMETERS_ASK_CONTEXT(T) HEDDLE_SHMEM_IN_CONTEXT, void *team
#define HEDDLE_SHMEM_ARGUMENTS_ASK_CONTEXT context, team
#define HEDDLE_SHMEM_MEANING_ASK_CONTEXT(T) .size = 0

#endif
