/* SPDX-License-Identifier: BSD-3-Clause */
/* Atomic operations on shared memory: UPC 1.3 library, upc_atomic.h. */
#ifndef HUPC_UPC_ATOMIC_H
#define HUPC_UPC_ATOMIC_H

#include <upc_types.h>

/* In addition to the operations of upc_types.h. */
#define UPC_GET (1 << 9)
#define UPC_SET (1 << 10)
#define UPC_CSWAP (1 << 11)
#define UPC_SUB (1 << 12)
#define UPC_INC (1 << 13)
#define UPC_DEC (1 << 14)

/* An opaque shared type: used only through pointers. */
typedef shared struct hupc_atomicdomain upc_atomicdomain_t;

typedef int upc_atomichint_t;
#define UPC_ATOMIC_HINT_DEFAULT 0
#define UPC_ATOMIC_HINT_LATENCY 1
#define UPC_ATOMIC_HINT_THROUGHPUT 2

extern upc_atomicdomain_t *upc_all_atomicdomain_alloc(upc_type_t type, upc_op_t ops, upc_atomichint_t hints);
extern void upc_all_atomicdomain_free(upc_atomicdomain_t *ptr);

extern void upc_atomic_strict(upc_atomicdomain_t *domain, void *__restrict fetch_ptr, upc_op_t op,
	shared void *__restrict target, const void *__restrict operand1, const void *__restrict operand2);
extern void upc_atomic_relaxed(upc_atomicdomain_t *domain, void *__restrict fetch_ptr, upc_op_t op,
	shared void *__restrict target, const void *__restrict operand1, const void *__restrict operand2);

/* Returns non-zero if the processor executes this combination as one instruction. */
extern int upc_atomic_isfast(upc_type_t type, upc_op_t ops, shared void *address);

#endif
