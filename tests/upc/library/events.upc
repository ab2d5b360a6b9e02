/* SPDX-License-Identifier: BSD-3-Clause */
/* For library_events.sh: each function that gives events, called once, with --inst; `event:` tells which, at that line. */
#include <upc.h>
#include <upc_collective.h>
#include <upc_nb.h>

shared int table[4 * THREADS];           /* event: GASP_HUPC_STATIC_SHARED */
shared [4] int to[4 * THREADS];          /* event: GASP_HUPC_STATIC_SHARED */
shared [4] int from[4 * THREADS];        /* event: GASP_HUPC_STATIC_SHARED */
shared [] int wide[64];                  /* event: GASP_HUPC_STATIC_SHARED */
static int own[4];

static void allocate(void)
{
	shared void *all = upc_all_alloc(THREADS, 8);       /* event: GASP_UPC_ALL_ALLOC */
	shared void *global = upc_global_alloc(THREADS, 8); /* event: GASP_UPC_GLOBAL_ALLOC */
	shared void *mine = upc_alloc(8);                   /* event: GASP_UPC_ALLOC */
	upc_free(mine);                                     /* event: GASP_UPC_FREE */
	upc_free(global);                                   /* event: GASP_UPC_FREE */
	upc_all_free(all);                                  /* event: GASP_UPC_FREE */
}

static void use_locks(void)
{
	upc_lock_t *all = upc_all_lock_alloc();     /* event: GASP_UPC_ALL_LOCK_ALLOC */
	upc_lock_t *mine = upc_global_lock_alloc(); /* event: GASP_UPC_GLOBAL_LOCK_ALLOC */
	upc_lock(mine);                             /* event: GASP_UPC_LOCK */
	upc_unlock(mine);                           /* event: GASP_UPC_UNLOCK */
	upc_lock_attempt(mine);                     /* event: GASP_UPC_LOCK_ATTEMPT */
	upc_lock_free(mine);                        /* event: GASP_UPC_LOCK_FREE */
	upc_all_lock_free(all);                     /* event: GASP_UPC_LOCK_FREE */
}

static void transfer(void)
{
	int next = (MYTHREAD + 1) % THREADS;

	upc_memput(&to[4 * next], own, 16);                             /* event: GASP_UPC_MEMPUT */
	upc_memget(own, &to[4 * next], 16);                             /* event: GASP_UPC_MEMGET */
	upc_memcpy(&to[4 * next], &from[4 * next], 16);                 /* event: GASP_UPC_MEMCPY */
	upc_memset(&to[4 * next], 0, 16);                               /* event: GASP_UPC_MEMSET */
	upc_handle_t get = upc_memget_nb(own, &to[4 * next], 16);       /* event: GASP_UPC_NB_GET_INIT */
	upc_sync(get);                                                  /* event: GASP_UPC_NB_SYNC; over a network: GASP_UPC_NB_GET_DATA */
	upc_memput_nbi(&to[4 * next], own, 16);                         /* event: GASP_UPC_NB_PUT_INIT */
	upc_synci();                                                    /* event: GASP_UPC_NB_SYNC; over a network: GASP_UPC_NB_PUT_DATA */
	upc_memset_nbi(&to[4 * next], 0, 16);                           /* event: GASP_UPC_MEMSET */
	upc_memcpy_nbi(&to[4 * next], &from[4 * next], 16);             /* event: GASP_UPC_MEMCPY */
	upc_synci_attempt();                                            /* event: GASP_UPC_NB_SYNC */
}

static void synchronize(void)
{
	upc_notify 3; /* event: GASP_UPC_NOTIFY */
	upc_wait 3;   /* event: GASP_UPC_WAIT */
	upc_fence;    /* event: GASP_UPC_FENCE */
	upc_barrier;  /* event: GASP_UPC_BARRIER */
}

static void collect(void)
{
	upc_all_broadcast(to, from, 16, 0);                            /* event: GASP_UPC_ALL_BROADCAST */
	upc_all_scatter(to, wide, 8, 0);                               /* event: GASP_UPC_ALL_SCATTER */
	upc_all_gather(wide, from, 8, 0);                              /* event: GASP_UPC_ALL_GATHER */
	upc_all_gather_all(to, from, 4, 0);                            /* event: GASP_UPC_ALL_GATHER_ALL */
	upc_all_exchange(to, from, 4, 0);                              /* event: GASP_UPC_ALL_EXCHANGE */
	upc_all_permute(to, from, table, 8, 0);                        /* event: GASP_UPC_ALL_PERMUTE */
	upc_all_reduceI(to, from, UPC_ADD, 4, 4, NULL, 0);             /* event: GASP_UPC_ALL_REDUCE */
	upc_all_prefix_reduceI(to, from, UPC_MAX, 4, 4, NULL, 0);      /* event: GASP_UPC_ALL_PREFIX_REDUCE */
}

int main(int argc, char **argv)
{
#pragma pupc off
	table[MYTHREAD] = MYTHREAD;
	upc_barrier;
#pragma pupc on
	allocate();
	use_locks();
	transfer();
	synchronize();
	collect();
	int next = (MYTHREAD + 1) % THREADS;
	from[4 * next] = 1;    /* event: GASP_UPC_PUT */
	own[0] = wide[0];      /* event: GASP_UPC_GET on 1 */
	if (argc > 1 && MYTHREAD == 1)
		upc_global_exit(3); /* event: GASP_UPC_NONCOLLECTIVE_EXIT on 1 with an argument */
	if (argc > 1) {
#pragma pupc off
		upc_barrier;
#pragma pupc on
	}
	return 0;
}
