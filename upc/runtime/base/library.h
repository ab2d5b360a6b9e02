/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The C prototypes of the UPC library, which upc.h and related headers (upc/include/) declare in UPC.
 * Pointers-to-shared are upcrt_shared. Context of all: the UPC thread, or a thread that it created.
 */
#ifndef HEDDLE_UPC_RUNTIME_LIBRARY_H
#define HEDDLE_UPC_RUNTIME_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#include "upc/abi.h"

/* bupc_extensions.h */
void upc_poll(void);
void bupc_poll(void);
unsigned bupc_thread_distance(int a, int b);
int bupc_dump_shared(upcrt_shared pointer, char *text, int size);
upcrt_shared bupc_ptradd(upcrt_shared pointer, size_t block, size_t size, ptrdiff_t increment);

/* upc.h */
_Noreturn void upc_global_exit(int status);
upcrt_shared upc_global_alloc(size_t blocks, size_t bytes);
upcrt_shared upc_all_alloc(size_t blocks, size_t bytes);
upcrt_shared upc_alloc(size_t bytes);
upcrt_shared upc_local_alloc(size_t blocks, size_t bytes);
void upc_free(upcrt_shared pointer);
void upc_all_free(upcrt_shared pointer);

upcrt_shared upc_global_lock_alloc(void);
upcrt_shared upc_all_lock_alloc(void);
void upc_lock_free(upcrt_shared lock);
void upc_all_lock_free(upcrt_shared lock);
void upc_lock(upcrt_shared lock);
int upc_lock_attempt(upcrt_shared lock);
void upc_unlock(upcrt_shared lock);

size_t upc_threadof(upcrt_shared pointer);
size_t upc_phaseof(upcrt_shared pointer);
size_t upc_addrfield(upcrt_shared pointer);
upcrt_shared upc_resetphase(upcrt_shared pointer);
size_t upc_affinitysize(size_t size, size_t block, size_t thread);

void upc_memcpy(upcrt_shared to, upcrt_shared from, size_t size);
void upc_memget(void *to, upcrt_shared from, size_t size);
void upc_memput(upcrt_shared to, const void *from, size_t size);
void upc_memset(upcrt_shared to, int byte, size_t size);

/* upc_types.h: operations, types, flags */
enum hupc__operation {
	HUPC__ADD = 1 << 0,
	HUPC__MULT = 1 << 1,
	HUPC__AND = 1 << 2,
	HUPC__OR = 1 << 3,
	HUPC__XOR = 1 << 4,
	HUPC__LOGAND = 1 << 5,
	HUPC__LOGOR = 1 << 6,
	HUPC__MIN = 1 << 7,
	HUPC__MAX = 1 << 8,
	HUPC__GET = 1 << 9, /* from here on: upc_atomic.h */
	HUPC__SET = 1 << 10,
	HUPC__CSWAP = 1 << 11,
	HUPC__SUB = 1 << 12,
	HUPC__INC = 1 << 13,
	HUPC__DEC = 1 << 14,
	HUPC__FUNC = 1 << 15, /* from here on: upc_collective.h */
	HUPC__NONCOMM_FUNC = 1 << 16
};

enum hupc__type {
	HUPC__CHAR = 1,
	HUPC__UCHAR,
	HUPC__SHORT,
	HUPC__USHORT,
	HUPC__INT,
	HUPC__UINT,
	HUPC__LONG,
	HUPC__ULONG,
	HUPC__LLONG,
	HUPC__ULLONG,
	HUPC__INT8,
	HUPC__UINT8,
	HUPC__INT16,
	HUPC__UINT16,
	HUPC__INT32,
	HUPC__UINT32,
	HUPC__INT64,
	HUPC__UINT64,
	HUPC__FLOAT,
	HUPC__DOUBLE,
	HUPC__LDOUBLE,
	HUPC__PTS
};

enum hupc__flag {
	HUPC__IN_ALLSYNC = 1,
	HUPC__IN_MYSYNC = 2,
	HUPC__IN_NOSYNC = 4,
	HUPC__OUT_ALLSYNC = 8,
	HUPC__OUT_MYSYNC = 16,
	HUPC__OUT_NOSYNC = 32
};

/* upc_collective.h */
void upc_all_broadcast(upcrt_shared to, upcrt_shared from, size_t size, int flags);
void upc_all_scatter(upcrt_shared to, upcrt_shared from, size_t size, int flags);
void upc_all_gather(upcrt_shared to, upcrt_shared from, size_t size, int flags);
void upc_all_gather_all(upcrt_shared to, upcrt_shared from, size_t size, int flags);
void upc_all_exchange(upcrt_shared to, upcrt_shared from, size_t size, int flags);
void upc_all_permute(upcrt_shared to, upcrt_shared from, upcrt_shared permutation, size_t size, int flags);

/* All types of reductions: suffix, type, whether there are bitwise operations. */
#define HUPC__REDUCTIONS(X)            \
	X(C, signed char, INTEGER)     \
	X(UC, unsigned char, INTEGER)  \
	X(S, short, INTEGER)           \
	X(US, unsigned short, INTEGER) \
	X(I, int, INTEGER)             \
	X(UI, unsigned int, INTEGER)   \
	X(L, long, INTEGER)            \
	X(UL, unsigned long, INTEGER)  \
	X(F, float, REAL)              \
	X(D, double, REAL)             \
	X(LD, long double, REAL)

#define X(suffix, type, kind)                                                                                      \
	void upc_all_reduce##suffix(upcrt_shared to, upcrt_shared from, int operation, size_t count, size_t block, \
		type (*function)(type, type), int flags);                                                          \
	void upc_all_prefix_reduce##suffix(upcrt_shared to, upcrt_shared from, int operation, size_t count,        \
		size_t block, type (*function)(type, type), int flags);
HUPC__REDUCTIONS(X)
#undef X

/* upc_tick.h */
uint64_t upc_ticks_now(void);
uint64_t upc_ticks_to_ns(uint64_t ticks);

/* upc_nb.h */
uint64_t upc_memcpy_nb(upcrt_shared to, upcrt_shared from, size_t size);
uint64_t upc_memget_nb(void *to, upcrt_shared from, size_t size);
uint64_t upc_memput_nb(upcrt_shared to, const void *from, size_t size);
uint64_t upc_memset_nb(upcrt_shared to, int byte, size_t size);
int upc_sync_attempt(uint64_t handle);
void upc_sync(uint64_t handle);
void upc_memcpy_nbi(upcrt_shared to, upcrt_shared from, size_t size);
void upc_memget_nbi(void *to, upcrt_shared from, size_t size);
void upc_memput_nbi(upcrt_shared to, const void *from, size_t size);
void upc_memset_nbi(upcrt_shared to, int byte, size_t size);
int upc_synci_attempt(void);
void upc_synci(void);

/* upc_castable.h */
struct hupc__thread_info {
	int guaranteed, probably;
};
void *upc_cast(upcrt_shared pointer);
struct hupc__thread_info upc_thread_info(size_t thread);

/* upc_atomic.h */
upcrt_shared upc_all_atomicdomain_alloc(int type, int operations, int hints);
void upc_all_atomicdomain_free(upcrt_shared domain);
void upc_atomic_strict(upcrt_shared domain, void *fetched, int operation, upcrt_shared target, const void *operand1,
	const void *operand2);
void upc_atomic_relaxed(upcrt_shared domain, void *fetched, int operation, upcrt_shared target, const void *operand1,
	const void *operand2);
int upc_atomic_isfast(int type, int operations, upcrt_shared address);

/* pupc.h */
int pupc_control(int on);
unsigned int pupc_create_event(const char *name, const char *description);
void pupc_event_start(unsigned int tag, ...);
void pupc_event_end(unsigned int tag, ...);
void pupc_event_atomic(unsigned int tag, ...);
void hupc_event(int type, const char *file, int line, unsigned int tag, ...);

/*
 * The events of compiled code and of the library, by the names that tools use. Add an event that a new function reports
 * here; its number is in heddle/gasp_upc.h if GASP defines it.
 */
#define HUPC__EVENTS(X)                \
	X(GASP_C_FUNC)                 \
	X(GASP_UPC_COLLECTIVE_EXIT)    \
	X(GASP_UPC_NONCOLLECTIVE_EXIT) \
	X(GASP_UPC_NOTIFY)             \
	X(GASP_UPC_WAIT)               \
	X(GASP_UPC_BARRIER)            \
	X(GASP_UPC_FENCE)              \
	X(GASP_UPC_FORALL)             \
	X(GASP_UPC_GLOBAL_ALLOC)       \
	X(GASP_UPC_ALL_ALLOC)          \
	X(GASP_UPC_ALLOC)              \
	X(GASP_UPC_FREE)               \
	X(GASP_UPC_GLOBAL_LOCK_ALLOC)  \
	X(GASP_UPC_ALL_LOCK_ALLOC)     \
	X(GASP_UPC_LOCK_FREE)          \
	X(GASP_UPC_LOCK)               \
	X(GASP_UPC_LOCK_ATTEMPT)       \
	X(GASP_UPC_UNLOCK)             \
	X(GASP_UPC_MEMCPY)             \
	X(GASP_UPC_MEMGET)             \
	X(GASP_UPC_MEMPUT)             \
	X(GASP_UPC_MEMSET)             \
	X(GASP_UPC_GET)                \
	X(GASP_UPC_PUT)                \
	X(GASP_UPC_NB_GET_INIT)        \
	X(GASP_UPC_NB_GET_DATA)        \
	X(GASP_UPC_NB_PUT_INIT)        \
	X(GASP_UPC_NB_PUT_DATA)        \
	X(GASP_UPC_NB_SYNC)            \
	X(GASP_UPC_ALL_BROADCAST)      \
	X(GASP_UPC_ALL_SCATTER)        \
	X(GASP_UPC_ALL_GATHER)         \
	X(GASP_UPC_ALL_GATHER_ALL)     \
	X(GASP_UPC_ALL_EXCHANGE)       \
	X(GASP_UPC_ALL_PERMUTE)        \
	X(GASP_UPC_ALL_REDUCE)         \
	X(GASP_UPC_ALL_PREFIX_REDUCE)  \
	X(GASP_HUPC_STATIC_SHARED)

#endif
