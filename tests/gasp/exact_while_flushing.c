/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts are exact even while another thread has the profile written. */
#include "client.h"

#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

#define THREADS 3

static atomic_int over;
static atomic_long told;

static void *play(void *argument)
{
	(void)argument;
	gasp_context_t context = init_upc();
	long count = 0;
	for (; !over; count++)
		get(context, "a.upc", 1, 8);
	told += count;
	return NULL;
}

int main(void)
{
	pthread_t threads[THREADS];
	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, play, NULL);
	for (int i = 0; i < 10; i++) {
		spend(2000000);
		REQUIRE(heddle_flush() == 0);
	}
	over = 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	EXPECT("visits", "GASP_UPC_GET @a.upc:1", told);
	EXPECT("bytes-got", "GASP_UPC_GET @a.upc:1", 8 * told);
	return 0;
}
