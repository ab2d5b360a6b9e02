/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Shapes of OpenSHMEM's functions: their parameters, by type, since float and double are passed otherwise than words.
 * Pointers are void *, whatever they point to, and so are handles. A shape NAME has
 *
 *   HEDDLE_SHMEM_RESULT_NAME      NONE, or what it gives: TYPE (the type), INT, POINTER
 *   HEDDLE_SHMEM_PARAMETERS_NAME(T), HEDDLE_SHMEM_ARGUMENTS_NAME
 *   HEDDLE_SHMEM_MEANING_NAME(T)  initializers of struct heddle_shmem_arguments
 */
#ifndef HEDDLE_MODELS_SHMEM_SHAPES_H
#define HEDDLE_MODELS_SHMEM_SHAPES_H

#include <stddef.h>
#include <stdint.h>

/* What a call's arguments mean, as far as its effect asks. */
struct heddle_shmem_arguments {
	const void *context;
	const void *symmetric;      /* the address in the PE's memory, or the lock */
	uint64_t size;              /* bytes */
	int pe;                     /* the partner, or the root among the members of the set */
	unsigned int ways;          /* enum heddle_shmem_way */
	int start, stride, members; /* a set of PEs; the stride is a power of two, this its exponent */
};

#define HEDDLE_SHMEM_ACCESS(to, bytes, how) .symmetric = (to), .size = (bytes), .pe = pe, .ways = (how)
#define HEDDLE_SHMEM_BOTH (HEDDLE_SHMEM_GETS | HEDDLE_SHMEM_PUTS)
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

/* The same with a context. */
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
#define HEDDLE_SHMEM_MEANING_RESIZE(T) .size = size

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

#endif
