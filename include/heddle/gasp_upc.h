/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of Unified Parallel C: GASP 1.5, section 5.4, with the spellings of version 1.3 as aliases. Each event's
 * arguments are listed beside it; `END:` lists the additional ones of its End, where Start and End differ.
 */
#ifndef HEDDLE_GASP_UPC_H
#define HEDDLE_GASP_UPC_H

#include <stddef.h>

#include "gasp_c.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Incremented when implementation-specific events are added. */
#define GASP_UPC_VERSION 1

/* A pointer-to-shared and a lock, passed by address; valid during the event only. */
typedef void gasp_upc_PTS_t;
typedef void gasp_upc_lock_t;
typedef gasp_upc_PTS_t gasp_upc_pts_t;

/* The handle of a nonblocking access, and the handle of an access that was complete at its initiation. */
typedef void *gasp_upc_nb_handle_t;
#define GASP_NB_TRIVIAL ((gasp_upc_nb_handle_t)0)
#define GASP_UPC_NB_TRIVIAL GASP_NB_TRIVIAL

typedef enum {
	GASP_UPC_REDUCTION_C,
	GASP_UPC_REDUCTION_UC,
	GASP_UPC_REDUCTION_S,
	GASP_UPC_REDUCTION_US,
	GASP_UPC_REDUCTION_I,
	GASP_UPC_REDUCTION_UI,
	GASP_UPC_REDUCTION_L,
	GASP_UPC_REDUCTION_UL,
	GASP_UPC_REDUCTION_F,
	GASP_UPC_REDUCTION_D,
	GASP_UPC_REDUCTION_LD
} gasp_upc_reduction_t;

/* Table 3: int status; NONCOLLECTIVE_EXIT is Atomic */
#define GASP_UPC_COLLECTIVE_EXIT GASP_HEDDLE_EVENT(5)
#define GASP_UPC_NONCOLLECTIVE_EXIT GASP_HEDDLE_EVENT(6)

/* Table 4: int named, int expr; FENCE none */
#define GASP_UPC_NOTIFY GASP_HEDDLE_EVENT(7)
#define GASP_UPC_WAIT GASP_HEDDLE_EVENT(8)
#define GASP_UPC_BARRIER GASP_HEDDLE_EVENT(9)
#define GASP_UPC_FENCE GASP_HEDDLE_EVENT(10)

/* Table 5: none */
#define GASP_UPC_FORALL GASP_HEDDLE_EVENT(11)

/* Table 6 */
#define GASP_UPC_GLOBAL_ALLOC GASP_HEDDLE_EVENT(12)      /* size_t nblocks, size_t nbytes; END: PTS *newshrd_ptr */
#define GASP_UPC_ALL_ALLOC GASP_HEDDLE_EVENT(13)         /* size_t nblocks, size_t nbytes; END: PTS *newshrd_ptr */
#define GASP_UPC_ALLOC GASP_HEDDLE_EVENT(14)             /* size_t nbytes; END: PTS *newshrd_ptr */
#define GASP_UPC_FREE GASP_HEDDLE_EVENT(15)              /* PTS *shrd_ptr */
#define GASP_UPC_GLOBAL_LOCK_ALLOC GASP_HEDDLE_EVENT(16) /* END: lock *lck */
#define GASP_UPC_ALL_LOCK_ALLOC GASP_HEDDLE_EVENT(17)    /* END: lock *lck */
#define GASP_UPC_LOCK_FREE GASP_HEDDLE_EVENT(18)         /* lock *lck */
#define GASP_UPC_LOCK GASP_HEDDLE_EVENT(19)              /* lock *lck */
#define GASP_UPC_LOCK_ATTEMPT GASP_HEDDLE_EVENT(20)      /* lock *lck; END: int result */
#define GASP_UPC_UNLOCK GASP_HEDDLE_EVENT(21)            /* lock *lck */
#define GASP_UPC_MEMCPY GASP_HEDDLE_EVENT(22)            /* PTS *dst, PTS *src, size_t n */
#define GASP_UPC_MEMGET GASP_HEDDLE_EVENT(23)            /* void *dst, PTS *src, size_t n */
#define GASP_UPC_MEMPUT GASP_HEDDLE_EVENT(24)            /* PTS *dst, void *src, size_t n */
#define GASP_UPC_MEMSET GASP_HEDDLE_EVENT(25)            /* PTS *dst, int c, size_t n */

/* Table 7 */
#define GASP_UPC_GET GASP_HEDDLE_EVENT(26) /* int is_relaxed, void *dst, PTS *src, size_t n */
#define GASP_UPC_PUT GASP_HEDDLE_EVENT(27) /* int is_relaxed, PTS *dst, void *src, size_t n */

/* Table 8; in 1.3 the INIT events are Atomic, with the arguments of End */
#define GASP_UPC_NB_GET_INIT GASP_HEDDLE_EVENT(28) /* int is_relaxed, void *dst, PTS *src, size_t n; END: handle */
#define GASP_UPC_NB_GET_DATA GASP_HEDDLE_EVENT(29) /* handle */
#define GASP_UPC_NB_PUT_INIT GASP_HEDDLE_EVENT(30) /* int is_relaxed, PTS *dst, void *src, size_t n; END: handle */
#define GASP_UPC_NB_PUT_DATA GASP_HEDDLE_EVENT(31) /* handle */
#define GASP_UPC_NB_SYNC GASP_HEDDLE_EVENT(32)     /* handle */

/* Table 9, all Atomic */
#define GASP_UPC_CACHE_MISS GASP_HEDDLE_EVENT(33)       /* size_t n, size_t n_lines (not in 1.3) */
#define GASP_UPC_CACHE_HIT GASP_HEDDLE_EVENT(34)        /* size_t n */
#define GASP_UPC_CACHE_INVALIDATE GASP_HEDDLE_EVENT(35) /* size_t n_dirty; not in 1.3 */

/* Table 10: PTS *dst, PTS *src, size_t nbytes, int upc_flags; PERMUTE has PTS *perm after src */
#define GASP_UPC_ALL_BROADCAST GASP_HEDDLE_EVENT(36)
#define GASP_UPC_ALL_SCATTER GASP_HEDDLE_EVENT(37)
#define GASP_UPC_ALL_GATHER GASP_HEDDLE_EVENT(38)
#define GASP_UPC_ALL_GATHER_ALL GASP_HEDDLE_EVENT(39)
#define GASP_UPC_ALL_EXCHANGE GASP_HEDDLE_EVENT(40)
#define GASP_UPC_ALL_PERMUTE GASP_HEDDLE_EVENT(41)
/* PTS *dst, PTS *src, int upc_op, size_t nelems, size_t blk_size, void *func, int upc_flags, gasp_upc_reduction_t type
 */
#define GASP_UPC_ALL_REDUCE GASP_HEDDLE_EVENT(42)
#define GASP_UPC_ALL_PREFIX_REDUCE GASP_HEDDLE_EVENT(43)

/*
 * Sent by Heddle's own UPC run-time system: an Atomic event for each statically allocated shared object, before main:
 * size_t nblocks, size_t nbytes (of a block), PTS *address, size_t element_size, const char *name, const char *type;
 * both texts stay valid.
 */
#define GASP_HUPC_STATIC_SHARED GASP_HEDDLE_EVENT(64)

/* Numbers of user events (section 5.3). */
#define GASP_UPC_USEREVT_START GASP_USEREVT_START
#define GASP_UPC_USEREVT_END GASP_USEREVT_END

/* GASP 1.3 */
#define GASP_COLLECTIVE_EXIT GASP_UPC_COLLECTIVE_EXIT
#define GASP_NONCOLLECTIVE_EXIT GASP_UPC_NONCOLLECTIVE_EXIT
typedef gasp_upc_reduction_t gasp_upc_reduc_t;
#define GASP_UPC_REDUCE_C GASP_UPC_REDUCTION_C
#define GASP_UPC_REDUCE_UC GASP_UPC_REDUCTION_UC
#define GASP_UPC_REDUCE_S GASP_UPC_REDUCTION_S
#define GASP_UPC_REDUCE_US GASP_UPC_REDUCTION_US
#define GASP_UPC_REDUCE_I GASP_UPC_REDUCTION_I
#define GASP_UPC_REDUCE_UI GASP_UPC_REDUCTION_UI
#define GASP_UPC_REDUCE_L GASP_UPC_REDUCTION_L
#define GASP_UPC_REDUCE_UL GASP_UPC_REDUCTION_UL
#define GASP_UPC_REDUCE_F GASP_UPC_REDUCTION_F
#define GASP_UPC_REDUCE_D GASP_UPC_REDUCTION_D
#define GASP_UPC_REDUCE_LD GASP_UPC_REDUCTION_LD

#ifdef __cplusplus
}
#endif

#endif
