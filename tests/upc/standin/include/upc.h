/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of upc.h that the compiler's tests use. */
#ifndef STANDIN_UPC_H
#define STANDIN_UPC_H

#include <stddef.h>

shared void *upc_all_alloc(size_t blocks, size_t bytes);
shared void *upc_alloc(size_t bytes);
size_t upc_threadof(shared void *pointer);
size_t upc_phaseof(shared void *pointer);
size_t upc_addrfield(shared void *pointer);
shared void *upc_resetphase(shared void *pointer);
void upc_memget(void *restrict to, shared const void *restrict from, size_t bytes);
void upc_memput(shared void *restrict to, const void *restrict from, size_t bytes);
void upc_memset(shared void *to, int byte, size_t bytes);

#endif
