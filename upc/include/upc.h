/* SPDX-License-Identifier: BSD-3-Clause */
/* The UPC utilities: UPC 1.3 library, section 7.2. */
#ifndef HUPC_UPC_H
#define HUPC_UPC_H

#include <stddef.h>
#include <upc_types.h>

/* An opaque shared type: used only through pointers. */
typedef shared struct hupc_lock upc_lock_t;

/* 7.2.1: ends all threads */
extern void upc_global_exit(int status) __attribute__((__noreturn__));

/* 7.2.2: shared memory allocation; upc_local_alloc is deprecated */
extern shared void *upc_global_alloc(size_t nblocks, size_t nbytes);
extern shared void *upc_all_alloc(size_t nblocks, size_t nbytes);
extern shared void *upc_alloc(size_t nbytes);
extern shared void *upc_local_alloc(size_t nblocks, size_t nbytes);
extern void upc_free(shared void *ptr);
extern void upc_all_free(shared void *ptr);

/* 7.2.3: pointers-to-shared */
extern size_t upc_threadof(shared const void *ptr);
extern size_t upc_phaseof(shared const void *ptr);
extern shared void *upc_resetphase(shared const void *ptr);
extern size_t upc_addrfield(shared const void *ptr);
extern size_t upc_affinitysize(size_t totalsize, size_t nbytes, size_t threadid);

/* 7.2.4: locks */
extern upc_lock_t *upc_global_lock_alloc(void);
extern upc_lock_t *upc_all_lock_alloc(void);
extern void upc_lock_free(upc_lock_t *ptr);
extern void upc_all_lock_free(upc_lock_t *ptr);
extern void upc_lock(upc_lock_t *ptr);
extern int upc_lock_attempt(upc_lock_t *ptr);
extern void upc_unlock(upc_lock_t *ptr);

/* 7.2.5: shared string handling */
extern void upc_memcpy(shared void *__restrict dst, shared const void *__restrict src, size_t n);
extern void upc_memget(void *__restrict dst, shared const void *__restrict src, size_t n);
extern void upc_memput(shared void *__restrict dst, const void *__restrict src, size_t n);
extern void upc_memset(shared void *dst, int c, size_t n);

#endif
