/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective functions: UPC 1.3 library, section 7.4 (upc_collective.h). */
#ifndef HUPC_UPC_COLLECTIVE_H
#define HUPC_UPC_COLLECTIVE_H

#include <stddef.h>
#include <upc_types.h>

/* In addition to the operations of upc_types.h: a user-defined function. */
#define UPC_FUNC (1 << 15)
#define UPC_NONCOMM_FUNC (1 << 16)

extern void upc_all_broadcast(
	shared void *__restrict dst, shared const void *__restrict src, size_t nbytes, upc_flag_t flags);
extern void upc_all_scatter(
	shared void *__restrict dst, shared const void *__restrict src, size_t nbytes, upc_flag_t flags);
extern void upc_all_gather(
	shared void *__restrict dst, shared const void *__restrict src, size_t nbytes, upc_flag_t flags);
extern void upc_all_gather_all(
	shared void *__restrict dst, shared const void *__restrict src, size_t nbytes, upc_flag_t flags);
extern void upc_all_exchange(
	shared void *__restrict dst, shared const void *__restrict src, size_t nbytes, upc_flag_t flags);
extern void upc_all_permute(shared void *__restrict dst, shared const void *__restrict src,
	shared const int *__restrict perm, size_t nbytes, upc_flag_t flags);

#define HUPC_REDUCTIONS(suffix, type)                                                                             \
	extern void upc_all_reduce##suffix(shared void *__restrict dst, shared const void *__restrict src,        \
		upc_op_t op, size_t nelems, size_t blk_size, type (*func)(type, type), upc_flag_t flags);         \
	extern void upc_all_prefix_reduce##suffix(shared void *__restrict dst, shared const void *__restrict src, \
		upc_op_t op, size_t nelems, size_t blk_size, type (*func)(type, type), upc_flag_t flags);
HUPC_REDUCTIONS(C, signed char)
HUPC_REDUCTIONS(UC, unsigned char)
HUPC_REDUCTIONS(S, short)
HUPC_REDUCTIONS(US, unsigned short)
HUPC_REDUCTIONS(I, int)
HUPC_REDUCTIONS(UI, unsigned int)
HUPC_REDUCTIONS(L, long)
HUPC_REDUCTIONS(UL, unsigned long)
HUPC_REDUCTIONS(F, float)
HUPC_REDUCTIONS(D, double)
HUPC_REDUCTIONS(LD, long double)
#undef HUPC_REDUCTIONS

#endif
