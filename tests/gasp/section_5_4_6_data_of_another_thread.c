/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * DATA events reported by an unmeasured progress thread of a run-time system, or by another measured thread: the access
 * is no longer in flight from then on, in whatever order accesses complete.
 */
#include "client.h"

#include <heddle/heddle.h>

#include <pthread.h>

#define MS 1000000u

static gasp_context_t context;
static pthread_barrier_t turn;
static uint64_t most[2]; /* the longest time that the accesses of a thread were in flight */

static void initiate(int line, gasp_upc_nb_handle_t handle)
{
	void *any = &turn;
	START(context, GASP_UPC_NB_GET_INIT, "a.upc", line, 0, 1, any, any, (size_t)8);
	END(context, GASP_UPC_NB_GET_INIT, "a.upc", line, 0, 1, any, any, (size_t)8, handle);
}

static void arrive(gasp_upc_nb_handle_t handle)
{
	START(context, GASP_UPC_NB_GET_DATA, "progress.upc", 1, 0, handle);
	END(context, GASP_UPC_NB_GET_DATA, "progress.upc", 1, 0, handle);
}

static void synchronize(gasp_upc_nb_handle_t handle)
{
	START(context, GASP_UPC_NB_SYNC, "a.upc", 9, 0, handle);
	END(context, GASP_UPC_NB_SYNC, "a.upc", 9, 0, handle);
}

/* Waits until the main thread has initiated accesses, completes two in reverse order, and reports unknown
 * ones. */
static void *progress(void *handles)
{
	gasp_upc_nb_handle_t *handle = handles;
	pthread_barrier_wait(&turn);
	spend(5 * MS);
	ATOMIC(context, GASP_UPC_NB_GET_DATA, "progress.upc", 1, 0, handle[1]);
	spend(5 * MS);
	arrive(handle[0]);
	arrive(GASP_NB_TRIVIAL);
	fence(context, "progress.upc", 2);
	heddle_phase_begin("of the progress thread");
	heddle_phase_end("of the progress thread");
	pthread_barrier_wait(&turn);
	return NULL;
}

/* Two accesses, at `line` and the next one; another thread reports their data while the program computes for longer. */
static void overlap(int line, int unmeasured)
{
	gasp_upc_nb_handle_t handle[2] = {(void *)0x10, (void *)0x20};
	pthread_t thread;
	heddle_unmeasured_threads(unmeasured);
	if (pthread_create(&thread, NULL, progress, handle))
		abort();
	heddle_unmeasured_threads(0);
	uint64_t start = now();
	initiate(line, handle[0]);
	initiate(line + 1, handle[1]);
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn);
	most[unmeasured] = now() - start;
	spend(30 * MS);
	synchronize(handle[0]);
	synchronize(handle[1]);
	pthread_join(thread, NULL);
}

static void *arrive_once(void *handle)
{
	arrive(handle);
	return NULL;
}

static void elsewhere(gasp_upc_nb_handle_t handle)
{
	pthread_t thread;
	heddle_unmeasured_threads(1);
	if (pthread_create(&thread, NULL, arrive_once, handle))
		abort();
	heddle_unmeasured_threads(0);
	pthread_join(thread, NULL);
}

/* Data that arrives before INIT ends was in flight for no time; an arrival reported too late applies to no later
 * access. */
static void at_the_edges(void)
{
	gasp_upc_nb_handle_t handle = (void *)0x30;
	void *any = &turn;
	START(context, GASP_UPC_NB_GET_INIT, "a.upc", 5, 0, 1, any, any, (size_t)8);
	elsewhere(handle);
	END(context, GASP_UPC_NB_GET_INIT, "a.upc", 5, 0, 1, any, any, (size_t)8, handle);
	spend(5 * MS);
	synchronize(handle);
	elsewhere(handle); /* after SYNC */
	initiate(6, handle);
	spend(5 * MS);
	synchronize(handle);
}

int main(void)
{
	context = init_upc();
	pthread_barrier_init(&turn, NULL, 2);
	overlap(1, 1);
	overlap(3, 0);
	at_the_edges();
	for (int unmeasured = 0; unmeasured < 2; unmeasured++) {
		const char *first = unmeasured ? "*NB_GET_INIT @a.upc:1" : "*NB_GET_INIT @a.upc:3";
		const char *second = unmeasured ? "*NB_GET_INIT @a.upc:2" : "*NB_GET_INIT @a.upc:4";
		EXPECT_BETWEEN("flight-time", first, 9900000, most[unmeasured] * 101 / 100);
		EXPECT_BETWEEN("flight-time", second, 4950000, (most[unmeasured] - 5 * MS) * 101 / 100);
	}
	EXPECT("flight-time", "*NB_GET_INIT @a.upc:5", 0);
	EXPECT_BETWEEN("flight-time", "*NB_GET_INIT @a.upc:6", 4950000, UINT64_MAX);
	EXPECT("visits", "*NB_GET_DATA*", 2); /* by the measured thread */
	EXPECT("visits", "*FENCE*", 1);
	EXPECT("visits", "of the progress thread*", 1);
	EXPECT("bytes-got", "*", 48);
	return 0;
}
