/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * "a gasp.h C header file ... that contains at least" the prototypes with their types, GASP_VERSION 20060914, and
 * "macro definitions that map the symbolic event names ... to 32-bit unsigned integers". The C++ test is this file too.
 */
#include <heddle/gasp.h>
#include <heddle/gasp_c.h>
#include <heddle/gasp_upc.h>

#include "client.h"

#if GASP_VERSION != 20060914
#error "section 3.5 names the version"
#endif

#ifdef __cplusplus
#define CONTEXT_OF(model) gasp_init(model, 0, 0)
#else
#define CONTEXT_OF(model) gasp_init(model, NULL, NULL)
#endif

static gasp_context_t (*const init)(gasp_model_t, int *, char ***) = gasp_init;
static void (*const notify)(
	gasp_context_t, unsigned int, gasp_evttype_t, const char *, int, int, ...) = gasp_event_notify;
static void (*const notify_va)(
	gasp_context_t, unsigned int, gasp_evttype_t, const char *, int, int, va_list) = gasp_event_notifyVA;
static int (*const control)(gasp_context_t, int) = gasp_control;
static unsigned int (*const create)(gasp_context_t, const char *, const char *) = gasp_create_event;

static const unsigned int events[] = {GASP_C_FUNC, GASP_C_MALLOC, GASP_C_REALLOC, GASP_C_FREE, GASP_UPC_COLLECTIVE_EXIT,
	GASP_UPC_NONCOLLECTIVE_EXIT, GASP_UPC_NOTIFY, GASP_UPC_WAIT, GASP_UPC_BARRIER, GASP_UPC_FENCE, GASP_UPC_FORALL,
	GASP_UPC_GLOBAL_ALLOC, GASP_UPC_ALL_ALLOC, GASP_UPC_ALLOC, GASP_UPC_FREE, GASP_UPC_GLOBAL_LOCK_ALLOC,
	GASP_UPC_ALL_LOCK_ALLOC, GASP_UPC_LOCK_FREE, GASP_UPC_LOCK, GASP_UPC_LOCK_ATTEMPT, GASP_UPC_UNLOCK,
	GASP_UPC_MEMCPY, GASP_UPC_MEMGET, GASP_UPC_MEMPUT, GASP_UPC_MEMSET, GASP_UPC_GET, GASP_UPC_PUT,
	GASP_UPC_NB_GET_INIT, GASP_UPC_NB_GET_DATA, GASP_UPC_NB_PUT_INIT, GASP_UPC_NB_PUT_DATA, GASP_UPC_NB_SYNC,
	GASP_UPC_CACHE_MISS, GASP_UPC_CACHE_HIT, GASP_UPC_CACHE_INVALIDATE, GASP_UPC_ALL_BROADCAST,
	GASP_UPC_ALL_SCATTER, GASP_UPC_ALL_GATHER, GASP_UPC_ALL_GATHER_ALL, GASP_UPC_ALL_EXCHANGE, GASP_UPC_ALL_PERMUTE,
	GASP_UPC_ALL_REDUCE, GASP_UPC_ALL_PREFIX_REDUCE};

#define COUNT (sizeof(events) / sizeof(events[0]))

int main(void)
{
	int twice = 0, user = 0;
	for (size_t i = 0; i < COUNT; i++) {
		user += events[i] >= GASP_UPC_USEREVT_START && events[i] <= GASP_UPC_USEREVT_END;
		for (size_t j = 0; j < i; j++)
			twice += events[i] == events[j];
	}
	REQUIRE(COUNT == 43 && twice == 0 && user == 0);
	REQUIRE(GASP_MODEL_UPC == 0 && GASP_MODEL_TITANIUM == 1 && GASP_MODEL_CAF == 2 && GASP_MODEL_MPI == 3);
	REQUIRE(GASP_MODEL_SHMEM == 4 && GASP_START == 0 && GASP_END == 1 && GASP_ATOMIC == 2);
	REQUIRE(GASP_UPC_REDUCTION_C == 0 && GASP_UPC_REDUCTION_D == 9 && GASP_UPC_REDUCTION_LD == 10);
	REQUIRE(GASP_UPC_VERSION > 0 && GASP_UPC_USEREVT_START < GASP_UPC_USEREVT_END);
	REQUIRE(init && notify && notify_va && control && create && sizeof(GASP_C_FUNC) == 4);
	/* Both opaque types are void: any pointer converts to them, and nothing can be read through them. */
	int anything = 0;
	gasp_upc_PTS_t *shared_pointer = &anything;
	gasp_upc_lock_t *lock = &anything;
	gasp_upc_nb_handle_t handle = GASP_NB_TRIVIAL;
	REQUIRE(shared_pointer == lock && !handle);
	fence(CONTEXT_OF(GASP_MODEL_UPC), "a.upc", 1);
	EXPECT("visits", "GASP_UPC_FENCE @a.upc:1", 1);
	return 0;
}
