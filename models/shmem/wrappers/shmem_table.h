/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The functions of OpenSHMEM, by name, shape, type and what they do: the only list. A new function is a line here.
 * Written from the text of the OpenSHMEM specification, versions 1.0 to 1.5, with the extensions (shmemx_) that Open
 * MPI has; a test compares it with the header that is installed.
 */
#ifndef HEDDLE_MODELS_SHMEM_TABLE_H
#define HEDDLE_MODELS_SHMEM_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* Types, as M(name in functions, C type, ...). */
#define HEDDLE_SHMEM_WORDS(M, ...)           \
	M(int, int, __VA_ARGS__)             \
	M(long, long, __VA_ARGS__)           \
	M(longlong, long long, __VA_ARGS__)  \
	M(uint, unsigned int, __VA_ARGS__)   \
	M(ulong, unsigned long, __VA_ARGS__) \
	M(ulonglong, unsigned long long, __VA_ARGS__)
#define HEDDLE_SHMEM_FIXED(M, ...)       \
	M(int32, int32_t, __VA_ARGS__)   \
	M(int64, int64_t, __VA_ARGS__)   \
	M(uint32, uint32_t, __VA_ARGS__) \
	M(uint64, uint64_t, __VA_ARGS__)
#define HEDDLE_SHMEM_ADDRESSES(M, ...) M(size, size_t, __VA_ARGS__) M(ptrdiff, ptrdiff_t, __VA_ARGS__)
#define HEDDLE_SHMEM_SHORTS(M, ...) M(short, short, __VA_ARGS__) M(ushort, unsigned short, __VA_ARGS__)
#define HEDDLE_SHMEM_SINGLE(M, ...) M(float, float, __VA_ARGS__) M(double, double, __VA_ARGS__)

/* Types of elements of puts and gets; of atomic operations; of those that fetch and set; of waits. */
#define HEDDLE_SHMEM_ELEMENTS(M, ...)           \
	HEDDLE_SHMEM_WORDS(M, __VA_ARGS__)      \
	HEDDLE_SHMEM_FIXED(M, __VA_ARGS__)      \
	HEDDLE_SHMEM_ADDRESSES(M, __VA_ARGS__)  \
	HEDDLE_SHMEM_SHORTS(M, __VA_ARGS__)     \
	HEDDLE_SHMEM_SINGLE(M, __VA_ARGS__)     \
	M(longdouble, long double, __VA_ARGS__) \
	M(char, char, __VA_ARGS__)              \
	M(schar, signed char, __VA_ARGS__)      \
	M(uchar, unsigned char, __VA_ARGS__)    \
	M(int8, int8_t, __VA_ARGS__)            \
	M(int16, int16_t, __VA_ARGS__)          \
	M(uint8, uint8_t, __VA_ARGS__)          \
	M(uint16, uint16_t, __VA_ARGS__)
#define HEDDLE_SHMEM_ATOMICS(M, ...)       \
	HEDDLE_SHMEM_WORDS(M, __VA_ARGS__) \
	HEDDLE_SHMEM_FIXED(M, __VA_ARGS__) \
	HEDDLE_SHMEM_ADDRESSES(M, __VA_ARGS__)
#define HEDDLE_SHMEM_FETCHED(M, ...) HEDDLE_SHMEM_ATOMICS(M, __VA_ARGS__) HEDDLE_SHMEM_SINGLE(M, __VA_ARGS__)
#define HEDDLE_SHMEM_BITS(M, ...) HEDDLE_SHMEM_WORDS(M, __VA_ARGS__) HEDDLE_SHMEM_FIXED(M, __VA_ARGS__)
#define HEDDLE_SHMEM_WAITED(M, ...) HEDDLE_SHMEM_ATOMICS(M, __VA_ARGS__) HEDDLE_SHMEM_SHORTS(M, __VA_ARGS__)

/* The same for names before version 1.4, and for extensions. */
#define HEDDLE_SHMEM_OLD(M, ...) M(int, int, __VA_ARGS__) M(long, long, __VA_ARGS__) M(longlong, long long, __VA_ARGS__)
#define HEDDLE_SHMEM_OLD_FETCHED(M, ...) HEDDLE_SHMEM_OLD(M, __VA_ARGS__) HEDDLE_SHMEM_SINGLE(M, __VA_ARGS__)
#define HEDDLE_SHMEM_OLD_WAITED(M, ...) HEDDLE_SHMEM_OLD(M, __VA_ARGS__) M(short, short, __VA_ARGS__)
#define HEDDLE_SHMEM_OLD_NUMBERS(M, ...)        \
	HEDDLE_SHMEM_OLD_WAITED(M, __VA_ARGS__) \
	HEDDLE_SHMEM_SINGLE(M, __VA_ARGS__)     \
	M(longdouble, long double, __VA_ARGS__)
#define HEDDLE_SHMEM_OLD_COMPLEX(M, ...)         \
	HEDDLE_SHMEM_OLD_NUMBERS(M, __VA_ARGS__) \
	M(complexf, struct heddle_shmem_8, __VA_ARGS__) M(complexd, struct heddle_shmem_16, __VA_ARGS__)
/* Types of reductions of teams. */
#define HEDDLE_SHMEM_REDUCED_BITS(M, ...)      \
	HEDDLE_SHMEM_BITS(M, __VA_ARGS__)      \
	M(size, size_t, __VA_ARGS__)           \
	M(ushort, unsigned short, __VA_ARGS__) \
	M(uchar, unsigned char, __VA_ARGS__)   \
	M(int8, int8_t, __VA_ARGS__)           \
	M(int16, int16_t, __VA_ARGS__)         \
	M(uint8, uint8_t, __VA_ARGS__)         \
	M(uint16, uint16_t, __VA_ARGS__)
#define HEDDLE_SHMEM_COMPLEX(M, ...)          \
	HEDDLE_SHMEM_ELEMENTS(M, __VA_ARGS__) \
	M(complexf, struct heddle_shmem_8, __VA_ARGS__) M(complexd, struct heddle_shmem_16, __VA_ARGS__)
#define HEDDLE_SHMEM_X(M, ...) M(int32, int32_t, __VA_ARGS__) M(int64, int64_t, __VA_ARGS__)
#define HEDDLE_SHMEM_X_SHORT(M, ...) HEDDLE_SHMEM_X(M, __VA_ARGS__) M(int16, int16_t, __VA_ARGS__)

/* Types of which only the size is known. */
struct heddle_shmem_8 {
	char bytes[8];
};
struct heddle_shmem_16 {
	char bytes[16];
};

/*
 * ONE(name, shape, type, effect, category, role): a function.
 * TYPED(name, types, shape, effect, category, role): shmem_TYPE_name for each type of a list above, and
 * shmem_ctx_TYPE_name with a context.
 * EACH(prefix, name, types, ...): prefix_TYPE_name without one.
 * SIZED(name, end, shape, ...): shmem_name{8,16,32,64,128}end, and shmem_ctx_... with a context.
 *
 * Shapes are in shmem_shapes.h, effects below.
 */
#define HEDDLE_SHMEM_TABLE(ONE, TYPED, EACH, SIZED)                                           \
	TYPED(p, ELEMENTS, P, ACCESS, COMMUNICATION, MOVES)                                   \
	TYPED(g, ELEMENTS, G, ACCESS, COMMUNICATION, MOVES)                                   \
	TYPED(put, ELEMENTS, PUT, ACCESS, COMMUNICATION, MOVES)                               \
	TYPED(get, ELEMENTS, GET, ACCESS, COMMUNICATION, MOVES)                               \
	TYPED(iput, ELEMENTS, IPUT, ACCESS, COMMUNICATION, MOVES)                             \
	TYPED(iget, ELEMENTS, IGET, ACCESS, COMMUNICATION, MOVES)                             \
	TYPED(put_nbi, ELEMENTS, PUT, LATER, COMMUNICATION, MOVES)                            \
	TYPED(get_nbi, ELEMENTS, GET, LATER, COMMUNICATION, MOVES)                            \
	SIZED(put, , PUT, ACCESS, COMMUNICATION, MOVES)                                       \
	SIZED(get, , GET, ACCESS, COMMUNICATION, MOVES)                                       \
	SIZED(iput, , IPUT, ACCESS, COMMUNICATION, MOVES)                                     \
	SIZED(iget, , IGET, ACCESS, COMMUNICATION, MOVES)                                     \
	SIZED(put, _nbi, PUT, LATER, COMMUNICATION, MOVES)                                    \
	SIZED(get, _nbi, GET, LATER, COMMUNICATION, MOVES)                                    \
	ONE(shmem_putmem, PUT, char, ACCESS, COMMUNICATION, MOVES)                            \
	ONE(shmem_getmem, GET, char, ACCESS, COMMUNICATION, MOVES)                            \
	ONE(shmem_putmem_nbi, PUT, char, LATER, COMMUNICATION, MOVES)                         \
	ONE(shmem_getmem_nbi, GET, char, LATER, COMMUNICATION, MOVES)                         \
	ONE(shmem_ctx_putmem, CTX_PUT, char, ACCESS, COMMUNICATION, MOVES)                    \
	ONE(shmem_ctx_getmem, CTX_GET, char, ACCESS, COMMUNICATION, MOVES)                    \
	ONE(shmem_ctx_putmem_nbi, CTX_PUT, char, LATER, COMMUNICATION, MOVES)                 \
	ONE(shmem_ctx_getmem_nbi, CTX_GET, char, LATER, COMMUNICATION, MOVES)                 \
	TYPED(atomic_fetch, FETCHED, G, ACCESS, COMMUNICATION, MOVES)                         \
	TYPED(atomic_set, FETCHED, P, ACCESS, COMMUNICATION, MOVES)                           \
	TYPED(atomic_swap, FETCHED, SWAP, ACCESS, COMMUNICATION, MOVES)                       \
	TYPED(atomic_compare_swap, ATOMICS, CSWAP, ACCESS, COMMUNICATION, MOVES)              \
	TYPED(atomic_add, ATOMICS, P, ACCESS, COMMUNICATION, MOVES)                           \
	TYPED(atomic_inc, ATOMICS, INC, ACCESS, COMMUNICATION, MOVES)                         \
	TYPED(atomic_fetch_add, ATOMICS, SWAP, ACCESS, COMMUNICATION, MOVES)                  \
	TYPED(atomic_fetch_inc, ATOMICS, FINC, ACCESS, COMMUNICATION, MOVES)                  \
	TYPED(atomic_and, BITS, P, ACCESS, COMMUNICATION, MOVES)                              \
	TYPED(atomic_or, BITS, P, ACCESS, COMMUNICATION, MOVES)                               \
	TYPED(atomic_xor, BITS, P, ACCESS, COMMUNICATION, MOVES)                              \
	TYPED(atomic_fetch_and, BITS, SWAP, ACCESS, COMMUNICATION, MOVES)                     \
	TYPED(atomic_fetch_or, BITS, SWAP, ACCESS, COMMUNICATION, MOVES)                      \
	TYPED(atomic_fetch_xor, BITS, SWAP, ACCESS, COMMUNICATION, MOVES)                     \
	EACH(shmem, fetch, OLD_FETCHED, G, ACCESS, COMMUNICATION, MOVES)                      \
	EACH(shmem, set, OLD_FETCHED, P, ACCESS, COMMUNICATION, MOVES)                        \
	EACH(shmem, swap, OLD_FETCHED, SWAP, ACCESS, COMMUNICATION, MOVES)                    \
	EACH(shmem, cswap, OLD, CSWAP, ACCESS, COMMUNICATION, MOVES)                          \
	EACH(shmem, add, OLD, P, ACCESS, COMMUNICATION, MOVES)                                \
	EACH(shmem, inc, OLD, INC, ACCESS, COMMUNICATION, MOVES)                              \
	EACH(shmem, fadd, OLD, SWAP, ACCESS, COMMUNICATION, MOVES)                            \
	EACH(shmem, finc, OLD, FINC, ACCESS, COMMUNICATION, MOVES)                            \
	EACH(shmemx, p, X_SHORT, P, ACCESS, COMMUNICATION, MOVES)                             \
	EACH(shmemx, g, X_SHORT, G, ACCESS, COMMUNICATION, MOVES)                             \
	EACH(shmemx, fetch, X, G, ACCESS, COMMUNICATION, MOVES)                               \
	EACH(shmemx, set, X, P, ACCESS, COMMUNICATION, MOVES)                                 \
	EACH(shmemx, swap, X, SWAP, ACCESS, COMMUNICATION, MOVES)                             \
	EACH(shmemx, cswap, X, CSWAP, ACCESS, COMMUNICATION, MOVES)                           \
	EACH(shmemx, add, X, P, ACCESS, COMMUNICATION, MOVES)                                 \
	EACH(shmemx, inc, X, INC, ACCESS, COMMUNICATION, MOVES)                               \
	EACH(shmemx, fadd, X, SWAP, ACCESS, COMMUNICATION, MOVES)                             \
	EACH(shmemx, finc, X, FINC, ACCESS, COMMUNICATION, MOVES)                             \
	EACH(shmemx, atomic_and, FIXED, P, ACCESS, COMMUNICATION, MOVES)                      \
	EACH(shmemx, atomic_or, FIXED, P, ACCESS, COMMUNICATION, MOVES)                       \
	EACH(shmemx, atomic_xor, FIXED, P, ACCESS, COMMUNICATION, MOVES)                      \
	EACH(shmemx, atomic_fetch_and, FIXED, SWAP, ACCESS, COMMUNICATION, MOVES)             \
	EACH(shmemx, atomic_fetch_or, FIXED, SWAP, ACCESS, COMMUNICATION, MOVES)              \
	EACH(shmemx, atomic_fetch_xor, FIXED, SWAP, ACCESS, COMMUNICATION, MOVES)             \
	EACH(shmem, wait_until, WAITED, WAIT_UNTIL, TIME, FENCE, NO_ROLE)                     \
	EACH(shmem, test, WAITED, TEST, TIME, COMMUNICATION, NO_ROLE)                         \
	EACH(shmem, wait, OLD_WAITED, WAIT, TIME, FENCE, NO_ROLE)                             \
	EACH(shmemx, wait_until, X, WAIT_UNTIL, TIME, FENCE, NO_ROLE)                         \
	EACH(shmemx, wait, X, WAIT, TIME, FENCE, NO_ROLE)                                     \
	ONE(shmem_wait, WAIT, long, TIME, FENCE, NO_ROLE)                                     \
	ONE(shmem_set_lock, LOCK, long, LOCK, LOCK, NO_ROLE)                                  \
	ONE(shmem_test_lock, TEST_LOCK, long, LOCK, COMMUNICATION, ATTEMPT)                   \
	ONE(shmem_clear_lock, LOCK, long, LOCK, COMMUNICATION, UNLOCK)                        \
	ONE(shmem_fence, NOTHING, int, TIME, FENCE, NO_ROLE)                                  \
	ONE(shmem_quiet, NOTHING, int, COMPLETE, FENCE, NO_ROLE)                              \
	ONE(shmem_ctx_fence, CONTEXT, int, TIME, FENCE, NO_ROLE)                              \
	ONE(shmem_ctx_quiet, CONTEXT, int, COMPLETE, FENCE, NO_ROLE)                          \
	ONE(shmem_barrier_all, NOTHING, int, MEET, BARRIER, NO_ROLE)                          \
	ONE(shmem_sync_all, NOTHING, int, TIME, BARRIER, NO_ROLE)                             \
	ONE(shmem_barrier, SET, int, SET_BARRIER, BARRIER, MEMBERS)                           \
	ONE(shmem_sync, SET, int, SET_MEET, BARRIER, MEMBERS)                                 \
	ONE(shmem_broadcast, BROADCAST, char, BROADCAST, COLLECTIVE, FROM_ROOT)               \
	ONE(shmem_broadcast32, BROADCAST, int32_t, BROADCAST, COLLECTIVE, FROM_ROOT)          \
	ONE(shmem_broadcast64, BROADCAST, int64_t, BROADCAST, COLLECTIVE, FROM_ROOT)          \
	ONE(shmem_collect32, COLLECT, int32_t, COLLECT, COLLECTIVE, MUTUAL)                   \
	ONE(shmem_collect64, COLLECT, int64_t, COLLECT, COLLECTIVE, MUTUAL)                   \
	ONE(shmem_fcollect32, COLLECT, int32_t, FCOLLECT, COLLECTIVE, MUTUAL)                 \
	ONE(shmem_fcollect64, COLLECT, int64_t, FCOLLECT, COLLECTIVE, MUTUAL)                 \
	ONE(shmem_alltoall32, COLLECT, int32_t, ALLTOALL, COLLECTIVE, MUTUAL)                 \
	ONE(shmem_alltoall64, COLLECT, int64_t, ALLTOALL, COLLECTIVE, MUTUAL)                 \
	ONE(shmem_alltoalls32, ALLTOALLS, int32_t, ALLTOALL, COLLECTIVE, MUTUAL)              \
	ONE(shmem_alltoalls64, ALLTOALLS, int64_t, ALLTOALL, COLLECTIVE, MUTUAL)              \
	EACH(shmem, and_to_all, OLD_WAITED, REDUCE, REDUCE, COLLECTIVE, MUTUAL)               \
	EACH(shmem, or_to_all, OLD_WAITED, REDUCE, REDUCE, COLLECTIVE, MUTUAL)                \
	EACH(shmem, xor_to_all, OLD_WAITED, REDUCE, REDUCE, COLLECTIVE, MUTUAL)               \
	EACH(shmem, max_to_all, OLD_NUMBERS, REDUCE, REDUCE, COLLECTIVE, MUTUAL)              \
	EACH(shmem, min_to_all, OLD_NUMBERS, REDUCE, REDUCE, COLLECTIVE, MUTUAL)              \
	EACH(shmem, sum_to_all, OLD_COMPLEX, REDUCE, REDUCE, COLLECTIVE, MUTUAL)              \
	EACH(shmem, prod_to_all, OLD_COMPLEX, REDUCE, REDUCE, COLLECTIVE, MUTUAL)             \
	EACH(shmemx, and_to_all, X_SHORT, REDUCE, REDUCE, COLLECTIVE, MUTUAL)                 \
	EACH(shmemx, or_to_all, X_SHORT, REDUCE, REDUCE, COLLECTIVE, MUTUAL)                  \
	EACH(shmemx, xor_to_all, X_SHORT, REDUCE, REDUCE, COLLECTIVE, MUTUAL)                 \
	EACH(shmemx, max_to_all, X_SHORT, REDUCE, REDUCE, COLLECTIVE, MUTUAL)                 \
	EACH(shmemx, min_to_all, X_SHORT, REDUCE, REDUCE, COLLECTIVE, MUTUAL)                 \
	EACH(shmemx, sum_to_all, X_SHORT, REDUCE, REDUCE, COLLECTIVE, MUTUAL)                 \
	EACH(shmemx, prod_to_all, X_SHORT, REDUCE, REDUCE, COLLECTIVE, MUTUAL)                \
	TYPED(put_signal, ELEMENTS, PUT_SIGNAL, ACCESS, COMMUNICATION, MOVES)                 \
	TYPED(put_signal_nbi, ELEMENTS, PUT_SIGNAL, LATER, COMMUNICATION, MOVES)              \
	SIZED(put, _signal, PUT_SIGNAL, ACCESS, COMMUNICATION, MOVES)                         \
	SIZED(put, _signal_nbi, PUT_SIGNAL, LATER, COMMUNICATION, MOVES)                      \
	ONE(shmem_putmem_signal, PUT_SIGNAL, char, ACCESS, COMMUNICATION, MOVES)              \
	ONE(shmem_putmem_signal_nbi, PUT_SIGNAL, char, LATER, COMMUNICATION, MOVES)           \
	ONE(shmem_ctx_putmem_signal, CTX_PUT_SIGNAL, char, ACCESS, COMMUNICATION, MOVES)      \
	ONE(shmem_ctx_putmem_signal_nbi, CTX_PUT_SIGNAL, char, LATER, COMMUNICATION, MOVES)   \
	ONE(shmem_signal_fetch, GET_SIGNAL, uint64_t, TIME, COMMUNICATION, NO_ROLE)           \
	ONE(shmem_signal_wait_until, WAIT_SIGNAL, uint64_t, TIME, FENCE, NO_ROLE)             \
	TYPED(atomic_fetch_nbi, FETCHED, FETCH_LATER, LATER, COMMUNICATION, MOVES)            \
	TYPED(atomic_swap_nbi, FETCHED, SWAP_LATER, LATER, COMMUNICATION, MOVES)              \
	TYPED(atomic_compare_swap_nbi, ATOMICS, CSWAP_LATER, LATER, COMMUNICATION, MOVES)     \
	TYPED(atomic_fetch_add_nbi, ATOMICS, SWAP_LATER, LATER, COMMUNICATION, MOVES)         \
	TYPED(atomic_fetch_inc_nbi, ATOMICS, FINC_LATER, LATER, COMMUNICATION, MOVES)         \
	TYPED(atomic_fetch_and_nbi, BITS, SWAP_LATER, LATER, COMMUNICATION, MOVES)            \
	TYPED(atomic_fetch_or_nbi, BITS, SWAP_LATER, LATER, COMMUNICATION, MOVES)             \
	TYPED(atomic_fetch_xor_nbi, BITS, SWAP_LATER, LATER, COMMUNICATION, MOVES)            \
	EACH(shmem, wait_until_all, WAITED, WAIT_ALL, TIME, FENCE, NO_ROLE)                   \
	EACH(shmem, wait_until_any, WAITED, WAIT_ANY, TIME, FENCE, NO_ROLE)                   \
	EACH(shmem, wait_until_some, WAITED, WAIT_SOME, TIME, FENCE, NO_ROLE)                 \
	EACH(shmem, wait_until_all_vector, WAITED, WAIT_ALL_VECTOR, TIME, FENCE, NO_ROLE)     \
	EACH(shmem, wait_until_any_vector, WAITED, WAIT_ANY_VECTOR, TIME, FENCE, NO_ROLE)     \
	EACH(shmem, wait_until_some_vector, WAITED, WAIT_SOME_VECTOR, TIME, FENCE, NO_ROLE)   \
	EACH(shmem, test_all, WAITED, TEST_ALL, TIME, COMMUNICATION, NO_ROLE)                 \
	EACH(shmem, test_any, WAITED, WAIT_ANY, TIME, COMMUNICATION, NO_ROLE)                 \
	EACH(shmem, test_some, WAITED, WAIT_SOME, TIME, COMMUNICATION, NO_ROLE)               \
	EACH(shmem, test_all_vector, WAITED, TEST_ALL_VECTOR, TIME, COMMUNICATION, NO_ROLE)   \
	EACH(shmem, test_any_vector, WAITED, WAIT_ANY_VECTOR, TIME, COMMUNICATION, NO_ROLE)   \
	EACH(shmem, test_some_vector, WAITED, WAIT_SOME_VECTOR, TIME, COMMUNICATION, NO_ROLE) \
	ONE(shmem_sync_deprecated, SET, int, SET_MEET, BARRIER, MEMBERS)                      \
	ONE(shmem_team_sync, TEAM, int, SET_MEET, BARRIER, MEMBERS)                           \
	EACH(shmem, broadcast, ELEMENTS, TEAM_ROOT, BROADCAST, COLLECTIVE, FROM_ROOT)         \
	EACH(shmem, collect, ELEMENTS, TEAM_DATA, COLLECT, COLLECTIVE, MUTUAL)                \
	EACH(shmem, fcollect, ELEMENTS, TEAM_DATA, FCOLLECT, COLLECTIVE, MUTUAL)              \
	EACH(shmem, alltoall, ELEMENTS, TEAM_DATA, ALLTOALL, COLLECTIVE, MUTUAL)              \
	EACH(shmem, alltoalls, ELEMENTS, TEAM_STRIDED, ALLTOALL, COLLECTIVE, MUTUAL)          \
	ONE(shmem_broadcastmem, TEAM_ROOT, char, BROADCAST, COLLECTIVE, FROM_ROOT)            \
	ONE(shmem_collectmem, TEAM_DATA, char, COLLECT, COLLECTIVE, MUTUAL)                   \
	ONE(shmem_fcollectmem, TEAM_DATA, char, FCOLLECT, COLLECTIVE, MUTUAL)                 \
	ONE(shmem_alltoallmem, TEAM_DATA, char, ALLTOALL, COLLECTIVE, MUTUAL)                 \
	ONE(shmem_alltoallsmem, TEAM_STRIDED, char, ALLTOALL, COLLECTIVE, MUTUAL)             \
	EACH(shmem, and_reduce, REDUCED_BITS, TEAM_DATA, REDUCE, COLLECTIVE, MUTUAL)          \
	EACH(shmem, or_reduce, REDUCED_BITS, TEAM_DATA, REDUCE, COLLECTIVE, MUTUAL)           \
	EACH(shmem, xor_reduce, REDUCED_BITS, TEAM_DATA, REDUCE, COLLECTIVE, MUTUAL)          \
	EACH(shmem, max_reduce, ELEMENTS, TEAM_DATA, REDUCE, COLLECTIVE, MUTUAL)              \
	EACH(shmem, min_reduce, ELEMENTS, TEAM_DATA, REDUCE, COLLECTIVE, MUTUAL)              \
	EACH(shmem, sum_reduce, COMPLEX, TEAM_DATA, REDUCE, COLLECTIVE, MUTUAL)               \
	EACH(shmem, prod_reduce, COMPLEX, TEAM_DATA, REDUCE, COLLECTIVE, MUTUAL)              \
	ONE(shmem_team_split_strided, SPLIT, int, TIME, COLLECTIVE, NO_ROLE)                  \
	ONE(shmem_team_split_2d, SPLIT_2D, int, TIME, COLLECTIVE, NO_ROLE)                    \
	ONE(shmem_team_destroy, END_TEAM, int, TIME, COLLECTIVE, NO_ROLE)                     \
	ONE(shmem_team_create_ctx, TEAM_CONTEXT, int, TIME, COMMUNICATION, NO_ROLE)           \
	ONE(shmem_team_my_pe, TEAM, int, COUNT, OTHER, NO_ROLE)                               \
	ONE(shmem_team_n_pes, TEAM, int, COUNT, OTHER, NO_ROLE)                               \
	ONE(shmem_team_translate_pe, ASK_TRANSLATED, int, COUNT, OTHER, NO_ROLE)              \
	ONE(shmem_team_get_config, ASK_CONFIG, int, COUNT, OTHER, NO_ROLE)                    \
	ONE(shmem_ctx_get_team, ASK_CONTEXT, int, COUNT, OTHER, NO_ROLE)                      \
	ONE(shmem_malloc, SIZE, char, ALLOCATE, ALLOCATION, SHARES)                           \
	ONE(shmem_calloc, SIZES, char, ALLOCATE, ALLOCATION, SHARES)                          \
	ONE(shmem_align, ALIGNED, char, ALLOCATE, ALLOCATION, SHARES)                         \
	ONE(shmem_malloc_with_hints, SIZE_HINTS, char, ALLOCATE, ALLOCATION, SHARES)          \
	ONE(shmemx_malloc_with_hint, SIZE_HINTS, char, ALLOCATE, ALLOCATION, SHARES)          \
	ONE(shmem_realloc, RESIZE, char, RELEASE, ALLOCATION, SHARES)                         \
	ONE(shmem_free, POINTER, char, RELEASE, ALLOCATION, SHARES)                           \
	ONE(shmem_ctx_create, CREATE, int, TIME, COMMUNICATION, NO_ROLE)                      \
	ONE(shmem_ctx_destroy, CONTEXT, int, COMPLETE, COMMUNICATION, NO_ROLE)                \
	ONE(shmem_init, NOTHING, int, INIT, COMMUNICATION, SETUP)                             \
	ONE(shmem_init_thread, INIT_THREAD, int, INIT, COMMUNICATION, SETUP)                  \
	ONE(start_pes, NUMBER, int, INIT, COMMUNICATION, NO_ROLE)                             \
	ONE(shmem_finalize, NOTHING, int, MEET, COMMUNICATION, SETUP)                         \
	ONE(shmem_global_exit, NUMBER, int, EXIT, EXIT, NO_ROLE)                              \
	ONE(shmem_my_pe, ASK, int, COUNT, OTHER, NO_ROLE)                                     \
	ONE(shmem_n_pes, ASK, int, COUNT, OTHER, NO_ROLE)                                     \
	ONE(shmem_pe_accessible, ASK_PE, int, COUNT, OTHER, NO_ROLE)                          \
	ONE(shmem_addr_accessible, ASK_ADDRESS, int, COUNT, OTHER, NO_ROLE)                   \
	ONE(shmem_ptr, ADDRESS, int, COUNT, OTHER, NO_ROLE)

/*
 * Acts of a call in addition to its region. COUNT: counted without time. TIME: a region only. Effects with the name of
 * a collective move what that collective moves.
 */
enum heddle_shmem_effect {
	HEDDLE_SHMEM_EFFECT_COUNT,
	HEDDLE_SHMEM_EFFECT_TIME,
	HEDDLE_SHMEM_EFFECT_ACCESS,      /* to the memory of a PE */
	HEDDLE_SHMEM_EFFECT_LATER,       /* nonblocking access to the memory of a PE */
	HEDDLE_SHMEM_EFFECT_COMPLETE,    /* completes nonblocking accesses */
	HEDDLE_SHMEM_EFFECT_MEET,        /* completes nonblocking accesses, and all PEs meet */
	HEDDLE_SHMEM_EFFECT_SET_MEET,    /* a set of PEs meets */
	HEDDLE_SHMEM_EFFECT_SET_BARRIER, /* completes nonblocking accesses, and a set of PEs meets */
	HEDDLE_SHMEM_EFFECT_BROADCAST,
	HEDDLE_SHMEM_EFFECT_COLLECT,
	HEDDLE_SHMEM_EFFECT_FCOLLECT,
	HEDDLE_SHMEM_EFFECT_ALLTOALL,
	HEDDLE_SHMEM_EFFECT_REDUCE,
	HEDDLE_SHMEM_EFFECT_LOCK, /* uses a lock */
	HEDDLE_SHMEM_EFFECT_ALLOCATE,
	HEDDLE_SHMEM_EFFECT_RELEASE, /* frees memory */
	HEDDLE_SHMEM_EFFECT_INIT,
	HEDDLE_SHMEM_EFFECT_EXIT, /* ends all PEs at once */
};

/* M(name, shape, type, effect, category, role) for each function: define M, and use it once. */
#define HEDDLE_SHMEM_ONE(...) M(__VA_ARGS__)
#define HEDDLE_SHMEM_TYPED_ONE(type, c, name, shape, ...) \
	M(shmem_##type##_##name, shape, c, __VA_ARGS__) M(shmem_ctx_##type##_##name, CTX_##shape, c, __VA_ARGS__)
#define HEDDLE_SHMEM_TYPED(name, types, shape, ...) \
	HEDDLE_SHMEM_##types(HEDDLE_SHMEM_TYPED_ONE, name, shape, __VA_ARGS__)
#define HEDDLE_SHMEM_EACH_ONE(type, c, prefix, name, shape, ...) M(prefix##_##type##_##name, shape, c, __VA_ARGS__)
#define HEDDLE_SHMEM_EACH(prefix, name, types, ...) \
	HEDDLE_SHMEM_##types(HEDDLE_SHMEM_EACH_ONE, prefix, name, __VA_ARGS__)
#define HEDDLE_SHMEM_SIZED_ONE(name, size, end, c, shape, ...) \
	M(shmem_##name##size##end, shape, c, __VA_ARGS__)      \
	M(shmem_ctx_##name##size##end, CTX_##shape, c, __VA_ARGS__)
#define HEDDLE_SHMEM_SIZED(name, end, ...)                          \
	HEDDLE_SHMEM_SIZED_ONE(name, 8, end, int8_t, __VA_ARGS__)   \
	HEDDLE_SHMEM_SIZED_ONE(name, 16, end, int16_t, __VA_ARGS__) \
	HEDDLE_SHMEM_SIZED_ONE(name, 32, end, int32_t, __VA_ARGS__) \
	HEDDLE_SHMEM_SIZED_ONE(name, 64, end, int64_t, __VA_ARGS__) \
	HEDDLE_SHMEM_SIZED_ONE(name, 128, end, struct heddle_shmem_16, __VA_ARGS__)
#define HEDDLE_SHMEM_FUNCTIONS \
	HEDDLE_SHMEM_TABLE(HEDDLE_SHMEM_ONE, HEDDLE_SHMEM_TYPED, HEDDLE_SHMEM_EACH, HEDDLE_SHMEM_SIZED)

#endif
