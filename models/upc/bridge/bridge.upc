/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linked into UPC programs by `heddle upcc`, compiled by the program's own UPC compiler with that compiler's own GASP
 * headers: it tells libheddle.so what the numbers and the pointers-to-shared of that compiler mean (upc_bridge.h). It
 * must not cause events itself.
 */
#ifdef __BERKELEY_UPC__
#pragma UPCR NO_SRCPOS
#endif
#pragma pupc off

#include <stdarg.h> /* which Berkeley's gasp.h needs and does not include */
#include <stddef.h>

#include <upc.h>

#include <gasp.h>
#include <gasp_upc.h>

#include <heddle/upc_bridge.h>

/* The parentheses matter: Berkeley's are sums without any. */
#define EVENT(name) {#name, (unsigned int)(name)}

/* What a compiler does not have is no macro in its headers. Versions 1.3 of GASP name the exits otherwise. */
static const struct heddle_upc_bridge_event bridge_events[] = {
#ifdef GASP_C_FUNC
	EVENT(GASP_C_FUNC),
#endif
#ifdef GASP_C_MALLOC
	EVENT(GASP_C_MALLOC),
#endif
#ifdef GASP_C_REALLOC
	EVENT(GASP_C_REALLOC),
#endif
#ifdef GASP_C_FREE
	EVENT(GASP_C_FREE),
#endif
#ifdef GASP_UPC_COLLECTIVE_EXIT
	EVENT(GASP_UPC_COLLECTIVE_EXIT),
#elif defined(GASP_COLLECTIVE_EXIT)
	{"GASP_UPC_COLLECTIVE_EXIT", (unsigned int)(GASP_COLLECTIVE_EXIT)},
#endif
#ifdef GASP_UPC_NONCOLLECTIVE_EXIT
	EVENT(GASP_UPC_NONCOLLECTIVE_EXIT),
#elif defined(GASP_NONCOLLECTIVE_EXIT)
	{"GASP_UPC_NONCOLLECTIVE_EXIT", (unsigned int)(GASP_NONCOLLECTIVE_EXIT)},
#endif
#ifdef GASP_UPC_NOTIFY
	EVENT(GASP_UPC_NOTIFY),
#endif
#ifdef GASP_UPC_WAIT
	EVENT(GASP_UPC_WAIT),
#endif
#ifdef GASP_UPC_BARRIER
	EVENT(GASP_UPC_BARRIER),
#endif
#ifdef GASP_UPC_FENCE
	EVENT(GASP_UPC_FENCE),
#endif
#ifdef GASP_UPC_FORALL
	EVENT(GASP_UPC_FORALL),
#endif
#ifdef GASP_UPC_GLOBAL_ALLOC
	EVENT(GASP_UPC_GLOBAL_ALLOC),
#endif
#ifdef GASP_UPC_ALL_ALLOC
	EVENT(GASP_UPC_ALL_ALLOC),
#endif
#ifdef GASP_UPC_ALLOC
	EVENT(GASP_UPC_ALLOC),
#endif
#ifdef GASP_UPC_FREE
	EVENT(GASP_UPC_FREE),
#endif
#ifdef GASP_UPC_GLOBAL_LOCK_ALLOC
	EVENT(GASP_UPC_GLOBAL_LOCK_ALLOC),
#endif
#ifdef GASP_UPC_ALL_LOCK_ALLOC
	EVENT(GASP_UPC_ALL_LOCK_ALLOC),
#endif
#ifdef GASP_UPC_LOCK_FREE
	EVENT(GASP_UPC_LOCK_FREE),
#endif
#ifdef GASP_UPC_LOCK
	EVENT(GASP_UPC_LOCK),
#endif
#ifdef GASP_UPC_LOCK_ATTEMPT
	EVENT(GASP_UPC_LOCK_ATTEMPT),
#endif
#ifdef GASP_UPC_UNLOCK
	EVENT(GASP_UPC_UNLOCK),
#endif
#ifdef GASP_UPC_MEMCPY
	EVENT(GASP_UPC_MEMCPY),
#endif
#ifdef GASP_UPC_MEMGET
	EVENT(GASP_UPC_MEMGET),
#endif
#ifdef GASP_UPC_MEMPUT
	EVENT(GASP_UPC_MEMPUT),
#endif
#ifdef GASP_UPC_MEMSET
	EVENT(GASP_UPC_MEMSET),
#endif
#ifdef GASP_UPC_GET
	EVENT(GASP_UPC_GET),
#endif
#ifdef GASP_UPC_PUT
	EVENT(GASP_UPC_PUT),
#endif
#ifdef GASP_UPC_NB_GET_INIT
	EVENT(GASP_UPC_NB_GET_INIT),
#endif
#ifdef GASP_UPC_NB_GET_DATA
	EVENT(GASP_UPC_NB_GET_DATA),
#endif
#ifdef GASP_UPC_NB_PUT_INIT
	EVENT(GASP_UPC_NB_PUT_INIT),
#endif
#ifdef GASP_UPC_NB_PUT_DATA
	EVENT(GASP_UPC_NB_PUT_DATA),
#endif
#ifdef GASP_UPC_NB_SYNC
	EVENT(GASP_UPC_NB_SYNC),
#endif
#ifdef GASP_UPC_CACHE_MISS
	EVENT(GASP_UPC_CACHE_MISS),
#endif
#ifdef GASP_UPC_CACHE_HIT
	EVENT(GASP_UPC_CACHE_HIT),
#endif
#ifdef GASP_UPC_CACHE_INVALIDATE
	EVENT(GASP_UPC_CACHE_INVALIDATE),
#endif
#ifdef GASP_UPC_ALL_BROADCAST
	EVENT(GASP_UPC_ALL_BROADCAST),
#endif
#ifdef GASP_UPC_ALL_SCATTER
	EVENT(GASP_UPC_ALL_SCATTER),
#endif
#ifdef GASP_UPC_ALL_GATHER
	EVENT(GASP_UPC_ALL_GATHER),
#endif
#ifdef GASP_UPC_ALL_GATHER_ALL
	EVENT(GASP_UPC_ALL_GATHER_ALL),
#endif
#ifdef GASP_UPC_ALL_EXCHANGE
	EVENT(GASP_UPC_ALL_EXCHANGE),
#endif
#ifdef GASP_UPC_ALL_PERMUTE
	EVENT(GASP_UPC_ALL_PERMUTE),
#endif
#ifdef GASP_UPC_ALL_REDUCE
	EVENT(GASP_UPC_ALL_REDUCE),
#endif
#ifdef GASP_UPC_ALL_PREFIX_REDUCE
	EVENT(GASP_UPC_ALL_PREFIX_REDUCE),
#endif
#ifdef GASP_BUPC_NB_TRYSYNC
	EVENT(GASP_BUPC_NB_TRYSYNC),
#endif
#ifdef GASP_BUPC_NB_MEMGET_INIT
	EVENT(GASP_BUPC_NB_MEMGET_INIT),
#endif
#ifdef GASP_BUPC_NB_MEMPUT_INIT
	EVENT(GASP_BUPC_NB_MEMPUT_INIT),
#endif
#ifdef GASP_BUPC_NB_MEMCPY_INIT
	EVENT(GASP_BUPC_NB_MEMCPY_INIT),
#endif
#ifdef GASP_BUPC_STATIC_SHARED
	EVENT(GASP_BUPC_STATIC_SHARED),
#endif
#ifdef GASP_HUPC_STATIC_SHARED
	EVENT(GASP_HUPC_STATIC_SHARED),
#endif
};

#define TEXT(x) #x
#define TEXT_OF(x) TEXT(x)

#if defined(__BERKELEY_UPC__) && defined(__BERKELEY_UPC_MINOR__) && defined(__BERKELEY_UPC_PATCHLEVEL__)
#define COMPILER                                                                           \
	"Berkeley UPC " TEXT_OF(__BERKELEY_UPC__) "." TEXT_OF(__BERKELEY_UPC_MINOR__) "." \
		TEXT_OF(__BERKELEY_UPC_PATCHLEVEL__)
#elif defined(__BERKELEY_UPC__)
#define COMPILER "Berkeley UPC"
#elif defined(__clang__)
#define COMPILER "Clang UPC " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "GNU UPC " __VERSION__
#else
#define COMPILER "a UPC compiler"
#endif

#if defined(GASP_UPC_USEREVT_START) && defined(GASP_UPC_USEREVT_END)
#define USER_FIRST GASP_UPC_USEREVT_START
#define USER_LAST GASP_UPC_USEREVT_END
#elif defined(GASP_USEREVT_START) && defined(GASP_USEREVT_END)
#define USER_FIRST GASP_USEREVT_START
#define USER_LAST GASP_USEREVT_END
#else /* an empty range */
#define USER_FIRST 1
#define USER_LAST 0
#endif

#if defined(GASP_UPC_NB_TRIVIAL)
#define TRIVIAL GASP_UPC_NB_TRIVIAL
#elif defined(GASP_NB_TRIVIAL)
#define TRIVIAL GASP_NB_TRIVIAL
#else
#define TRIVIAL 0
#endif

#ifdef GASP_UPC_NBI_TRIVIAL /* Berkeley's, of accesses with an implicit handle */
#define OTHER_TRIVIAL GASP_UPC_NBI_TRIVIAL
#else
#define OTHER_TRIVIAL TRIVIAL
#endif

static int bridge_mythread(void)
{
	return MYTHREAD;
}

static int bridge_threads(void)
{
	return THREADS;
}

static size_t bridge_threadof(const void *shared_pointer)
{
	return upc_threadof(*(shared void *const *)shared_pointer);
}

static size_t bridge_phaseof(const void *shared_pointer)
{
	return upc_phaseof(*(shared void *const *)shared_pointer);
}

static size_t bridge_addrfield(const void *shared_pointer)
{
	return upc_addrfield(*(shared void *const *)shared_pointer);
}

/* UPC defines the cast for a thread's own memory only. */
static void *bridge_localaddr(const void *shared_pointer)
{
	shared void *pointer = *(shared void *const *)shared_pointer;

	return upc_threadof(pointer) == (size_t)MYTHREAD ? (void *)pointer : NULL;
}

static const struct heddle_upc_bridge bridge = {
	HEDDLE_UPC_BRIDGE_VERSION,
	COMPILER,
	(unsigned int)(USER_FIRST),
	(unsigned int)(USER_LAST),
	{(const void *)(TRIVIAL), (const void *)(OTHER_TRIVIAL)},
	sizeof(bridge_events) / sizeof(bridge_events[0]),
	bridge_events,
	bridge_mythread,
	bridge_threads,
	bridge_threadof,
	bridge_phaseof,
	bridge_addrfield,
	bridge_localaddr,
	NULL,
	NULL,
};

const struct heddle_upc_bridge *heddle_upc_bridge(void)
{
	return &bridge;
}
