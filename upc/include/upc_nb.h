/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking transfers: UPC 1.3 library, upc_nb.h. */
#ifndef HUPC_UPC_NB_H
#define HUPC_UPC_NB_H

#include <stddef.h>
#include <stdint.h>

typedef uint64_t upc_handle_t;
#define UPC_COMPLETE_HANDLE ((upc_handle_t)0)

/* Explicit handles: each one that is not UPC_COMPLETE_HANDLE must be synchronized exactly once. */
extern upc_handle_t upc_memcpy_nb(shared void *__restrict dst, shared const void *__restrict src, size_t n);
extern upc_handle_t upc_memget_nb(void *__restrict dst, shared const void *__restrict src, size_t n);
extern upc_handle_t upc_memput_nb(shared void *__restrict dst, const void *__restrict src, size_t n);
extern upc_handle_t upc_memset_nb(shared void *dst, int c, size_t n);
extern int upc_sync_attempt(upc_handle_t handle);
extern void upc_sync(upc_handle_t handle);

/* Implicit handles: one call synchronizes all transfers of the calling thread. */
extern void upc_memcpy_nbi(shared void *__restrict dst, shared const void *__restrict src, size_t n);
extern void upc_memget_nbi(void *__restrict dst, shared const void *__restrict src, size_t n);
extern void upc_memput_nbi(shared void *__restrict dst, const void *__restrict src, size_t n);
extern void upc_memset_nbi(shared void *dst, int c, size_t n);
extern int upc_synci_attempt(void);
extern void upc_synci(void);

#endif
