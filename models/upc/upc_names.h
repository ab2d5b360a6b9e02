/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kinds of UPC events (GASP 1.5, sections 4.3 and 5.4, tables 1 to 10, and what compilers add), and the numbers
 * that known compilers give them.
 *
 * Columns: KEY, symbolic name, label, category, effect, arguments, additional arguments at End, number in GNU and Clang
 * UPC, number in Berkeley UPC (0: none). Heddle's own number is GASP_HEDDLE_EVENT(number in GNU UPC), or in the range
 * of the last column.
 *
 * Arguments are one letter each (upc_arguments.h). An Atomic event has Start's and End's.
 */
#ifndef HEDDLE_MODELS_UPC_NAMES_H
#define HEDDLE_MODELS_UPC_NAMES_H

#include <stdbool.h>

#include "core/tree/event.h"

#define HEDDLE_UPC_EVENTS(X)                                                                                          \
	X(C_FUNC, "GASP_C_FUNC", "function", FUNCTION, FUNCTION, "F", "", 1, 1023)                                    \
	X(C_MALLOC, "GASP_C_MALLOC", "malloc", ALLOCATION, ALLOCATE, "n", "a", 2, 1020)                               \
	X(C_REALLOC, "GASP_C_REALLOC", "realloc", ALLOCATION, ALLOCATE, "an", "a", 3, 1021)                           \
	X(C_FREE, "GASP_C_FREE", "free", ALLOCATION, NONE, "a", "", 4, 1022)                                          \
	X(COLLECTIVE_EXIT, "GASP_UPC_COLLECTIVE_EXIT", "upc exit", EXIT, EXIT, "x", "", 5, 1210)                      \
	X(NONCOLLECTIVE_EXIT, "GASP_UPC_NONCOLLECTIVE_EXIT", "upc global exit", EXIT, EXIT, "x", "", 6, 1211)         \
	X(NOTIFY, "GASP_UPC_NOTIFY", "upc notify", BARRIER, MEET, "NE", "", 7, 1100)                                  \
	X(WAIT, "GASP_UPC_WAIT", "upc wait", BARRIER, MEET, "NE", "", 8, 1101)                                        \
	X(BARRIER, "GASP_UPC_BARRIER", "upc barrier", BARRIER, MEET, "NE", "", 9, 0)                                  \
	X(FENCE, "GASP_UPC_FENCE", "upc fence", FENCE, NONE, "", "", 10, 0)                                           \
	X(FORALL, "GASP_UPC_FORALL", "upc_forall", WORKSHARE, LOOP, "", "", 11, 0)                                    \
	X(GLOBAL_ALLOC, "GASP_UPC_GLOBAL_ALLOC", "upc global alloc", ALLOCATION, SHARED_BLOCKS, "bn", "D", 12, 1001)  \
	X(ALL_ALLOC, "GASP_UPC_ALL_ALLOC", "upc all alloc", ALLOCATION, SHARED_ONCE, "bn", "D", 13, 1002)             \
	X(ALLOC, "GASP_UPC_ALLOC", "upc alloc", ALLOCATION, SHARED, "n", "D", 14, 1000)                               \
	X(FREE, "GASP_UPC_FREE", "upc free", ALLOCATION, FREE, "D", "", 15, 1003)                                     \
	X(GLOBAL_LOCK_ALLOC, "GASP_UPC_GLOBAL_LOCK_ALLOC", "upc global lock alloc", ALLOCATION, NONE, "", "L", 16,    \
		1010)                                                                                                 \
	X(ALL_LOCK_ALLOC, "GASP_UPC_ALL_LOCK_ALLOC", "upc all lock alloc", ALLOCATION, NONE, "", "L", 17, 1011)       \
	X(LOCK_FREE, "GASP_UPC_LOCK_FREE", "upc lock free", ALLOCATION, NONE, "L", "", 18, 1012)                      \
	X(LOCK, "GASP_UPC_LOCK", "upc lock", LOCK, LOCK, "L", "", 19, 1014)                                           \
	X(LOCK_ATTEMPT, "GASP_UPC_LOCK_ATTEMPT", "upc lock attempt", COMMUNICATION, ATTEMPT, "L", "R", 20, 1013)      \
	X(UNLOCK, "GASP_UPC_UNLOCK", "upc unlock", COMMUNICATION, UNLOCK, "L", "", 21, 1015)                          \
	X(MEMCPY, "GASP_UPC_MEMCPY", "upc memcpy", COMMUNICATION, COPY, "DSn", "", 22, 1032)                          \
	X(MEMGET, "GASP_UPC_MEMGET", "upc memget", COMMUNICATION, GET, "aSn", "", 23, 1030)                           \
	X(MEMPUT, "GASP_UPC_MEMPUT", "upc memput", COMMUNICATION, PUT, "Dan", "", 24, 1031)                           \
	X(MEMSET, "GASP_UPC_MEMSET", "upc memset", COMMUNICATION, PUT, "Dcn", "", 25, 1033)                           \
	X(GET, "GASP_UPC_GET", "upc get", COMMUNICATION, GET, "raSn", "", 26, 1111)                                   \
	X(PUT, "GASP_UPC_PUT", "upc put", COMMUNICATION, PUT, "rDan", "", 27, 1110)                                   \
	X(NB_GET_INIT, "GASP_UPC_NB_GET_INIT", "upc nb get", COMMUNICATION, GET, "raSn", "h", 28, 1120)               \
	X(NB_GET_DATA, "GASP_UPC_NB_GET_DATA", "upc nb get data", COMMUNICATION, ARRIVE, "h", "", 29, 0)              \
	X(NB_PUT_INIT, "GASP_UPC_NB_PUT_INIT", "upc nb put", COMMUNICATION, PUT, "rDan", "h", 30, 1121)               \
	X(NB_PUT_DATA, "GASP_UPC_NB_PUT_DATA", "upc nb put data", COMMUNICATION, ARRIVE, "h", "", 31, 0)              \
	X(NB_SYNC, "GASP_UPC_NB_SYNC", "upc nb sync", COMMUNICATION, SYNC, "h", "", 32, 1122)                         \
	X(CACHE_MISS, "GASP_UPC_CACHE_MISS", "upc cache miss", OTHER, CACHE, "nl", "", 33, 0)                         \
	X(CACHE_HIT, "GASP_UPC_CACHE_HIT", "upc cache hit", OTHER, CACHE, "n", "", 34, 0)                             \
	X(CACHE_INVALIDATE, "GASP_UPC_CACHE_INVALIDATE", "upc cache invalidate", OTHER, CACHE, "n", "", 35, 0)        \
	X(ALL_BROADCAST, "GASP_UPC_ALL_BROADCAST", "upc broadcast", COLLECTIVE, BROADCAST, "DSnf", "", 36, 1300)      \
	X(ALL_SCATTER, "GASP_UPC_ALL_SCATTER", "upc scatter", COLLECTIVE, BROADCAST, "DSnf", "", 37, 1310)            \
	X(ALL_GATHER, "GASP_UPC_ALL_GATHER", "upc gather", COLLECTIVE, GATHER, "DSnf", "", 38, 1320)                  \
	X(ALL_GATHER_ALL, "GASP_UPC_ALL_GATHER_ALL", "upc gather all", COLLECTIVE, GATHER_ALL, "DSnf", "", 39, 1330)  \
	X(ALL_EXCHANGE, "GASP_UPC_ALL_EXCHANGE", "upc exchange", COLLECTIVE, EXCHANGE, "DSnf", "", 40, 1340)          \
	X(ALL_PERMUTE, "GASP_UPC_ALL_PERMUTE", "upc permute", COLLECTIVE, PERMUTE, "DSpnf", "", 41, 1350)             \
	X(ALL_REDUCE, "GASP_UPC_ALL_REDUCE", "upc reduce", COLLECTIVE, REDUCE, "DSoebaft", "", 42, 1400)              \
	X(ALL_PREFIX_REDUCE, "GASP_UPC_ALL_PREFIX_REDUCE", "upc prefix reduce", COLLECTIVE, REDUCE, "DSoebaft", "",   \
		43, 1410)                                                                                             \
	X(BUPC_NB_TRYSYNC, "GASP_BUPC_NB_TRYSYNC", "upc nb try sync", COMMUNICATION, SYNC, "h", "R", 0, 1130)         \
	X(BUPC_NB_MEMGET, "GASP_BUPC_NB_MEMGET_INIT", "upc nb memget", COMMUNICATION, GET, "aSn", "h", 0, 1131)       \
	X(BUPC_NB_MEMPUT, "GASP_BUPC_NB_MEMPUT_INIT", "upc nb memput", COMMUNICATION, PUT, "Dan", "h", 0, 1132)       \
	X(BUPC_NB_MEMCPY, "GASP_BUPC_NB_MEMCPY_INIT", "upc nb memcpy", COMMUNICATION, COPY, "DSn", "h", 0, 1133)      \
	X(BUPC_STATIC_SHARED, "GASP_BUPC_STATIC_SHARED", "upc static shared", OTHER, SHARED_ONCE, "bnD", "", 0, 1140) \
	X(HUPC_STATIC_SHARED, "GASP_HUPC_STATIC_SHARED", "upc static shared", OTHER, SHARED_ONCE, "bnD", "", 64, 0)

enum heddle_upc_key {
#define X(key, name, label, category, effect, arguments, more, gnu, berkeley) HEDDLE_UPC_##key,
	HEDDLE_UPC_EVENTS(X)
#undef X
		HEDDLE_UPC_KIND_COUNT
};

/* What an event means in addition to its visits and time; upc_rows.c has a row for each. */
enum heddle_upc_effect {
	HEDDLE_UPC_EFFECT_NONE,
	HEDDLE_UPC_EFFECT_FUNCTION,
	HEDDLE_UPC_EFFECT_LOOP,
	HEDDLE_UPC_EFFECT_MEET, /* all threads of the program meet */
	HEDDLE_UPC_EFFECT_EXIT,
	HEDDLE_UPC_EFFECT_ALLOCATE,      /* n bytes of private memory, if the allocation succeeded */
	HEDDLE_UPC_EFFECT_FREE,          /* shared memory */
	HEDDLE_UPC_EFFECT_SHARED,        /* n bytes of shared memory */
	HEDDLE_UPC_EFFECT_SHARED_BLOCKS, /* b blocks of n bytes */
	HEDDLE_UPC_EFFECT_SHARED_ONCE,   /* b blocks of n bytes, once for all threads */
	HEDDLE_UPC_EFFECT_LOCK,
	HEDDLE_UPC_EFFECT_ATTEMPT,
	HEDDLE_UPC_EFFECT_UNLOCK,
	HEDDLE_UPC_EFFECT_GET,
	HEDDLE_UPC_EFFECT_PUT,
	HEDDLE_UPC_EFFECT_COPY,
	HEDDLE_UPC_EFFECT_ARRIVE, /* data of a nonblocking access */
	HEDDLE_UPC_EFFECT_SYNC,
	HEDDLE_UPC_EFFECT_CACHE,
	HEDDLE_UPC_EFFECT_BROADCAST,
	HEDDLE_UPC_EFFECT_GATHER,
	HEDDLE_UPC_EFFECT_GATHER_ALL,
	HEDDLE_UPC_EFFECT_EXCHANGE,
	HEDDLE_UPC_EFFECT_PERMUTE,
	HEDDLE_UPC_EFFECT_REDUCE,
};

struct heddle_upc_row;

struct heddle_upc_kind {
	const struct heddle_event *event;
	const struct heddle_upc_row *row; /* its acts (upc_rows.h); NULL: none */
	const char *arguments;            /* arguments of Start, and first ones of Atomic */
	const char *more;                 /* further arguments of End and Atomic */
	enum heddle_upc_effect effect;
};

/* Describes UPC to the reader of the profile. */
extern const struct heddle_model heddle__upc_model;

/* By enum heddle_upc_key. Filled in at init; then only read. */
extern struct heddle_event heddle__upc_events[HEDDLE_UPC_KIND_COUNT];
extern struct heddle_upc_kind heddle__upc_kinds[HEDDLE_UPC_KIND_COUNT];

/*
 * Selects the kinds that HEDDLE_EVENTS names by GASP 1.3's spellings; none if the model is not `wanted`. Context: init,
 * after registration.
 */
void heddle__upc_select(bool wanted);

/* True if some nonblocking accesses are selected. */
extern bool heddle__upc_follows_handles;

/* Returns the kind of that symbolic name, including GASP 1.3's spellings, or NULL. Context: any thread. */
const struct heddle_upc_kind *heddle__upc_kind_named(const char *name);

#endif
