/* SPDX-License-Identifier: BSD-3-Clause */
/* Private pointers to other threads' shared memory: UPC 1.3 library, upc_castable.h. For all threads of the node. */
#ifndef HUPC_UPC_CASTABLE_H
#define HUPC_UPC_CASTABLE_H

#include <stddef.h>

#define UPC_CASTABLE_ALL_ALLOC (1 << 0)
#define UPC_CASTABLE_GLOBAL_ALLOC (1 << 1)
#define UPC_CASTABLE_ALLOC (1 << 2)
#define UPC_CASTABLE_STATIC (1 << 3)
#define UPC_CASTABLE_ALL (UPC_CASTABLE_ALL_ALLOC | UPC_CASTABLE_GLOBAL_ALLOC | UPC_CASTABLE_ALLOC | UPC_CASTABLE_STATIC)

typedef struct {
	int guaranteedCastable;
	int probablyCastable;
} upc_thread_info_t;

extern void *upc_cast(const shared void *ptr);
extern upc_thread_info_t upc_thread_info(size_t threadId);

#endif
