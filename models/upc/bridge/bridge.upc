/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Linked into UPC programs by `heddle upcc`, compiled by the program's own UPC compiler with that compiler's own GASP
 * headers: it describes that compiler's event numbers and pointers-to-shared to libheddle.so (upc_bridge.h). It must
 * not cause events itself.
 */
#ifdef __BERKELEY_UPC__
#pragma UPCR NO_SRCPOS
#endif
#pragma pupc off

#include <stdarg.h> /* needed, but not included, by Berkeley's gasp.h */
#include <stddef.h>

#include <upc.h>

#include <gasp.h>
#include <gasp_upc.h>

#include <heddle/upc_bridge.h>

/* Keeps the bridge's own functions out of -finstrument-functions. */
#if (defined(__clang__) || defined(__GNUC__)) && !defined(__BERKELEY_UPC__) && !defined(__BERKELEY_UPC_RUNTIME__)
#define SILENT __attribute__((no_instrument_function))
#else
#define SILENT
#endif

/* The parentheses matter: Berkeley's macros are sums without any. */
#define EVENT(name) {#name, (unsigned int)(name)}

/* Headers define no macros for events that a compiler lacks. GASP 1.3 has other names for the exit events. */
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

/* Berkeley's run-time system with another translator (Clang-upc2c) defines only the first of these. */
#if defined(__BERKELEY_UPC_RUNTIME_RELEASE__) && defined(__BERKELEY_UPC_RUNTIME_RELEASE_MINOR__) && \
	defined(__BERKELEY_UPC_RUNTIME_RELEASE_PATCHLEVEL__)
#define COMPILER                                                      \
	"Berkeley UPC " TEXT_OF(__BERKELEY_UPC_RUNTIME_RELEASE__) "." TEXT_OF(             \
		__BERKELEY_UPC_RUNTIME_RELEASE_MINOR__) "." TEXT_OF(__BERKELEY_UPC_RUNTIME_RELEASE_PATCHLEVEL__)
#elif defined(__BERKELEY_UPC__) && defined(__BERKELEY_UPC_MINOR__) && defined(__BERKELEY_UPC_PATCHLEVEL__)
#define COMPILER                                                                           \
	"Berkeley UPC " TEXT_OF(__BERKELEY_UPC__) "." TEXT_OF(__BERKELEY_UPC_MINOR__) "." \
		TEXT_OF(__BERKELEY_UPC_PATCHLEVEL__)
#elif defined(__BERKELEY_UPC__) || defined(__BERKELEY_UPC_RUNTIME__)
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

#ifdef GASP_UPC_NBI_TRIVIAL /* Berkeley's, for accesses with an implicit handle */
#define OTHER_TRIVIAL GASP_UPC_NBI_TRIVIAL
#else
#define OTHER_TRIVIAL TRIVIAL
#endif

SILENT static int bridge_mythread(void)
{
	return MYTHREAD;
}

SILENT static int bridge_threads(void)
{
	return THREADS;
}

SILENT static size_t bridge_threadof(const void *shared_pointer)
{
	return upc_threadof(*(shared void *const *)shared_pointer);
}

SILENT static size_t bridge_phaseof(const void *shared_pointer)
{
	return upc_phaseof(*(shared void *const *)shared_pointer);
}

SILENT static size_t bridge_addrfield(const void *shared_pointer)
{
	return upc_addrfield(*(shared void *const *)shared_pointer);
}

/* UPC defines the cast only for shared memory with affinity to the calling thread. */
SILENT static void *bridge_localaddr(const void *shared_pointer)
{
	shared void *pointer = *(shared void *const *)shared_pointer;

	return upc_threadof(pointer) == (size_t)MYTHREAD ? (void *)pointer : NULL;
}

/*
 * Filled on each call: translators to C turn an initializer that names a variable into an assignment, which a constant
 * does not allow, and which may be executed after this call. If each UPC thread has its own copy, each fills its own.
 */
SILENT const struct heddle_upc_bridge *heddle_upc_bridge(void)
{
	static struct heddle_upc_bridge bridge;

	bridge.version = HEDDLE_UPC_BRIDGE_VERSION;
	bridge.compiler = COMPILER;
	bridge.user_first = (unsigned int)(USER_FIRST);
	bridge.user_last = (unsigned int)(USER_LAST);
	bridge.nb_trivial[0] = (const void *)(TRIVIAL);
	bridge.nb_trivial[1] = (const void *)(OTHER_TRIVIAL);
	bridge.event_count = sizeof(bridge_events) / sizeof(bridge_events[0]);
	bridge.events = bridge_events;
	bridge.mythread = bridge_mythread;
	bridge.threads = bridge_threads;
	bridge.threadof = bridge_threadof;
	bridge.phaseof = bridge_phaseof;
	bridge.addrfield = bridge_addrfield;
	bridge.localaddr = bridge_localaddr;
	bridge.runtime_low = NULL;
	bridge.runtime_high = NULL;
	return &bridge;
}
