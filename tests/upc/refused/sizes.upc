/* SPDX-License-Identifier: BSD-3-Clause */
/* Operands of upc_elemsizeof and upc_localsizeof that have no size. */
#include <stddef.h>
struct incomplete;
extern shared [2] int open[];
int vector __attribute__((vector_size(4 * upc_elemsizeof(open)))); /* refuse: 43 type is not known here */
size_t of_type = sizeof(shared [*] int[10]); /* refuse: 25 needs a declared array */
int i;
int wrong(void)
{
	i = upc_elemsizeof(shared struct incomplete); /* refuse: 6 an incomplete type */
	i = upc_localsizeof(shared [2] struct incomplete); /* refuse: 6 an incomplete type */
	i = upc_localsizeof(open); /* refuse: 6 an incomplete type */
	return upc_blocksizeof(shared [2] struct incomplete);
}
