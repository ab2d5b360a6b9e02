/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Extensions of Berkeley UPC that programs use, defined by UPC 1.3 where it has an equivalent. The compiler includes
 * this file if a program uses one of these names and does not declare it. Therefore this file must not include headers
 * of C that depend on feature-test macros.
 */
#ifndef HUPC_BUPC_EXTENSIONS_H
#define HUPC_BUPC_EXTENSIONS_H

#include <upc.h>

/* Called while waiting for other threads: a fence, and a chance for them to run. */
extern void upc_poll(void);
extern void bupc_poll(void);

/* Pointers-to-shared: as text (-1 and EINVAL if MAXLEN is too small), and arithmetic with a computed block size. */
#define BUPC_DUMP_MIN_LENGTH 100
extern int bupc_dump_shared(shared const void *ptr, char *buf, int maxlen);
extern shared void *bupc_ptradd(shared void *p, size_t blockelems, size_t elemsz, __PTRDIFF_TYPE__ elemincr);
#define UPC_DUMP_MIN_LENGTH BUPC_DUMP_MIN_LENGTH
#define upc_dump_shared bupc_dump_shared

/* The distance between the memory of two threads: within a node, all other threads are equally near. */
#define BUPC_THREADS_SAME 0
#define BUPC_THREADS_VERYNEAR 1
#define BUPC_THREADS_NEAR 2
#define BUPC_THREADS_FAR 3
#define BUPC_THREADS_VERYFAR 4
extern unsigned bupc_thread_distance(int thread_a, int thread_b);

/* upc_castable.h */
extern void *upc_cast(const shared void *ptr);
#define bupc_cast upc_cast
#define bupc_castable(ptr) ((ptr) == 0 || bupc_thread_castable(upc_threadof(ptr)))
#define bupc_thread_castable(thread) (bupc_thread_distance(MYTHREAD, (int)(thread)) <= BUPC_THREADS_VERYNEAR)

/* upc_tick.h */
typedef __UINT64_TYPE__ bupc_tick_t;
#define BUPC_TICK_MIN ((bupc_tick_t)0)
#define BUPC_TICK_MAX (~(bupc_tick_t)0)
extern __UINT64_TYPE__ upc_ticks_now(void);
extern __UINT64_TYPE__ upc_ticks_to_ns(__UINT64_TYPE__ ticks);
#define bupc_ticks_now upc_ticks_now
#define bupc_ticks_to_ns upc_ticks_to_ns
#define bupc_ticks_to_us(ticks) (upc_ticks_to_ns(ticks) / 1000)
#define bupc_tick_granularityus() 0.001
#define bupc_tick_overheadus() 0.03

/* upc_nb.h */
typedef __UINT64_TYPE__ bupc_handle_t;
#define BUPC_COMPLETE_HANDLE ((bupc_handle_t)0)
extern __UINT64_TYPE__ upc_memcpy_nb(shared void *__restrict dst, shared const void *__restrict src, size_t n);
extern __UINT64_TYPE__ upc_memget_nb(void *__restrict dst, shared const void *__restrict src, size_t n);
extern __UINT64_TYPE__ upc_memput_nb(shared void *__restrict dst, const void *__restrict src, size_t n);
extern __UINT64_TYPE__ upc_memset_nb(shared void *dst, int c, size_t n);
extern int upc_sync_attempt(__UINT64_TYPE__ handle);
extern void upc_sync(__UINT64_TYPE__ handle);
extern void upc_memcpy_nbi(shared void *__restrict dst, shared const void *__restrict src, size_t n);
extern void upc_memget_nbi(void *__restrict dst, shared const void *__restrict src, size_t n);
extern void upc_memput_nbi(shared void *__restrict dst, const void *__restrict src, size_t n);
extern void upc_memset_nbi(shared void *dst, int c, size_t n);
extern int upc_synci_attempt(void);
extern void upc_synci(void);
#define bupc_memcpy_async upc_memcpy_nb
#define bupc_memget_async upc_memget_nb
#define bupc_memput_async upc_memput_nb
#define bupc_memset_async upc_memset_nb
#define bupc_waitsync upc_sync
#define bupc_trysync upc_sync_attempt
#define bupc_memcpy_asynci upc_memcpy_nbi
#define bupc_memget_asynci upc_memget_nbi
#define bupc_memput_asynci upc_memput_nbi
#define bupc_memset_asynci upc_memset_nbi
#define bupc_waitsynci upc_synci
#define bupc_waitsynci_puts upc_synci
#define bupc_waitsynci_gets upc_synci
#define bupc_trysynci upc_synci_attempt
#define bupc_trysynci_puts upc_synci_attempt
#define bupc_trysynci_gets upc_synci_attempt

/* Names that the standard has under other names since then, and names that need no action. */
#define bupc_all_free upc_all_free
#define bupc_all_lock_free upc_all_lock_free
#define bupc_getenv getenv
#define bupc_trace_printf(arguments) ((void)0)
#define bupc_assert_type(type, expression) __builtin_types_compatible_p(__typeof__(type), __typeof__(expression))

#endif
